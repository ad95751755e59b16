/** What reports must say of requests, added up the plain way from the rows of the ledger. */
import type {
  LoggedRequest,
  Step,
  Sums,
} from "../../src/core/ledger_reader.ts";

/** What a request is counted under. */
export const NAMED = [
  "provider",
  "model",
  "project",
  "stack",
  "agent",
] as const;

/** Sums by name. */
export type Table = Readonly<Record<string, Sums>>;

/** Sums of requests, and by what they have in common. */
export interface Kept {
  readonly sums: Sums;
  readonly tables: Readonly<Record<typeof NAMED[number], Table>>;
}

/** Sums of rows. */
export function sumsOf(rows: readonly LoggedRequest[]): Sums {
  return rows.map(sumsOfOne).reduce(plus, sumsOfOne(undefined));
}

/** Adds up numbers of the same shape, however deep; what one of them has not is 0 there. */
export function plus<T>(a: T, b: T): T {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (typeof a === "number") return a + Number(b) as T;
  const [x, y] = [a, b] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(x!), ...Object.keys(y!)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, plus(x![key], y![key])]),
  ) as T;
}

function sumsOfOne(row: LoggedRequest | undefined): Sums {
  const { tokensRemoved: saved = 0, tokensSaved = 0 } = row ?? {};
  const isSent = row?.costBasis !== undefined;
  return {
    requests: Number(row !== undefined),
    failed: Number(row !== undefined && row.status >= 500),
    input: row?.tokensIn ?? 0,
    output: row?.output ?? 0,
    saved,
    added: saved - tokensSaved,
    cacheRead: row?.cacheRead ?? 0,
    cacheWrite: row?.cacheWrite ?? 0,
    nanoUsd: row?.nanoUsd ?? 0,
    savedGross: row?.savedGrossNanoUsd ?? 0,
    savedNet: row?.savedNetNanoUsd ?? 0,
    unpriced: Number(isSent && row.nanoUsd === undefined),
  };
}

/** Sums of rows, and by every name; what has none is `unknown`. */
export function keptOf(rows: readonly LoggedRequest[]): Kept {
  const tables = NAMED.map((key) =>
    [key, grouped(rows, (row) => row[key] || "unknown")] as const
  );
  return {
    sums: sumsOf(rows),
    tables: Object.fromEntries(tables) as Kept["tables"],
  };
}

/** What a run counts of its rows besides their sums. */
export function countsOf(rows: readonly LoggedRequest[]) {
  const count = (is: (row: LoggedRequest) => boolean) => rows.filter(is).length;
  const refusedBy = (by: string) => count((row) => row.refusedBy === by);
  const verdict = (name: string) =>
    count(({ prefix }) => prefix?.verdict === name);
  return {
    cached: count(({ cached }) => cached),
    rate_limited: refusedBy("rate_limit") +
      count((row) => row.status === 429 && row.refusedBy === undefined),
    refused_by_budget: refusedBy("budget"),
    refused_by_rate_limit: refusedBy("rate_limit"),
    aborted: count(({ status }) => status === 499),
    first: verdict("first"),
    extended: verdict("extended"),
    client: verdict("client"),
    decided: verdict("decided"),
    ours: verdict("ours"),
    measured: sumsOf(rows.filter((row) => row.costBasis === "measured"))
      .nanoUsd,
    furtherRequests: rows.reduce((sum, row) => sum + row.furtherRounds, 0),
    timed: count(({ ttfbMs }) => ttfbMs !== undefined),
  };
}

/** Steps in which anything happened, by their start. */
export function stepsOf(rows: readonly LoggedRequest[], step: Step): Table {
  const table = grouped(rows, ({ at }) => startOf(step, at));
  return Object.fromEntries(
    Object.entries(table).sort(([a], [b]) => a < b ? -1 : 1),
  );
}

/** Start of the step that holds a time, ISO 8601 in UTC; weeks begin on Monday. */
function startOf(step: Step, at: number): string {
  const time = new Date(at);
  if (step === "hourly") time.setUTCMinutes(0, 0, 0);
  else time.setUTCHours(0, 0, 0, 0);
  if (step === "weekly") {
    time.setUTCDate(time.getUTCDate() - (time.getUTCDay() + 6) % 7);
  }
  if (step === "monthly") time.setUTCDate(1);
  return time.toISOString();
}

/** Groups rows and adds each group up. */
export function grouped(
  rows: readonly LoggedRequest[],
  nameOf: (row: LoggedRequest) => string,
): Table {
  return Object.fromEntries(
    [...Map.groupBy(rows, nameOf)].map(([name, group]) => [
      name,
      sumsOf(group),
    ]),
  );
}
