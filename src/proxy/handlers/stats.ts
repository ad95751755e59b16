/** Reports as JSON: the stats of this run, and those that survive it. @module */
import type { Handler } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { ProxyEnv } from "../env.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/** What the route needs. */
export interface StatsParts<Report extends object> {
  /**
   * The whole report, in wire names.
   *
   * @param mayBeOld Whether the caller asked for `?cached=1`: one of a few seconds ago will do.
   */
  readonly report: (mayBeOld: boolean) => Report | Promise<Report>;
  /** The report without what strangers may not see. */
  readonly withhold: (report: Report) => object;
  /** Who sees it all beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/** Makes the handler of `GET /stats` or `GET /stats-lifetime`: open to all, some fields to trusted callers only. */
export function stats<Report extends object>(
  parts: StatsParts<Report>,
): Handler<ProxyEnv> {
  return async (c) => {
    const isPoll = /^(1|true)$/i.test(c.req.query("cached") ?? "");
    const report = await parts.report(isPoll);
    return Response.json(
      isTrustedCaller(c, parts.trust) ? report : parts.withhold(report),
      { headers: { "cache-control": "no-store" } },
    );
  };
}

/** Reports of which the last one is kept for those who poll. */
export interface Snapshots<Report> {
  /** A new report, or with `mayBeOld` the last one, if it is 5 seconds old at most. Rejects as making one does. */
  report(mayBeOld: boolean): Promise<Report>;
  /** Forgets the last one, e.g. because the counts were reset. */
  forget(): void;
}

/** Milliseconds for which a report is good enough for those who poll. */
const SNAPSHOT_MS = 5000;

/** Makes {@linkcode Snapshots}; those who ask while a report is being made share it. */
export function snapshots<Report>(
  make: () => Report | Promise<Report>,
  { monotonic }: Pick<Clock, "monotonic">,
): Snapshots<Report> {
  let last: { readonly at: number; readonly made: Promise<Report> } | undefined;
  return {
    async report(mayBeOld) {
      const at = monotonic();
      if (mayBeOld && last !== undefined && at - last.at <= SNAPSHOT_MS) {
        return await last.made;
      }
      const mine = { at, made: Promise.try(make) };
      last = mine;
      try {
        return await mine.made;
      } catch (error) {
        // The next one tries again.
        if (last === mine) last = undefined;
        throw error;
      }
    },
    forget() {
      last = undefined;
    },
  };
}
