/** What was saved, by a step of time or by name, so that the rows sum up to the total. @module */
import type {
  Bucket,
  ConversationSums,
  Dimension,
  LedgerReader,
  NamedSums,
  Step,
  Sums,
} from "../../core/ledger_reader.ts";
import { addSums, noSums } from "../../core/sums.ts";

/** What a row of the table is for, and where the ledger keeps it. */
export const GROUPINGS = {
  day: { step: "daily" },
  week: { step: "weekly" },
  month: { step: "monthly" },
  project: { dimension: "project" },
  kind: { dimension: "kind", tokensOnly: true },
  model: { dimension: "model" },
  tool: { dimension: "tool", tokensOnly: true },
} as const satisfies Readonly<Record<string, Grouping>>;

/** Names of the groupings. */
export type GroupingName = keyof typeof GROUPINGS;

/** Where the sums of a grouping come from. */
type Grouping =
  | { readonly step: Step }
  | {
    readonly dimension: Dimension;
    /** A request has many of them: only tokens can be told apart. */
    readonly tokensOnly?: true;
  };

/** A table that is ready to be printed. */
export interface SavingsReport {
  /** What rows are for. */
  readonly by: GroupingName;
  /** Start of the first day, week or month that counts; `undefined` for all time. */
  readonly since: number | undefined;
  /** Steps of time, the oldest first; names, the greatest saving first. */
  readonly rows: readonly NamedSums[];
  /** All rows together; without `since` the ledger's lifetime totals. */
  readonly total: Sums;
  /** Whether rows have `requests` and tokens saved only. */
  readonly tokensOnly: boolean;
  /** What conversations cost; absent for an empty ledger. */
  readonly conversations?: ConversationSums;
}

/** Row of what happened before the oldest step that is kept. */
const EARLIER = "(earlier)";
/** Row of what is not kept by name any more. */
const UNNAMED = "(no longer kept by name)";

const DAY_MS = 86_400_000;
/** Reads of sums that fit together, at most: a proxy may be writing. */
const MAX_READS = 8;

/**
 * Makes the table.
 *
 * @param since Only days, weeks or months (UTC) that this time lies in, or later ones; milliseconds since the Unix
 * epoch.
 * @throws {Error} What the database throws.
 */
export function savingsReport(
  reader: LedgerReader,
  by: GroupingName,
  since?: number,
): SavingsReport {
  const grouping: Grouping = GROUPINGS[by];
  const step = "step" in grouping ? grouping.step : "daily";
  const start = since === undefined ? undefined : startOf(step, since);
  const tokensOnly = "dimension" in grouping && grouping.tokensOnly === true;
  for (let reads = 1;; reads++) {
    const lifetime = reader.lifetime();
    const steps = stepsSince(reader.buckets(step), start);
    const rows = "step" in grouping
      ? steps.map((bucket) => ({ name: nameOf(step, bucket), ...bucket }))
      : reader.breakdown(grouping.dimension, start);
    const isSettled = reader.lifetime().requests === lifetime.requests;
    if (!isSettled && reads < MAX_READS) continue;
    const total = start === undefined ? lifetime : sumOf(steps);
    const rest = restOf(total, rows, tokensOnly);
    const name = "step" in grouping ? EARLIER : UNNAMED;
    const more = rest === undefined ? [] : [{ name, ...rest }];
    return {
      by,
      since: start,
      rows: "step" in grouping ? [...more, ...rows] : [...rows, ...more],
      total,
      tokensOnly,
      conversations: reader.conversations(start),
    };
  }
}

/** Adds sums up. */
export function sumOf(rows: readonly Sums[]): Sums {
  const total = noSums();
  for (const row of rows) addSums(total, row);
  return total;
}

/** What `total` has and no row; `undefined` when there is nothing. */
function restOf(
  total: Sums,
  rows: readonly Sums[],
  tokensOnly: boolean,
): Sums | undefined {
  const rest = { ...total };
  for (const row of rows) addSums(rest, row, -1);
  const { saved, added } = rest;
  const shown = tokensOnly ? { ...noSums(), saved, added } : rest;
  return Object.values(shown).some((sum) => sum !== 0) ? shown : undefined;
}

function stepsSince(
  buckets: readonly Bucket[],
  start: number | undefined,
): readonly Bucket[] {
  return start === undefined
    ? buckets
    : buckets.filter((bucket) => bucket.start >= start);
}

/** Start of the step that holds a time, in UTC. */
export function startOf(step: Step, at: number): number {
  const day = at - at % DAY_MS;
  const date = new Date(day);
  if (step === "monthly") {
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  // Weeks begin on Monday.
  return step === "weekly" ? day - (date.getUTCDay() + 6) % 7 * DAY_MS : day;
}

function nameOf(step: Step, { start }: Bucket): string {
  return new Date(start).toISOString().slice(0, step === "monthly" ? 7 : 10);
}
