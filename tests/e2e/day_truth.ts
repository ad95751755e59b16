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

/** What one run counts besides. */
export interface Run extends Kept {
  readonly outcomes: Readonly<Record<string, number>>;
  /** How prompts went on from those before them. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Nano-dollars by where they come from. */
  readonly nanoUsd: { readonly measured: number; readonly estimated: number };
  /** Requests sent to go on after a retrieval. */
  readonly furtherRequests: number;
  /** Requests whose answer began upstream. */
  readonly timed: number;
}

/** Sums of nothing. */
export const NOTHING: Sums = {
  requests: 0,
  failed: 0,
  input: 0,
  output: 0,
  saved: 0,
  added: 0,
  cacheRead: 0,
  cacheWrite: 0,
  nanoUsd: 0,
  savedGross: 0,
  savedNet: 0,
  unpriced: 0,
};

const KEYS = Object.keys(NOTHING) as (keyof Sums)[];

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

/** Sums of rows. */
export function sumsOf(rows: readonly LoggedRequest[]): Sums {
  return runningSums(rows).at(-1) ?? NOTHING;
}

/** Sums up to each row, itself included. */
export function runningSums(rows: readonly LoggedRequest[]): readonly Sums[] {
  let sums = NOTHING;
  return rows.map((row) => {
    const own = one(row);
    const next = { ...sums };
    for (const key of KEYS) next[key] += own[key];
    return sums = next;
  });
}

function one(row: LoggedRequest): Sums {
  return {
    requests: 1,
    failed: Number(row.status >= 500),
    input: row.tokensIn,
    output: row.output ?? 0,
    saved: row.tokensRemoved,
    added: row.tokensRemoved - row.tokensSaved,
    cacheRead: row.cacheRead ?? 0,
    cacheWrite: row.cacheWrite ?? 0,
    nanoUsd: row.nanoUsd ?? 0,
    savedGross: row.savedGrossNanoUsd ?? 0,
    savedNet: row.savedNetNanoUsd ?? 0,
    unpriced: Number(row.costBasis !== undefined && row.nanoUsd === undefined),
  };
}

/** Sums of rows, and by every name; what has none is `unknown`. */
export function keptOf(rows: readonly LoggedRequest[]): Kept {
  const table = (key: typeof NAMED[number]) =>
    grouped(rows, (row) => row[key] || "unknown");
  return {
    sums: sumsOf(rows),
    tables: {
      provider: table("provider"),
      model: table("model"),
      project: table("project"),
      stack: table("stack"),
      agent: table("agent"),
    },
  };
}

/** What a run counts of its rows. */
export function runOf(rows: readonly LoggedRequest[]): Run {
  const count = (is: (row: LoggedRequest) => boolean) => rows.filter(is).length;
  const nano = (basis: string) =>
    sumsOf(rows.filter(({ costBasis }) => costBasis === basis)).nanoUsd;
  const verdict = (name: string) =>
    count(({ prefix }) => prefix?.verdict === name);
  return {
    ...keptOf(rows),
    outcomes: {
      cached: count(({ cached }) => cached),
      rate_limited: count(({ refusedBy, status }) =>
        refusedBy === "rate_limit" ||
        (refusedBy === undefined && status === 429)
      ),
      refused_by_budget: count(({ refusedBy }) => refusedBy === "budget"),
      refused_by_rate_limit: count(({ refusedBy }) =>
        refusedBy === "rate_limit"
      ),
      aborted: count(({ status }) => status === 499),
    },
    verdicts: {
      first: verdict("first"),
      extended: verdict("extended"),
      client: verdict("client"),
      decided: verdict("decided"),
      ours: verdict("ours"),
    },
    nanoUsd: { measured: nano("measured"), estimated: nano("estimated") },
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

const HOUR_MS = 3_600_000;

/** Rows since the last hour in which nothing happened. */
export function lastSession(
  rows: readonly LoggedRequest[],
): readonly LoggedRequest[] {
  let session: LoggedRequest[] = [];
  let end = 0;
  for (const row of rows) {
    if (row.at > end + HOUR_MS) session = [];
    end = Math.max(end, row.at + Math.trunc(row.latencyMs));
    session.push(row);
  }
  return session;
}

/** Groups rows and adds each group up. */
export function grouped(
  rows: readonly LoggedRequest[],
  nameOf: (row: LoggedRequest) => string,
): Table {
  const groups = new Map<string, LoggedRequest[]>();
  for (const row of rows) {
    const name = nameOf(row);
    groups.set(name, [...groups.get(name) ?? [], row]);
  }
  return Object.fromEntries(
    [...groups].map(([name, group]) => [name, sumsOf(group)]),
  );
}
