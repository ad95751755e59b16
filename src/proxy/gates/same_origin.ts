/** Routes that change something refuse requests made by pages of other origins. @module */
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { detailResponse } from "../errors.ts";
import { callerIn, NOBODY, type Trust } from "./caller.ts";

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
