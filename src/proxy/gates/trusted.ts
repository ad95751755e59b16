/** What only this machine and the networks that the operator names may see. @module */
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../../core/log.ts";
import type { ProxyEnv } from "../env.ts";
import { detailResponse, notFound } from "../errors.ts";
import {
  type Caller,
  callerIn,
  isTrusted,
  NOBODY,
  nonLocalReason,
  type Trust,
} from "./caller.ts";

/**
 * Makes the gate: the caller is local, or its address lies in a trusted network
 * and its `Host` field is an IP literal. Anyone else gets the answer of an unknown
 * local route.
 */
export function requireTrusted(
  log: Log,
  trust: Trust,
): MiddlewareHandler<ProxyEnv> {
  return gate(
    { log, trust, event: "trusted_gate_refused" },
    (caller) => isTrusted(caller, trust),
  );
}

/** Whether the caller would pass {@linkcode requireTrusted}. For fields that only such callers see. */
export function isTrustedCaller(
  c: Context<ProxyEnv>,
  trust: Trust = NOBODY,
): boolean {
  return isTrusted(callerIn(c, trust), trust);
}

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
  return gate(
    { log, trust, event: "loopback_gate_refused" },
    (caller) => nonLocalReason(caller) === undefined,
  );
}

/** Makes a gate that answers those whom it does not admit as an unknown local route does, and logs them as `event`. */
export function gate(
  { log, trust, event }: {
    readonly log: Log;
    readonly trust: Trust;
    readonly event: string;
  },
  admits: (caller: Caller, c: Context<ProxyEnv>) => boolean,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const caller = callerIn(c, trust);
    if (admits(caller, c)) return await next();
    const reason = nonLocalReason(caller) ?? "not_trusted";
    log("warn", event, { path: c.req.path, reason });
    return notFound();
  };
}

/** Who may ask: programs on this machine, or trusted callers; pages of the proxy's own origin only. */
export interface Gates {
  /** Whoever is no page of another origin. */
  readonly origin: MiddlewareHandler<ProxyEnv>;
  /** Trusted callers. */
  readonly trustedCaller: MiddlewareHandler<ProxyEnv>;
  /** Programs on this machine. */
  readonly local: readonly MiddlewareHandler<ProxyEnv>[];
  /** Trusted callers that are no such pages. */
  readonly trusted: readonly MiddlewareHandler<ProxyEnv>[];
}

/** Makes the gates of the own routes. */
export function gatesOf(log: Log, trust: Trust): Gates {
  const origin = requireSameOrigin(trust);
  const trustedCaller = requireTrusted(log, trust);
  return {
    origin,
    trustedCaller,
    local: [requireLoopback(log, trust), origin],
    trusted: [trustedCaller, origin],
  };
}

/** What a browser says about a request of the page's own origin, or of the user's. */
const OWN_SITE: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Makes the gate: 403 unless `Origin` is absent or exactly this service's own scheme,
 * host and port. Another port of the same machine is another application.
 *
 * @param trust Gateways that are believed about scheme and host; nobody unless given.
 */
export function requireSameOrigin(
  trust: Trust = NOBODY,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const { origin } = callerIn(c, trust);
    if (isSameOrigin(c.req.raw.headers, origin)) return await next();
    return detailResponse(403, "cross-origin request rejected");
  };
}

/** Whether a request's `Sec-Fetch-Site` field is absent, or says that the user or a page of this service made it. */
export function isOwnSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null || OWN_SITE.has(site);
}

/** Whether no field of a request names another origin than `own`. */
function isSameOrigin(headers: Headers, own: string | undefined): boolean {
  if (!isOwnSite(headers)) return false;
  const origin = headers.get("origin");
  return origin === null || origin.toLowerCase() === own;
}
