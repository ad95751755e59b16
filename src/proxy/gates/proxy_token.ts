/** A token that callers from other machines must have. @module */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../../core/log.ts";
import type { ProxyEnv } from "../env.ts";
import { plainError } from "../errors.ts";
import { callerIn, nonLocalReason, type Trust } from "./caller.ts";
import { gate } from "./trusted.ts";
import { ownHeader, ownHeaderNames } from "../../upstream/header_policy.ts";

/** The field that is ours alone; `Authorization` may be the provider's. */
const OWN_FIELD = "proxy-token";

/** What the gate depends on. */
export interface TokenOptions {
  /** The token; `undefined` lets everybody pass. */
  readonly token: string | undefined;
  /** Gateways that are believed. */
  readonly trust: Trust;
}

/**
 * Makes the gate, to be asked before every route: 401 for a caller that is neither
 * local nor has the token, except where it asks for health.
 */
export function requireToken(
  { token, trust }: TokenOptions,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    if (token === undefined) return await next();
    const holdsToken = carries(c.req.raw.headers, token);
    c.set("holdsToken", holdsToken);
    const isLocal = nonLocalReason(callerIn(c, trust)) === undefined;
    if (holdsToken || isLocal || asksForHealth(c)) return await next();
    return unauthorized();
  };
}

/**
 * Makes the gate of a local route that callers with the token may use from
 * elsewhere; it belongs behind {@linkcode requireToken}. Anyone else gets the
 * answer of an unknown local route.
 */
export function requireLoopbackOrToken(
  log: Log,
  trust: Trust,
): MiddlewareHandler<ProxyEnv> {
  return gate(
    { log, trust, event: "loopback_gate_refused" },
    (caller, c) =>
      nonLocalReason(caller) === undefined || c.var.holdsToken === true,
  );
}

function carries(headers: Headers, token: string): boolean {
  const own = ownHeader(headers, OWN_FIELD);
  return own !== undefined && isSame(own, token) || isBearerOf(headers, token);
}

function isBearerOf(headers: Headers, token: string): boolean {
  const [, said] =
    /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ??
      [];
  return said !== undefined && isSame(said, token);
}

/** Takes the same time whatever is said: digests are compared, and all of them. */
function isSame(said: string, token: string): boolean {
  return timingSafeEqual(digestOf(said), digestOf(token));
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function unauthorized(): Response {
  const said = {
    type: "authentication_error",
    message: `Cannot let this request in: send the proxy's token as ${
      ownHeaderNames(OWN_FIELD)[0]
    }`,
  };
  return plainError(401, said, {
    "www-authenticate": 'Bearer realm="svc"',
    // Clients of the official SDKs would try again for a minute, without a word.
    "x-should-retry": "false",
  });
}

const HEALTH_PATHS: ReadonlySet<string> = new Set([
  "/health",
  "/healthz",
  "/livez",
  "/readyz",
]);

/** Whether the request in `c` asks for one of them. */
export function asksForHealth({ req }: Context<ProxyEnv>): boolean {
  return /^(?:GET|HEAD)$/.test(req.method) && HEALTH_PATHS.has(req.path);
}
