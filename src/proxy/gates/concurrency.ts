/** A limit on requests under way. @module */
import { asksForHealth } from "./proxy_token.ts";
import type { MiddlewareHandler } from "hono";
import type { InFlight } from "../../core/limits.ts";
import { bindingsOf, type ProxyEnv } from "../env.ts";
import { plainError } from "../errors.ts";

/** Seconds after which a refused caller should ask again. */
const RETRY_AFTER_S = 1;

/**
 * Makes the gate, to be asked before every route: 503 when all places are taken.
 * Questions about health need no place.
 *
 * A place is given back when the response was sent whole or broke off.
 */
export function limitConcurrency(
  places: InFlight,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    if (asksForHealth(c)) return await next();
    const leave = await places.enter();
    if (leave === undefined) return overloaded();
    const { completed } = bindingsOf(c);
    if (completed !== undefined) {
      void completed.then(leave);
      return await next();
    }
    try {
      await next();
      c.res = leavingAtEnd(c.res, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/**
 * Counts requests in this process.
 *
 * @param limit Places, at least 1.
 */
export function makeInFlight(limit: number): InFlight {
  let taken = 0;
  return {
    enter() {
      if (taken >= limit) return Promise.resolve(undefined);
      taken++;
      let isIn = true;
      return Promise.resolve(() => {
        if (isIn) taken--;
        isIn = false;
      });
    },
  };
}

/** Without a server, the end of the body is all that can be seen. */
function leavingAtEnd(response: Response, leave: () => void): Response {
  const { body } = response;
  if (body === null) {
    leave();
    return response;
  }
  const reader = body.getReader();
  const out = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      leave();
    },
    async cancel(reason) {
      leave();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(out, response);
}

function overloaded(): Response {
  return plainError(503, {
    type: "overloaded_error",
    message:
      "Cannot take more requests at once: try again, or raise SVC_LIMIT_CONCURRENCY",
  }, { "retry-after": `${RETRY_AFTER_S}` });
}
