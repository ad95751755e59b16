/** Lists of networks, hosts and base URLs. @module */
import ipaddr from "ipaddr.js";
import { type Parse, refusal, withoutSecrets } from "./row.ts";

/** A range of addresses: the first address and the length of the prefix in bits. */
type Network = readonly [
  address: ipaddr.IPv4 | ipaddr.IPv6,
  bits: number,
];

/** An entry of the list of upstreams that clients may choose. */
interface AllowedBase {
  /** Host name in lower case, an IPv6 literal in brackets. */
  readonly host: string;
  /** Scheme, host and port; `undefined` where every safe scheme and port of the host is allowed. */
  readonly origin: string | undefined;
}

/** Parts of a comma-separated list, trimmed, empty ones left out. */
function listOf(raw: string): readonly string[] {
  return raw.split(",").map((part) => part.trim()).filter((part) =>
    part !== ""
  );
}

/** Makes the reader of a list; an item that `read` gives nothing for is refused by name. */
function listParser<T>(
  what: string,
  read: (item: string) => T | undefined,
  /** A user may have written a password into a URL. */
  shown: (text: string) => string = withoutSecrets,
): Parse<readonly T[]> {
  return (env, raw) =>
    listOf(raw).map((item) => {
      const value = read(item);
      if (value !== undefined) return value;
      const named = JSON.stringify(shown(item));
      throw refusal(env, shown(raw), `${what}; ${named} is none`);
    });
}

/**
 * Reads networks in CIDR notation, or single addresses.
 * @throws {RangeError} That names the item.
 */
export const parseNetworks: Parse<readonly Network[]> = listParser(
  "a list of networks such as 10.1.0.0/16,fd00::/8",
  networkOf,
  (text) => text,
);

/**
 * Reads host names, exact ones without wildcards, in lower case.
 * @throws {RangeError} That names the item.
 */
export const parseHosts: Parse<readonly string[]> = listParser(
  "a list of host names without scheme, port or wildcard",
  hostOf,
);

/**
 * Reads bare hosts, each of which allows every scheme and port, and http or https URLs, each of which allows its origin.
 * @throws {RangeError} That names the item.
 */
export const parseAllowedBases: Parse<readonly AllowedBase[]> = listParser(
  "a list of hosts and http or https URLs without credentials or wildcard",
  (item) => item.includes("://") ? originOf(item) : bareHost(item),
);

/**
 * Reads origins of web pages as browsers send them, e.g. `http://localhost:3000`, `chrome-extension://<id>` or `null`,
 * and bare hosts, each of which stands for every http and https origin of it. They are given in lower case, default
 * ports left out.
 * @throws {RangeError} That names the item.
 */
export const parseOrigins: Parse<readonly string[]> = listParser(
  "a list of origins such as http://localhost:3000 and of hosts, without path or wildcard",
  (item) => pageOrigin(item) ?? hostOf(item),
);

function networkOf(item: string): Network | undefined {
  const [address = "", bits] = item.split("/");
  const isFull = ipaddr.IPv4.isValidFourPartDecimal(address) ||
    ipaddr.IPv6.isValid(address);
  if (!isFull || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
    return undefined;
  }
  if (item.split("/").length > 2) return undefined;
  const first = ipaddr.parse(address);
  const length = first.kind() === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? length : Number(bits);
  if (prefix > length) return undefined;
  return isMapped(first) && prefix >= MAPPED_BITS
    ? [first.toIPv4Address(), prefix - MAPPED_BITS]
    : [first, prefix];
}
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96;

function isMapped(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === "ipv6" &&
    (address as ipaddr.IPv6).isIPv4MappedAddress();
}

/** Schemes whose origins URLs do not know, e.g. those of browser extensions: compared as they are written. */
const OTHER_ORIGIN = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[\w.-]*$/i;

function pageOrigin(item: string): string | undefined {
  const text = item.replace(/(?<=[^/:])\/$/, "");
  if (text === "null" || OTHER_ORIGIN.test(text)) return text.toLowerCase();
  const found = originOf(text);
  const isOrigin = found !== undefined && /^[^/]+\/\/[^/?#]+$/.test(text);
  return isOrigin ? found.origin : undefined;
}

function bareHost(item: string): AllowedBase | undefined {
  const host = hostOf(item);
  return host === undefined ? undefined : { host, origin: undefined };
}

/** The host as URLs write it; `undefined` for anything that is more than a host. */
function hostOf(item: string): string | undefined {
  const bracketed = ipaddr.IPv6.isValid(item) ? `[${item}]` : item;
  const isMore = /[\s/?#@\\%]/.test(item) ||
    /:\d*$/.test(bracketed.replace(/^\[.*\]/, ""));
  if (isMore || !URL.canParse(`http://${bracketed}`)) return undefined;
  return plainHost(new URL(`http://${bracketed}`));
}

function originOf(item: string): AllowedBase | undefined {
  if (/\s/.test(item) || !URL.canParse(item)) return undefined;
  const url = new URL(item);
  const host = plainHost(url);
  const isSafe = /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
  return isSafe && host !== undefined
    ? { host, origin: url.origin }
    : undefined;
}

/** A name, or an IPv6 literal; parsers of URLs take more than resolvers do, wildcards among it. */
const HOST = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])$/;

/** Without the dot of the root. */
function plainHost({ hostname }: URL): string | undefined {
  const host = hostname.replace(/\.$/, "");
  return HOST.test(host) ? host : undefined;
}
