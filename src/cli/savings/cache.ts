/** What requests found in their provider's prompt cache, as text, JSON and CSV. @module */
import {
  CACHE_CAUSES,
  type CacheCause,
  cacheOutcome,
} from "../../core/cache_outcome.ts";
import type { LedgerReader } from "../../core/ledger_reader.ts";
import { type Cells, figure, type Report, tableOf } from "../table.ts";
import { countText, shareText } from "../words.ts";

/** No requests; of the tokens, those that earlier requests had left in the cache, and of them those that were read or not. */
const NOTHING = {
  ...{ requests: 0, expected_tokens: 0, read_tokens: 0, missed_tokens: 0 },
};

/** Requests with one cause. */
type CacheRow = Readonly<typeof NOTHING>;

/** Rows by cause; those without a request are missing. */
export type CacheReport = ReadonlyMap<CacheCause, CacheRow>;

/** What each cause means, for people. */
const WORDS: Readonly<Record<CacheCause, string>> = {
  hit: "hit",
  first: "first request",
  below_minimum: "prompt too short",
  not_cached: "nothing cached before",
  cold: "idle for too long",
  client: "changed by the client",
  declared: "changed by svc, on purpose",
  svc: "changed by svc, a bug",
  not_reported: "not reported",
  unknown: "unknown",
};

/** Turns that are read at once. */
const SLICE = 5000;

/** Sums up all turns that are kept, or those since a time: milliseconds since the Unix epoch. */
export function cacheReport(
  reader: Pick<LedgerReader, "cacheTurns">,
  since?: number,
): CacheReport {
  const sums = new Map<CacheCause, CacheRow>();
  for (let after = 0;;) {
    const turns = reader.cacheTurns({ after, since, limit: SLICE });
    for (const turn of turns) {
      const { cause, expected, read } = cacheOutcome(turn);
      const row = {
        ...{ requests: 1, expected_tokens: expected, read_tokens: read },
        missed_tokens: Math.max(0, expected - read),
      };
      sums.set(cause, added(sums.get(cause), row));
    }
    if (turns.length < SLICE) break;
    after = turns.at(-1)!.seq;
  }
  const causes = CACHE_CAUSES.filter((cause) => sums.has(cause));
  return new Map(causes.map((cause) => [cause, sums.get(cause)!]));
}

function added(a: CacheRow = NOTHING, b: CacheRow): CacheRow {
  return {
    requests: a.requests + b.requests,
    expected_tokens: a.expected_tokens + b.expected_tokens,
    read_tokens: a.read_tokens + b.read_tokens,
    missed_tokens: a.missed_tokens + b.missed_tokens,
  };
}

/** The table; its last row is `total`. @param since Milliseconds since the Unix epoch; `undefined` for all time. */
export function cacheTable(
  report: CacheReport,
  path: string,
  since: number | undefined,
): Report {
  const total = [...report.values()].reduce(added, NOTHING);
  const rows = [...report].map(([name, row]) => ({ name, ...row }));
  const last = { name: "total", ...total };
  const start = since === undefined ? null : new Date(since).toISOString();
  const named = [...report].map(([cause, row]): NamedRow => [
    WORDS[cause],
    row,
  ]);
  return {
    text: (width) => tableOf(COLUMNS, [...named, ["total", total]], width),
    json: { path, since: start, rows, total: last },
    rows: [...rows, last],
  };
}

type NamedRow = readonly [name: string, row: CacheRow];

const COLUMNS: readonly Cells<NamedRow>[] = [
  { heading: "PROMPT CACHE", cell: ([name]) => name },
  figure("REQUESTS", ([, { requests }]) => countText(requests)),
  figure("EXPECTED", ([, row]) => countText(row.expected_tokens), 2),
  figure("READ", ([, row]) => countText(row.read_tokens), 1),
  figure("MISSED", ([, row]) => countText(row.missed_tokens)),
  figure(
    "OF EXPECTED",
    ([, { missed_tokens: missed, expected_tokens: expected }]) =>
      expected === 0 ? "-" : shareText(missed, expected),
    3,
  ),
];
