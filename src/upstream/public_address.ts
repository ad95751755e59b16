/** Which IP addresses belong to the public internet. @module */
import ipaddr from "ipaddr.js";

/** Reasons by the library's names of ranges; a range without a row is `reserved`. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["unspecified", "unspecified"],
  ["broadcast", "broadcast"],
  ["multicast", "multicast"],
  ["linkLocal", "link_local"],
  ["loopback", "loopback"],
  ["carrierGradeNat", "shared"],
  ["private", "private"],
  ["uniqueLocal", "private"],
  ["deprecatedSiteLocal", "site_local"],
]);

/** Where clouds hand out a machine's credentials; the fourth lies in a range that is public otherwise. */
const METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
]);

/** A way to write IPv4 addresses as IPv6 ones. */
interface Embedding {
  readonly prefix: ipaddr.IPv6;
  /** Length of the prefix in bits. */
  readonly bits: number;
  /** Whether real machines are reached this way today; tunnels and dead notations are not. */
  readonly isUsed: boolean;
  /** The IPv4 addresses inside, each of which packets may go to. */
  readonly inner: (bytes: readonly number[]) => readonly (readonly number[])[];
}

/** The last four bytes. */
const atEnd = (bytes: readonly number[]) => [bytes.slice(12)];

/** Asked in this order. Mapped, NAT64 (well-known, then local), compatible, translated, 6to4, Teredo. */
const EMBEDDINGS: readonly Embedding[] = [
  embedding("::ffff:0:0", 96, { isUsed: true, inner: atEnd }),
  embedding("64:ff9b::", 96, { isUsed: true, inner: atEnd }),
  // Only this part of the /48: elsewhere it is not known which bytes the local translator reads.
  embedding("64:ff9b:1::", 96, { isUsed: true, inner: atEnd }),
  embedding("::", 96, { isUsed: false, inner: atEnd }),
  embedding("::ffff:0:0:0", 96, { isUsed: false, inner: atEnd }),
  embedding("2002::", 16, {
    isUsed: false,
    inner: (bytes) => [bytes.slice(2, 6)],
  }),
  embedding("2001::", 32, {
    isUsed: false,
    // The server, then the client, whose bits are inverted.
    inner: (bytes) => [
      bytes.slice(4, 8),
      bytes.slice(12).map((byte) => byte ^ 0xff),
    ],
  }),
];

function embedding(
  prefix: string,
  bits: number,
  rest: Pick<Embedding, "isUsed" | "inner">,
): Embedding {
  return { prefix: ipaddr.IPv6.parse(prefix), bits, ...rest };
}

/** All that is handed out for global unicast. */
const GLOBAL = ipaddr.IPv6.parse("2000::");
const GLOBAL_BITS = 3;

/**
 * Says why an address is not public, as a slug; IPv4 addresses inside of IPv6 ones are looked at first.
 *
 * Whatever is not known to be public is refused, so also text that is no address, an address with a zone, and
 * IPv4 in any other form than four decimal numbers.
 *
 * @param address IP literal without brackets.
 * @returns `undefined` for a public address.
 */
export function refusalOf(address: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return refusalOfV4(ipaddr.IPv4.parse(address));
  }
  const text = withoutDots(address);
  const isPlain = ipaddr.IPv6.isValid(text) && !/[.%]/.test(text);
  return isPlain ? refusalOfV6(ipaddr.IPv6.parse(text)) : "no_address";
}

/**
 * An IPv6 literal whose last part is IPv4, in hexadecimal throughout. The library would read `010` there as 8, and
 * `::1.2.3.4` as the mapped form.
 */
function withoutDots(address: string): string {
  const colon = address.lastIndexOf(":") + 1;
  const tail = address.slice(colon);
  if (colon === 0 || !ipaddr.IPv4.isValidFourPartDecimal(tail)) return address;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return address.slice(0, colon) + groups.join(":");
}

function refusalOfV4(address: ipaddr.IPv4): string | undefined {
  if (METADATA.has(address.toString())) return "metadata";
  const range = address.range();
  return range === "unicast" ? undefined : reasonFor(range);
}

function refusalOfV6(address: ipaddr.IPv6): string | undefined {
  if (METADATA.has(address.toString())) return "metadata";
  const range = address.range();
  // Both lie in the range of the IPv4-compatible addresses.
  if (range === "loopback" || range === "unspecified") return reasonFor(range);
  const bytes = address.toByteArray();
  const found = EMBEDDINGS.find(({ prefix, bits }) =>
    address.match(prefix, bits)
  );
  if (found) {
    return firstRefusal(found.inner(bytes)) ??
      (found.isUsed ? undefined : "tunnel");
  }
  const isGlobal = address.match(GLOBAL, GLOBAL_BITS) && range === "unicast";
  if (!isGlobal) return reasonFor(range);
  return isIsatap(bytes) ? firstRefusal(atEnd(bytes)) : undefined;
}

function firstRefusal(
  inner: readonly (readonly number[])[],
): string | undefined {
  return inner.map((bytes) => refusalOfV4(new ipaddr.IPv4([...bytes])))
    .find((reason) => reason !== undefined);
}

/** Whether the last eight bytes are an ISATAP interface: `[02]00:5efe` and an IPv4 address. */
function isIsatap(bytes: readonly number[]): boolean {
  const [flags, ...rest] = bytes.slice(8, 12);
  return (flags === 0 || flags === 2) && rest.join() === "0,94,254";
}

function reasonFor(range: string): string {
  return REASONS.get(range) ?? "reserved";
}
