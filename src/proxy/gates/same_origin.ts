/** Routes that change something refuse requests made by pages of other origins. @module */
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { detailResponse } from "../errors.ts";

/** What a browser says about a request of the page's own origin, or of the user's. */
const OWN_SITE: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Makes the gate: 403 unless `Origin` is absent or exactly this service's own scheme,
 * host and port. Another port of the same machine is another application.
 */
export function requireSameOrigin(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    if (isSameOrigin(c.req.raw)) return await next();
    return detailResponse(403, "cross-origin request rejected");
  };
}

/** Whether no field of `request` names another origin. */
function isSameOrigin(request: Request): boolean {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && !OWN_SITE.has(site)) return false;
  const origin = headers.get("origin");
  if (origin === null) return true;
  const own = `${new URL(request.url).protocol}//${headers.get("host")}`;
  return URL.canParse(own) && new URL(own).origin === origin.toLowerCase();
}
