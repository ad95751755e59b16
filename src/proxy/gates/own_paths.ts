/** Paths that are ours in every spelling: what is meant for them never goes to a provider. @module */
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { splitProject } from "../attribution.ts";
import { notFound } from "../errors.ts";
import { memoizeLast } from "../memoize_last.ts";

/** First segments of the proxy's own routes; those of diagnostics are in no version yet. */
const SEGMENTS = [
  "admin",
  "cache",
  "dashboard",
  "debug",
  "favicon\\.ico",
  "healthz?",
  "livez",
  "mcp",
  "metrics",
  "readyz",
  "settings",
  "stats(?:-(?:conversations|history|lifetime|range))?",
  "transformations",
  "v1\\/+(?:compress|feedback|retrieve|telemetry|toin)",
  "\\.well-known",
].join("|");

/** The own routes and everything below them. */
const OWN = new RegExp(`^\\/+(?:${SEGMENTS})(?:\\/|$)`, "i");

/** Makes the gate of the route that forwards everything else: an own path with a mistake in it gets 404. */
export function refuseOwnPaths(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) =>
    isOwnPath(c.req.raw.url) ? notFound() : await next();
}

/** Whether the path of `url` belongs to an own route, however it is written. */
export const isOwnPath: (url: string) => boolean = memoizeLast((url) => {
  const pathname = splitProject(new URL(url).pathname).path;
  try {
    return OWN.test(decodeURIComponent(pathname));
  } catch (error) {
    if (error instanceof URIError) {
      return OWN.test(withoutAsciiEscapes(pathname));
    }
    throw error;
  }
});

/** What can be decoded of a path that is no UTF-8 as a whole. */
function withoutAsciiEscapes(pathname: string): string {
  return pathname.replace(
    /%([0-7][\da-f])/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
}
