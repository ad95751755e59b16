/** The dashboard: one page that asks this proxy for its figures. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  // Another version of the proxy brings another page.
  "cache-control": "no-store",
};

/**
 * Makes the handler of `GET /dashboard` and `GET /dashboard/settings`, the same page: by its address it knows where to
 * open. It holds no figure, so it may be shown to anybody; the routes that it asks decide what they tell.
 */
export function dashboard(): Handler<ProxyEnv> {
  return async () => {
    // Not imported statically: who never opens it should not pay for the page, at the start and in memory.
    const { DASHBOARD_PAGE, DASHBOARD_POLICY } = await import(
      "../dashboard_page.ts"
    );
    const headers = {
      ...HEADERS,
      // Its script and styles are allowed by digest; nothing else runs, and nobody frames it.
      "content-security-policy": DASHBOARD_POLICY,
    };
    return new Response(DASHBOARD_PAGE, { headers });
  };
}
