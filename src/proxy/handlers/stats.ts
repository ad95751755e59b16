/** The stats report. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/** What the route needs. */
export interface StatsParts<Report extends object> {
  /** The whole report, in wire names. */
  readonly report: () => Report | Promise<Report>;
  /** The report without what strangers may not see. */
  readonly withhold: (report: Report) => object;
  /** Who sees it all beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/** Makes the handler of `GET /stats`: open to all, some fields to trusted callers only. */
export function stats<Report extends object>(
  parts: StatsParts<Report>,
): Handler<ProxyEnv> {
  return async (c) => {
    const report = await parts.report();
    return Response.json(
      isTrustedCaller(c, parts.trust) ? report : parts.withhold(report),
      {
        headers: { "cache-control": "no-store" },
      },
    );
  };
}
