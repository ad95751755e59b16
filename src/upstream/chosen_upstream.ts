/** Upstreams that clients choose for one request. @module */
import ipaddr from "ipaddr.js";
import type { AddressLookup } from "./address_lookup.ts";

/** An upstream that clients may choose although it is private. */
export interface PermittedBase {
  /** Host name in lower case, an IPv6 literal in brackets. */
  readonly host: string;
  /** Scheme, host and port; `undefined` for every http and https port of the host. */
  readonly origin: string | undefined;
}

/** What choosing depends on. */
export interface ChoiceParts {
  /** Finds addresses. */
  readonly lookup: Pick<AddressLookup, "find">;
  /** Upstreams that need not be public. */
  readonly allowed: readonly PermittedBase[];
}

/** A choice that is not followed. */
export interface Refusal {
  /** Says which kind this is. */
  readonly type: "refused";
  /** Host that was asked for, for the log; `unparsable` where none can be told. */
  readonly host: string;
  /** Slug. */
  readonly reason: string;
}

/** A base URL as a client wrote it, read. */
export type ParsedBase = Refusal | {
  /** Says which kind this is. */
  readonly type: "base";
  /** Origin and path prefix, without credentials, query, fragment, or a dot behind the host. */
  readonly base: URL;
};

/** What becomes of a choice. */
export type Choice = Refusal | {
  /** Says which kind this is. */
  readonly type: "chosen";
  /** Origin and path prefix. */
  readonly base: URL;
  /**
   * Every address of the host; the connection may go to these only, so a second answer of DNS changes nothing. Absent
   * where none was looked up.
   */
  readonly addresses?: readonly string[];
};

/** Longest base URL in characters. */
const MAX_LENGTH = 2048;
/** A scheme, with or without what belongs behind it. */
const SCHEME = /^([a-z][a-z\d+.-]*):/i;
/** Authority and path; no white space and no back-slash, about which parsers disagree. */
const BASE = /^https?:\/\/([^/\\\s]+)(\/[^\\\s]*)?$/i;
/** A host as parsers leave it: a name of up to 253 characters, or an IPv6 address. */
const HOST = /^(?:[a-z\d._-]{1,253}|\[[\da-f:]+\])$/;

/**
 * Reads a client's base URL without looking its host up.
 *
 * @param value Trimmed, not empty. Refused as `invalid_url`, `unsupported_scheme` (all but http and https),
 * `has_query_or_fragment` or `has_credentials`.
 */
export function parseChosenBase(value: string): ParsedBase {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url) url.hostname = url.hostname.replace(/\.$/, "");
  const host = url && HOST.test(url.hostname) ? url.hostname : "unparsable";
  const refused = (reason: string) =>
    ({ type: "refused", host, reason }) as const;
  const [, scheme] = SCHEME.exec(value) ?? [];
  if (scheme && !/^https?$/i.test(scheme)) return refused("unsupported_scheme");
  const [, authority] = value.length > MAX_LENGTH ? [] : BASE.exec(value) ?? [];
  if (!url || !authority || host === "unparsable") {
    return refused("invalid_url");
  }
  if (/[?#]/.test(value)) return refused("has_query_or_fragment");
  if (authority.includes("@")) return refused("has_credentials");
  return { type: "base", base: url };
}

/**
 * Decides on a client's upstream: it must be public, every address of it, or permitted by the configuration.
 *
 * @param value Trimmed, not empty.
 * @returns Never rejects. Refused as in {@linkcode parseChosenBase}, as in {@linkcode AddressLookup.find}, or with the
 * class of the first address that is not public, e.g. `loopback`.
 */
export async function chooseUpstream(
  value: string,
  { lookup, allowed }: ChoiceParts,
): Promise<Choice> {
  const parsed = parseChosenBase(value);
  if (parsed.type === "refused") return parsed;
  const { base } = parsed;
  const host = base.hostname;
  const literal = literalIn(host);
  const found = literal ? [literal] : await lookup.find(host);
  if (typeof found === "string") {
    return { type: "refused", host, reason: found };
  }
  const isPermitted = allowed.some((one) => permits(one, base));
  const reason = isPermitted ? undefined : firstRefusal(found);
  return reason === undefined
    ? { type: "chosen", base, addresses: found }
    : { type: "refused", host, reason };
}

/**
 * Decides on a client's upstream where only known hosts are reached: it must be permitted by the configuration. Nothing
 * is looked up.
 *
 * @param value Trimmed, not empty.
 * @returns Refused as in {@linkcode parseChosenBase}, or as `offline`.
 */
export function chooseKnown(
  value: string,
  allowed: readonly PermittedBase[],
): Choice {
  const parsed = parseChosenBase(value);
  if (parsed.type === "refused") return parsed;
  const { base } = parsed;
  return allowed.some((one) => permits(one, base))
    ? { type: "chosen", base }
    : { type: "refused", host: base.hostname, reason: "offline" };
}

/** The address that a parsed host is, if it is one; parsers turn every other form of IPv4 into four decimal numbers. */
function literalIn(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(host) ? host : undefined;
}

function firstRefusal(addresses: readonly string[]): string | undefined {
  return addresses.map(refusalOf).find((reason) => reason !== undefined);
}

function permits({ host, origin }: PermittedBase, base: URL): boolean {
  return origin === undefined
    ? host === base.hostname
    : origin.replace(/\.(?=:\d+$|$)/, "") === base.origin;
}

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
    return embeddedRefusal(found.inner(bytes)) ??
      (found.isUsed ? undefined : "tunnel");
  }
  const isGlobal = address.match(GLOBAL, GLOBAL_BITS) && range === "unicast";
  if (!isGlobal) return reasonFor(range);
  return isIsatap(bytes) ? embeddedRefusal(atEnd(bytes)) : undefined;
}

function embeddedRefusal(
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
