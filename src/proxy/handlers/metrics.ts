/** Metrics for a scraper. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { NOBODY, type Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/**
 * Makes the handler of `GET /metrics`: open to all, series by names (of providers, models, projects) to trusted callers
 * only.
 *
 * @param text The metrics in the text exposition format, version 0.0.4; with or without those series.
 * @param trust Who sees them beside this machine; nobody unless given.
 */
export function metrics(
  text: (isTrusted: boolean) => string | Promise<string>,
  trust: Trust = NOBODY,
): Handler<ProxyEnv> {
  return async (c) =>
    new Response(await text(isTrustedCaller(c, trust)), {
      headers: {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
        "cache-control": "no-store",
      },
    });
}
