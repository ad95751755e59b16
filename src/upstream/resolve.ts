/** Which configured upstream a request goes to. @module */
import type { Upstream } from "../core/upstream.ts";

/** The two groups of routes that have an upstream of their own. */
export type Family = "messages" | "chat";

/** Configured base URLs, each an origin with an optional path prefix. */
export interface UpstreamBases {
  /** Where messages-style requests go. */
  readonly messagesBase: URL;
  /** Where chat-completions-style and responses-style requests go. */
  readonly chatBase: URL;
}

/** Picks destinations. */
export interface UpstreamResolver {
  /** The upstream of a route that belongs to one family. */
  forFamily(family: Family): Upstream;
  /** The upstream of a route that both families share or that is unknown: the request's credentials decide. */
  forRequest(request: Request): Upstream;
}

/** Bearer tokens of the messages family start with this. */
const MESSAGES_TOKEN = /^bearer\s+sk-ant-/i;

/**
 * Makes the resolver of the configured upstreams.
 *
 * @param bases Absolute `http` or `https` URLs; query and fragment are ignored.
 * @throws {TypeError} If a base has another scheme.
 */
export function makeResolver(bases: UpstreamBases): UpstreamResolver {
  const messages = upstream(bases.messagesBase);
  const chat = upstream(bases.chatBase);
  return {
    forFamily: (family) => family === "messages" ? messages : chat,
    forRequest: ({ headers }) => speaksMessages(headers) ? messages : chat,
  };
}

function upstream(base: URL): Upstream {
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    throw new TypeError(
      `Cannot use ${base.protocol}//${base.host} as an upstream: use an http or https URL`,
    );
  }
  return { base, label: base.hostname };
}

function speaksMessages(headers: Headers): boolean {
  return headers.has("anthropic-version") || headers.has("x-api-key") ||
    MESSAGES_TOKEN.test(headers.get("authorization") ?? "");
}
