/** What browsers and clients ask a host for before anything else: its first page and its icon. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";

/**
 * Makes the handler of `/`, also behind `/p/<name>`: `GET` is redirected to the dashboard, `HEAD` answered with 200, as
 * clients ask for nothing but a connection. The redirect is relative, so that it holds behind any host, port and prefix.
 */
export function root(): Handler<ProxyEnv> {
  return (c) => {
    const { method, url } = c.req.raw;
    const headers = { "cache-control": "no-store" };
    if (method === "HEAD") return new Response(null, { headers });
    return new Response(null, {
      status: 302,
      headers: { ...headers, location: `${lastSegment(url)}dashboard` },
    });
  };
}

/** What a relative address must repeat: the last segment of a path that does not end in a slash. */
function lastSegment(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1);
  return last ? `./${last}/` : "";
}

/** As in the dashboard's page. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b7a63"/><path d="M3 5h10M3 8h6M3 11h3" stroke="white" stroke-width="1.6"/></svg>';

/** Seconds that a browser may keep the icon: another version may bring another one. */
const ICON_S = 3600;

/** Makes the handler of `/favicon.ico`. */
export function icon(): Handler<ProxyEnv> {
  const headers = {
    "content-type": "image/svg+xml",
    "cache-control": `public, max-age=${ICON_S}`,
    "x-content-type-options": "nosniff",
  };
  return () => new Response(ICON, { headers });
}
