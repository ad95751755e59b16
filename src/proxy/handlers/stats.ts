/** Reports as JSON: the stats of this run, and those that survive it. @module */
import { noStore } from "../routes.ts";
import type { Context, Handler } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { ProxyEnv } from "../env.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";
import type {
  ConversationPlace,
  ConversationQuery,
} from "../../core/activity.ts";
import { Query } from "./query.ts";
import type { Dimension } from "../../core/ledger_reader.ts";

/** What not everybody may see. */
interface Withholding<Report> {
  /** The report without what strangers may not see. */
  readonly withhold: (report: Report) => object;
  /** Who sees it all beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/** What the route needs. */
export interface StatsParts<Report extends object> extends Withholding<Report> {
  /**
   * The whole report, in wire names.
   *
   * @param mayBeOld Whether the caller asked for `?cached=1`: one of a few seconds ago will do.
   */
  readonly report: (mayBeOld: boolean) => Report | Promise<Report>;
}

/** Makes the handler of `GET /stats` or `GET /stats-lifetime`: open to all, some fields to trusted callers only. */
export function stats<Report extends object>(
  parts: StatsParts<Report>,
): Handler<ProxyEnv> {
  return async (c) => {
    const isPoll = /^(1|true)$/i.test(c.req.query("cached") ?? "");
    const report = await parts.report(isPoll);
    return shown<Report>(c, report, parts);
  };
}

function shown<Report extends object>(
  c: Context<ProxyEnv>,
  report: Report,
  { withhold, trust }: Withholding<Report>,
): Response {
  return noStore(isTrustedCaller(c, trust) ? report : withhold(report));
}

/** Milliseconds for which a report is good enough for those who poll. */
const SNAPSHOT_MS = 5000;

/** Makes {@linkcode Snapshots}; those who ask while a report is being made share it. */
export function snapshots<Report>(
  make: () => Report | Promise<Report>,
  { monotonic }: Pick<Clock, "monotonic">,
) {
  let last: { readonly at: number; readonly made: Promise<Report> } | undefined;
  return {
    /** A new report, or with `mayBeOld` the last one, if it is 5 seconds old at most. Rejects as making one does. */
    async report(mayBeOld: boolean) {
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
    /** Forgets the last one, e.g. because the counts were reset. */
    forget() {
      last = undefined;
    },
  };
}

/** Conversations without `limit`. */
const LIMIT = 50;
/** Conversations at most, whatever `limit` says. */
const MAX_LIMIT = 100;
/** Behind every time of a request. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/**
 * Makes the handler of `GET /stats-conversations?from=<ms>&until=<ms>&limit=50&after=<next>`; its route belongs behind the
 * loopback and the same-origin gate. A value that cannot be used: 422, with all that are wrong in `detail`.
 */
export function statsConversations(
  report: (query: ConversationQuery) => object,
): Handler<ProxyEnv> {
  return (c) => {
    const asked = new Query(c);
    const whole = (name: string, pattern: RegExp, must: string) => {
      const text = asked.text(name, pattern, must);
      return text === undefined ? undefined : Number(text);
    };
    const time = "a time in milliseconds since 1970";
    const from = whole("from", WHOLE, time) ?? 0;
    const until = whole("until", WHOLE, time) ?? FOREVER;
    const limit = whole("limit", ABOVE_0, LIMITS) ?? LIMIT;
    const place = asked.text("after", PLACE, "`next` of an earlier answer");
    const after = place === undefined ? undefined : placeOf(place);
    const query = { from, until, limit: Math.min(limit, MAX_LIMIT), after };
    return asked.refusal ?? noStore(report(query));
  };
}

/** Whole numbers. */
const WHOLE = /^\d{1,16}$/;
/** The same from 1 on. */
const ABOVE_0 = /^(?=.*[1-9])\d{1,16}$/;
const PLACE = /^\d{1,16}\..{1,200}$/s;
const LIMITS =
  `an integer from 1 on; at most ${MAX_LIMIT} conversations are given`;

function placeOf(text: string): ConversationPlace {
  const dot = text.indexOf(".");
  return { lastAt: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
}

const FORMATS = ["json", "csv"] as const;
const SERIES = ["history", "hourly", "daily", "weekly", "monthly"] as const;
const MODES = ["compact", "full", "none"] as const;

/** What the route needs. */
interface StatsHistoryParts<Body extends object> extends Withholding<Body> {
  /** The JSON body, in wire names. */
  readonly json: (mode: typeof MODES[number]) => Body | Promise<Body>;
  /** One series as CSV; it names nothing that is withheld. */
  readonly csv: (series: typeof SERIES[number]) => string | Promise<string>;
}

/**
 * Makes the handler of `GET /stats-history`: `format` (json), `series` of a CSV (history) and `history_mode` of the JSON
 * (compact). Another value of one of them: 422, with all that are wrong in `detail`.
 */
export function statsHistory<Body extends object>(
  parts: StatsHistoryParts<Body>,
): Handler<ProxyEnv> {
  return async (c) => {
    const asked = new Query(c);
    const format = asked.choice("format", FORMATS);
    const series = asked.choice("series", SERIES) ?? SERIES[0];
    const mode = asked.choice("history_mode", MODES) ?? MODES[0];
    if (asked.refusal) return asked.refusal;
    if (format === "csv") return csvResponse(await parts.csv(series), series);
    const body = await parts.json(mode);
    return shown<Body>(c, body, parts);
  };
}

function csvResponse(text: string, series: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition":
        `attachment; filename="svc-stats-history-${series}.csv"`,
      "cache-control": "no-store",
    },
  });
}

