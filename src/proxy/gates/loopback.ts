/** Local routes answer callers on this machine only, and nobody else learns that they exist. @module */
import type { Context, MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import type { Log } from "../../core/log.ts";
import type { ProxyEnv } from "../env.ts";
import { notFound } from "../errors.ts";

/**
 * Makes the gate: the peer is a loopback address and the `Host` field names loopback
 * too, so that a foreign page cannot get in through a DNS name that it rebinds.
 * Anyone else gets the answer of an unknown local route.
 */
export function requireLoopback(log: Log): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const reason = refusal(c);
    if (reason === undefined) return await next();
    log("warn", "loopback_gate_refused", { path: c.req.path, reason });
    return notFound();
  };
}

/** Whether the caller would pass {@linkcode requireLoopback}. For fields that only such callers see. */
export function isLocalCaller(c: Context<ProxyEnv>): boolean {
  return refusal(c) === undefined;
}

/** Why a caller is not local; `undefined` when it is. The URL's host is no evidence: the runtime invents one. */
function refusal(c: Context<ProxyEnv>): string | undefined {
  // Without a server in front, e.g. in a test, there is no environment at all.
  const env: Partial<ProxyEnv["Bindings"]> | undefined = c.env;
  if (!isLoopbackAddress(env?.peer?.address)) return "client_not_loopback";
  return namesLoopback(c.req.raw.headers.get("host"))
    ? undefined
    : "host_header_not_loopback";
}

/**
 * Whether `address` is a loopback IP literal: `127.0.0.0/8`, `::1`, or the former
 * mapped into IPv6. `undefined` is not.
 */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  // Only the full form: resolvers disagree about "127.1" and "0177.0.0.1".
  const literal = ipaddr.IPv4.isValidFourPartDecimal(address) ||
    ipaddr.IPv6.isValid(address);
  return literal && ipaddr.process(address).range() === "loopback";
}

/** `[IPv6]` or a name without colons, then an optional port. */
const HOST = /^(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::\d{1,5})?$/;

/** Whether a `Host` field names loopback; an absent, empty or malformed one does not. */
export function namesLoopback(host: string | null): boolean {
  const [, v6, name] = HOST.exec(host ?? "") ?? [];
  if (v6 !== undefined) return v6.includes(":") && isLoopbackAddress(v6);
  if (name === undefined) return false;
  return name.toLowerCase() === "localhost" || isLoopbackAddress(name);
}
