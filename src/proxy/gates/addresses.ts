/** What addresses and `Host` fields say about where a request came from. @module */
import ipaddr from "ipaddr.js";
import { memoizeLast } from "../memoize_last.ts";

/** A range of addresses: the first one and the length of the prefix in bits. */
export type AddressRange = readonly [
  address: ipaddr.IPv4 | ipaddr.IPv6,
  bits: number,
];

/**
 * The address as it is compared: IPv4 mapped into IPv6 becomes IPv4.
 * `undefined` for anything that is no full IP literal: resolvers disagree about `127.1` and `0177.0.0.1`.
 */
export function normalAddress(text: string | undefined): string | undefined {
  return parsed(text)?.toString();
}

/** Whether `address` lies in one of `ranges`. `undefined` lies in none. */
export function isInRanges(
  address: string | undefined,
  ranges: readonly AddressRange[],
): boolean {
  if (ranges.length === 0) return false;
  const literal = parsed(address);
  return literal !== undefined && ranges.some(([first, bits]) =>
    // Addresses of different kinds cannot be compared.
    literal.kind() === first.kind() && literal.match(first as never, bits)
  );
}

/**
 * Whether `address` is a loopback IP literal: `127.0.0.0/8`, `::1`, or the former
 * mapped into IPv6. `undefined` is not.
 */
export function isLoopbackAddress(address: string | undefined): boolean {
  return parsed(address)?.range() === "loopback";
}

/** Whether a `Host` field names loopback; an absent, empty or malformed one does not. */
export function namesLoopback(host: string | null): boolean {
  const name = hostName(host);
  return name !== undefined &&
    (name === "localhost" || isLoopbackAddress(name));
}

/**
 * Whether a `Host` field cannot come from a name that a stranger's DNS points
 * here: an IP literal, or `localhost`.
 */
export function isFixedHost(host: string | null): boolean {
  const name = hostName(host);
  return name !== undefined &&
    (name === "localhost" || parsed(name) !== undefined);
}

/**
 * Whether a `Host` field may hold a name that a stranger's DNS points here. IP literals, `localhost` and what is below
 * it, names without a dot and those below `internal`, which no public DNS has, do not; neither does an empty field.
 */
export const maybePublicName: (host: string) => boolean = memoizeLast(
  (host) => {
    if (host === "") return false;
    const own = `http://${host}`;
    if (!URL.canParse(own)) return true;
    // As browsers write it: `127.1` is an address here.
    const name = new URL(own).hostname.replace(/\.$/, "");
    return !isFixedHost(name) && name.includes(".") &&
      !/\.(?:localhost|internal)$/.test(name);
  },
);

/** `[IPv6]` or a name without colons, then an optional port. */
const HOST = /^(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;

/** The name in lower case, an IPv6 literal without brackets; `undefined` for a malformed field. */
function hostName(host: string | null): string | undefined {
  const [, v6, name, port = "0"] = HOST.exec(host ?? "") ?? [];
  if (Number(port) > MAX_PORT) return undefined;
  if (v6 === undefined) return name?.toLowerCase();
  return ipaddr.IPv6.isValid(v6) ? v6 : undefined;
}

function parsed(
  text: string | undefined,
): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return text === undefined ? undefined : readLiteral(text);
}

const readLiteral = memoizeLast((text) => {
  const isLiteral = ipaddr.IPv4.isValidFourPartDecimal(text) ||
    ipaddr.IPv6.isValid(text);
  return isLiteral ? ipaddr.process(text) : undefined;
});
