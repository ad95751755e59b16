/** Starting the counts of this run anew. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";

/**
 * Makes the handler of `POST /stats/reset`: 200 `{"status":"reset"}`. What survives restarts is not touched.
 *
 * @param reset Sets the counts to zero, and forgets reports of them.
 */
export function resetStats(
  reset: () => void | Promise<void>,
): Handler<ProxyEnv> {
  return async () => {
    await reset();
    return Response.json({ status: "reset" }, {
      headers: { "cache-control": "no-store" },
    });
  };
}
