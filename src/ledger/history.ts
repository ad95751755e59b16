/** The history of the ledger: points, rollups, and both as CSV. @module */
import { nextTurn } from "../core/next_turn.ts";
import type {
  LedgerReader,
  LoggedRequest,
  Step,
  Sums,
} from "../core/ledger_reader.ts";
import { namedReports } from "./named_sums.ts";
import type { SessionReader } from "./reader.ts";
import { sessionReport } from "./savings_document.ts";
import {
  cumulative,
  cumulativeIn,
  type HistoryMode,
  type HistoryPoint,
  type HistorySeries,
  rollup,
} from "./rollup.ts";
import type { Shown } from "./withhold.ts";

/** All there are. */
const SERIES: readonly HistorySeries[] = [
  "history",
  "hourly",
  "daily",
  "weekly",
  "monthly",
];

/** Requests that a full history looks back over. */
const MAX_POINTS = 5000;
/** Points of a compact history. */
const MAX_COMPACT = 500;
/** The newest of them, one per request: a third. */
const NEWEST = Math.ceil(MAX_COMPACT / 3);
/** Requests that are read for them: not each has saved something. */
const NEWEST_REQUESTS = 500;
/** Requests that are read in one turn of the event loop. */
const PAGE = 100;
/** Days after which hours are gone; requests go after 30. */
const MAX_AGE_DAYS = 90;
const MAX_PROJECTS = 50;
/** Minutes without a request after which another session begins. */
const ROLLOVER_MINUTES = 60;

