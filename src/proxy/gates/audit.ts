/** Who changed the service, and what: a record of each request to a route that can. @module */
import { decoded } from "../attribution.ts";
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../../core/log.ts";
import { bindingsOf, type ProxyEnv } from "../env.ts";
import { normalAddress } from "./addresses.ts";

/** Characters of a path, and of the names of settings. */
const MAX_CHARS = 300;

/**
 * Makes the gate. It stands before all other gates, and passes requests to other routes by.
 *
 * One record `svc_admin_audit` follows each request below `/admin/`, to `/cache/clear` and `/stats/reset`, and each
 * `POST` to `/settings` and `/settings/apply`, also one that was refused: action, method, path without query, source
 * address, status, and the names of the settings that the handler left in the variable `auditDetails`.
 */
export function audit(log: Log): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const path = plainPath(c.req.path);
    const action = actionOf(c.req.method, path);
    if (action === undefined) return await next();
    await next();
    const details = c.get("auditDetails");
    log("info", "svc_admin_audit", {
      action,
      method: c.req.method.slice(0, MAX_METHOD_CHARS),
      path: path.slice(0, MAX_CHARS),
      source_ip: addressOf(c),
      status_code: c.res.status,
      ...details && { changed_keys: names(details.changed_keys) },
      ...details?.refused_keys &&
        { refused_keys: names(details.refused_keys) },
    });
  };
}

/** Methods can be any word. */
const MAX_METHOD_CHARS = 20;

/** Names of what requests do, by method and path. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["GET /admin/upstream", "upstream_read"],
  ["POST /admin/runtime-env", "runtime_env_update"],
  ["POST /cache/clear", "cache_clear"],
  ["POST /stats/reset", "stats_reset"],
  ["POST /settings", "settings_write"],
  ["POST /settings/apply", "settings_apply"],
]);

/** `admin_request` for an attempt that no route answers; `undefined` for a request that is not recorded. */
function actionOf(method: string, path: string): string | undefined {
  const isAdmin = /^\/(?:admin|cache\/clear|stats\/reset)(?:\/|$)/.test(path);
  return ACTIONS.get(`${method} ${path}`) ??
    (isAdmin ? "admin_request" : undefined);
}

/** One spelling for all that mean the same: an attempt with another one is an attempt. */
function plainPath(path: string): string {
  return decoded(path).toLowerCase().replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "");
}

function addressOf(c: Context<ProxyEnv>): string {
  return normalAddress(bindingsOf(c).peer?.address) ?? "unknown";
}

function names(keys: readonly string[]): string {
  return keys.join(",").slice(0, MAX_CHARS);
}