/** What is asked. */
export interface RangeAsked {
  /** Milliseconds since the Unix epoch, ascending, at least two. */
  readonly edges: readonly number[];
  /** Which table is added; `undefined` for none. */
  readonly by: Dimension | undefined;
}

/** What the route needs. */
interface StatsRangeParts<Body extends object> extends Withholding<Body> {
  /** The body, in wire names. */
  readonly report: (asked: RangeAsked) => Body | Promise<Body>;
}

/** Intervals of one answer at most. */
const MAX_INTERVALS = 400;
/** Digits of a time: enough for the year 5138. */
const EDGES = /^\d{1,14}(?:,\d{1,14})+$/;

const INTERVALS = `2 to ${
  MAX_INTERVALS + 1
} ascending times in milliseconds since 1970, separated by commas`;
const DIMENSIONS: Readonly<Record<Dimension, true>> = {
  provider: true,
  model: true,
  project: true,
  stack: true,
  agent: true,
  kind: true,
  tool: true,
};
const TABLES = Object.keys(DIMENSIONS) as readonly Dimension[];

/**
 * Makes the handler of `GET /stats-range?edges=<ms>,<ms>,…&by=<dimension>`: open to all, names to trusted callers only.
 * Edges that do not ascend, or another word for `by`: 422.
 */
export function statsRange<Body extends object>(
  parts: StatsRangeParts<Body>,
): Handler<ProxyEnv> {
  return async (c) => {
    const asked = new Query(c);
    const edges = edgesOf(c.req.query("edges") ?? "");
    if (edges === undefined) asked.refuse("edges", INTERVALS);
    const by = asked.choice("by", TABLES);
    if (edges === undefined || asked.refusal) return asked.refusal!;
    return shown<Body>(c, await parts.report({ edges, by }), parts);
  };
}

function edgesOf(text: string): readonly number[] | undefined {
  if (!EDGES.test(text)) return undefined;
  const edges = text.split(",").map(Number);
  const ascends = edges.every((edge, i) => i === 0 || edge > edges[i - 1]!);
  return ascends && edges.length <= MAX_INTERVALS + 1 ? edges : undefined;
}

/**
 * Makes the handler of `POST /stats/reset`: 200 `{"status":"reset"}`. What survives restarts is not touched.
 *
 * @param reset Sets the counts to zero, and forgets reports of them.
 */
export function resetStats(
  reset: () => void | Promise<void>,
): Handler<ProxyEnv> {
  return async () => {
    await reset();
    return noStore({ status: "reset" });
  };
}
