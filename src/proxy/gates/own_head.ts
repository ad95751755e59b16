/** `HEAD` on own routes. @module */
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../env.ts";

/**
 * Makes the gate of an own `GET` route: its answer to `HEAD` says the length that
 * the answer to `GET` has; the runtime would say 0. For answers with a finished body.
 */
export function keepHeadLength(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    await next();
    if (c.req.raw.method !== "HEAD" || c.res.body === null) return;
    const { status, headers, body } = c.res;
    const { length } = await new Response(body).bytes();
    const answer = new Response(null, { status, headers });
    answer.headers.set("content-length", `${length}`);
    c.res = answer;
  };
}
