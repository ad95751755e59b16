/** Which header fields cross the proxy, in both directions. @module */

/** Fields that describe one connection and end with it (RFC 9110 section 7.6.1), and their older relatives. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
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

/** Prefix of the fields that are meant for this proxy only. */
const INTERNAL = "x-svc-";

/** What the request policy depends on. */
export interface RequestHeaderOptions {
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** `drop` when the body that leaves is decoded, `keep` when it leaves as it came. */
  readonly contentEncoding: "keep" | "drop";
}

/**
 * End-to-end fields of a client's request, as they go upstream.
 *
 * `accept-encoding` is always `identity`: `fetch` decodes compressed answers to any
 * other value and keeps their `content-encoding`, which corrupts them.
 *
 * @param from The client's fields. Not modified.
 * @param options See {@linkcode RequestHeaderOptions}.
 * @returns New fields without hop-by-hop ones, `host` and `content-length`.
 */
export function requestHeaders(
  from: Headers,
  options: RequestHeaderOptions,
): Headers {
  const dropped = connectionNamed(from);
  const to = new Headers();
  for (const [name, value] of from) {
    if (HOP_BY_HOP.has(name) || REWRITTEN.has(name)) continue;
    if (dropped.has(name)) continue;
    if (options.stripInternal && name.startsWith(INTERNAL)) continue;
    if (options.contentEncoding === "drop" && name === "content-encoding") {
      continue;
    }
    to.append(name, value);
  }
  to.set("accept-encoding", "identity");
  return to;
}

/**
 * End-to-end fields of an upstream's response, as they go to the client.
 *
 * `content-length` and `content-encoding` stay: with `accept-encoding: identity`
 * the bytes of the body are those that the upstream wrote.
 *
 * @param from The upstream's fields. Not modified.
 * @returns New fields, one of each name except `set-cookie`.
 */
export function responseHeaders(from: Headers): Headers {
  const dropped = connectionNamed(from);
  const to = new Headers();
  for (const [name, value] of from) {
    if (HOP_BY_HOP.has(name) || dropped.has(name)) continue;
    // Iteration gives every set-cookie on its own; append keeps them apart.
    to.append(name, value);
  }
  return to;
}

/** Names that the `connection` field declares as hop-by-hop. */
function connectionNamed(headers: Headers): ReadonlySet<string> {
  const names = (headers.get("connection") ?? "").toLowerCase().split(",");
  return new Set(names.map((name) => name.trim()));
}
