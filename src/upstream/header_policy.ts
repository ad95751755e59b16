/** Which header fields cross the proxy, in both directions. @module */
import type { HeaderField } from "../core/upstream.ts";

/** Prefix of our own fields. */
const OURS = "x-svc-";

/** Prefix under which clients of the Headroom proxy send the same fields. */
const ALIAS = "x-headroom-";

/** Fields that describe one connection and end with it (RFC 9110 section 7.6.1), and their older relatives. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Request fields that our own client writes anew. `expect` is here because the
 * client's 100-continue was answered on its own connection.
 */
const REWRITTEN: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "accept-encoding",
  "expect",
]);

/** The caller's secret towards this proxy: no upstream learns it, whatever is stripped beside. */
const PROXY_TOKEN = ownHeaderNames("proxy-token");

/** What the request policy depends on. */
export interface RequestHeaderOptions {
  /** Whether `x-svc-*` fields and their aliases stop here. */
  readonly stripInternal: boolean;
  /** `drop` when the body that leaves is decoded, `keep` when it leaves as it came. */
  readonly contentEncoding: "keep" | "drop";
  /** SVC_PROXY_TOKEN: fields that it stands in stay here, under any name. */
  readonly token?: string | undefined;
  /** Fields of the client that stop here, in lower case. */
  readonly drop?: readonly string[];
  /** Fields that take the place of the client's of the same name. */
  readonly set?: readonly HeaderField[];
  /** The operator's fields; they win over all others. What belongs to a connection or frames the message is left out. */
  readonly extraHeaders?: readonly HeaderField[];
}

/**
 * End-to-end fields of a client's request, as they go upstream.
 *
 * `accept-encoding` is always `identity`: `fetch` decodes compressed answers to any
 * other value and keeps their `content-encoding`, which corrupts them.
 *
 * @param from The client's fields. Not modified.
 * @param options See {@linkcode RequestHeaderOptions}.
 * @returns New fields without hop-by-hop ones, `host` and `content-length`; each name once, in lower case.
 */
export function requestHeaders(
  from: Headers,
  options: RequestHeaderOptions,
): readonly HeaderField[] {
  const { set = [], extraHeaders = [], drop = [] } = options;
  const dropped = connectionNamed(from);
  const to = new Map<string, string>();
  for (const [name, value] of from) {
    if (isOurs(name) || dropped.has(name) || drop.includes(name)) continue;
    if (PROXY_TOKEN.includes(name) || holdsToken(value, options)) continue;
    if (options.stripInternal && isOwnHeader(name)) continue;
    if (options.contentEncoding === "drop" && name === "content-encoding") {
      continue;
    }
    to.set(name, value);
  }
  for (const [name, value] of [...set, ...extraHeaders]) {
    const lower = name.toLowerCase();
    if (!isOurs(lower) && lower !== "content-encoding") to.set(lower, value);
  }
  to.set("accept-encoding", "identity");
  return [...to];
}

/** Whether a field is about the connection or the framing, which are our own client's. */
function isOurs(name: string): boolean {
  return HOP_BY_HOP.has(name) || REWRITTEN.has(name);
}

function holdsToken(value: string, { token }: RequestHeaderOptions): boolean {
  return token !== undefined && value.includes(token);
}

/**
 * End-to-end fields of an upstream's response, as they go to the client.
 *
 * `content-length` and `content-encoding` stay: with `accept-encoding: identity`
 * the bytes of the body are those that the upstream wrote.
 *
 * `x-svc-*` fields and their aliases stay here: the client takes them for ours. So do `access-control-*` fields, since
 * this proxy decides which pages may read, and `set-cookie`: a client would send the cookie back to this proxy, which
 * forwards none, and a browser would send it to everything on this host. `clear-site-data` would delete what other
 * applications on this host store in a browser, and `service-worker-allowed` would widen what a script takes over.
 *
 * @param from The upstream's fields. Not modified.
 * @returns New fields, names in lower case.
 */
export function responseHeaders(from: Headers): [string, string][] {
  const dropped = connectionNamed(from);
  const to: [string, string][] = [];
  for (const [name, value] of from) {
    if (HOP_BY_HOP.has(name) || dropped.has(name)) continue;
    if (isOwnHeader(name) || isForBrowsers(name)) continue;
    to.push([name, value]);
  }
  return to;
}

const FOR_BROWSERS: ReadonlySet<string> = new Set([
  "set-cookie",
  "clear-site-data",
  "service-worker-allowed",
]);

/** Whether a response field tells a browser about the upstream's origin, which is not the one that it talks to. */
function isForBrowsers(name: string): boolean {
  return FOR_BROWSERS.has(name) || name.startsWith("access-control-");
}

/** Names that the `connection` field declares as hop-by-hop. */
function connectionNamed(headers: Headers): ReadonlySet<string> {
  const named = headers.get("connection");
  if (named === null) return NONE;
  const names = named.toLowerCase().split(",");
  return new Set(names.map((name) => name.trim()));
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Reads a field that is meant for this proxy.
 *
 * @param headers The client's fields.
 * @param name What follows the prefix, e.g. `mode`.
 * @returns The value of `x-svc-<name>`, also an empty one, else that of `x-headroom-<name>`; `undefined` for neither.
 */
export function ownHeader(headers: Headers, name: string): string | undefined {
  return headers.get(OURS + name) ?? headers.get(ALIAS + name) ?? undefined;
}

/** Whether a field, in lower case, is meant for this proxy or set by it, under either prefix. */
function isOwnHeader(name: string): boolean {
  return name.startsWith(OURS) || name.startsWith(ALIAS);
}

/** Both names of a field, the one that counts first. */
export function ownHeaderNames(name: string): readonly [string, string] {
  return [OURS + name, ALIAS + name];
}
