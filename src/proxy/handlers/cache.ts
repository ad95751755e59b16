/** Emptying the response cache. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import type { ResponseCache } from "../response_cache.ts";

/**
 * Makes the handler of `POST /cache/clear`.
 *
 * @param cache `undefined` when there is none: that is an answer too, not an error.
 */
export function clearCache(
  cache: Pick<ResponseCache, "clear"> | undefined,
): Handler<ProxyEnv> {
  return () => {
    cache?.clear();
    const status = cache === undefined ? "cache disabled" : "cleared";
    return Response.json({ status }, {
      headers: { "cache-control": "no-store" },
    });
  };
}
