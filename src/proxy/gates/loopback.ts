/** Local routes answer callers on this machine only, and nobody else learns that they exist. @module */
import type { MiddlewareHandler } from "hono";
import type { Log } from "../../core/log.ts";
import type { ProxyEnv } from "../env.ts";
import { notFound } from "../errors.ts";
import { callerIn, NOBODY, strangeness, type Trust } from "./caller.ts";

/**
 * Makes the gate: the caller's address is loopback and its `Host` field names
 * loopback too. Anyone else gets the answer of an unknown local route.
 *
 * @param trust Gateways that are believed; nobody unless given.
 */
export function requireLoopback(
  log: Log,
  trust: Trust = NOBODY,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const reason = strangeness(callerIn(c, trust));
    if (reason === undefined) return await next();
    log("warn", "loopback_gate_refused", { path: c.req.path, reason });
    return notFound();
  };
}
