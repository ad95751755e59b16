/** Upstreams that clients choose for one request. @module */
import ipaddr from "ipaddr.js";
import type { AddressLookup } from "./address_lookup.ts";
import { refusalOf } from "./public_address.ts";

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