/** What the body is made of. */
interface HistoryParts {
  /** The ledger. */
  readonly reader: SessionReader;
  /** The ledger's file; `undefined` when nothing is kept. */
  readonly path: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The whole body. */
export type HistoryBody = Shown<Awaited<ReturnType<typeof historyBody>>>;

/** Puts the body together, in several turns of the event loop. @throws What the database throws. */
export async function historyBody(
  { reader, path, now }: HistoryParts,
  mode: HistoryMode,
) {
  const { points, stored } = await historyPoints(reader, mode);
  await nextTurn();
  const { lifetime, series } = readConsistently(
    reader,
    (lifetime) => ({ lifetime, series: seriesOf(reader, lifetime) }),
  );
  await nextTurn();
  const projects = reader.breakdown("project").slice(0, MAX_PROJECTS);
  const total = cumulative(lifetime);
  return {
    /** Of this shape. */
    schema_version: 3 as const,
    /** ISO 8601. */
    generated_at: new Date(now).toISOString(),
    /** The ledger's file; `null` when nothing is kept, missing for callers that are not trusted. */
    storage_path: path ?? null,
    /** Totals. */
    lifetime: {
      requests: lifetime.requests,
      tokens_saved: total.total_tokens_saved,
      ...total,
    },
    /** The present burst of activity. */
    display_session: sessionReport(reader.session()),
    /** When it ends. */
    display_session_policy: { rollover_inactivity_minutes: ROLLOVER_MINUTES },
    /** Oldest first. */
    history: points,
    /** Rollups, oldest first; steps in which nothing happened are missing. */
    series,
    /** What can be had. */
    exports: {
      default_format: "json" as const,
      available_formats: ["json", "csv"],
      available_series: SERIES,
    },
    /** Bounds. */
    retention: {
      max_history_points: MAX_POINTS,
      max_history_age_days: MAX_AGE_DAYS,
      max_response_history_points: MAX_COMPACT,
    },
    /** The 50 projects that saved most; missing for callers that are not trusted. */
    projects: namedReports(projects),
    /** What `history` holds. */
    history_summary: {
      mode,
      /** Points that there are, as far as they were looked at. */
      stored_points: stored,
      /** Those in `history`. */
      returned_points: points.length,
      /** Whether older points stand for more than one. */
      compacted: points.length < stored,
    },
  };
}

function seriesOf(reader: LedgerReader, lifetime: Sums) {
  const rows = (step: Step) => rollup(reader.buckets(step), lifetime);
  return {
    hourly: rows("hourly"),
    daily: rows("daily"),
    weekly: rows("weekly"),
    monthly: rows("monthly"),
  };
}

/** Points, oldest first. */
interface HistoryPoints {
  /** What is shown. */
  readonly points: readonly HistoryPoint[];
  /** How many there were to choose from. */
  readonly stored: number;
}

/**
 * Points of the history: `full` one for each of the last 5,000 requests that saved something; `compact` at most 500, the
 * newest third as in `full`, before them ends of hours, evenly chosen. @throws What the database throws.
 */
export async function historyPoints(
  reader: LedgerReader,
  mode: HistoryMode,
): Promise<HistoryPoints> {
  if (mode === "none") return { points: [], stored: 0 };
  if (mode === "full") {
    const requests = await newestRequests(reader, MAX_POINTS);
    const after = requests.at(-1)?.seq ?? 0;
    const points = readConsistently(reader, (lifetime) => {
      const late = reader.requests({ limit: MAX_POINTS, after });
      return pointsBefore([...requests, ...late], lifetime);
    });
    return { points, stored: points.length };
  }
  return await compactPoints(reader);
}

/** Points of the newest `limit` requests, those that saved something, oldest first. */
export function newestPoints(
  reader: LedgerReader,
  limit: number,
): readonly HistoryPoint[] {
  return readConsistently(
    reader,
    (lifetime) =>
      pointsBefore(reader.requests({ limit }).toReversed(), lifetime),
  );
}

async function compactPoints(reader: LedgerReader): Promise<HistoryPoints> {
  const newest = newestPoints(reader, NEWEST_REQUESTS).slice(-NEWEST);
  await nextTurn();
  const [first] = newest;
  const begin = first === undefined ? Infinity : Date.parse(first.timestamp);
  const { buckets, rows } = readConsistently(reader, (lifetime) => {
    const buckets = reader.buckets("hourly");
    return { buckets, rows: rollup(buckets, lifetime) };
  });
  const hours = rows.flatMap((row, i): HistoryPoint[] => {
    const bucket = buckets[i];
    const end = Date.parse(row.timestamp) + HOUR_MS;
    if (bucket === undefined || bucket.saved === 0 || end > begin) return [];
    return [{ timestamp: new Date(end).toISOString(), ...cumulativeIn(row) }];
  });
  const points = [...evenly(hours, MAX_COMPACT - newest.length), ...newest];
  return { points, stored: hours.length + newest.length };
}

const HOUR_MS = 3_600_000;
/** Readings of figures that belong together. */
const READINGS = 3;

/** What `read` gives for sums that held before and after it: other threads write meanwhile. The last reading counts in any case. */
export function readConsistently<T>(
  reader: LedgerReader,
  read: (lifetime: Sums) => T,
): T {
  let lifetime = reader.lifetime();
  for (let i = 1;; i++) {
    const result = read(lifetime);
    const now = reader.lifetime();
    if (i >= READINGS || now.requests === lifetime.requests) return result;
    lifetime = now;
  }
}

/** At most `limit` of `items`, evenly chosen, the last one among them. */
function evenly<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  return Array.from(
    { length: limit },
    (_, i) => items[Math.ceil((i + 1) * items.length / limit) - 1]!,
  );
}

/** The newest requests, oldest first, a page per turn. */
async function newestRequests(
  reader: LedgerReader,
  limit: number,
): Promise<readonly LoggedRequest[]> {
  const [last] = reader.requests({ limit: 1 });
  const requests: LoggedRequest[] = [];
  let after = Math.max(0, (last?.seq ?? 0) - limit);
  while (true) {
    const page = reader.requests({ limit: PAGE, after });
    requests.push(...page);
    if (page.length < PAGE) return requests;
    after = page.at(-1)!.seq;
    await nextTurn();
  }
}

/** @param requests All of the newest ones, oldest first. @param lifetime Sums up to the last one. */
function pointsBefore(
  requests: readonly LoggedRequest[],
  lifetime: Sums,
): readonly HistoryPoint[] {
  const points: HistoryPoint[] = [];
  const totals = { ...lifetime };
  for (const request of requests.toReversed()) {
    if (request.tokensSaved > 0) {
      points.push({
        timestamp: new Date(request.at).toISOString(),
        provider: request.provider,
        model: request.model,
        ...cumulative(totals),
      });
    }
    totals.saved -= request.tokensSaved;
    totals.savedNet -= request.savedNetNanoUsd ?? 0;
    totals.input -= request.tokensIn;
    totals.nanoUsd -= request.nanoUsd ?? 0;
  }
  return points.reverse();
}
