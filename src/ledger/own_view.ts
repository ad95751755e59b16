/** What a process knows of the spend without the database. @module */
import { HOUR_MS, type Spend } from "./budget_rule.ts";
import type { LedgerTask } from "./channel.ts";
import { DEAD_MS, type KnownSpend } from "./reads.ts";
import type { RequestRow } from "./rows.ts";

/** The database was never read. */
export const NOTHING_KNOWN: KnownSpend = {
  periodStart: -Infinity,
  measuredNanoUsd: 0,
  estimatedNanoUsd: 0,
  records: 0,
  estimatedRecords: 0,
  reservedNanoUsd: 0,
  reservedByOthersNanoUsd: 0,
  readAt: -Infinity,
};

/** What the process itself did. */
export interface OwnDoings {
  /** Tasks that are not in the file. */
  readonly unwritten: Iterable<LedgerTask>;
  /** Nano-dollars that its requests under way may cost. */
  readonly reservedNanoUsd: number;
  /** Start of the present period. */
  readonly periodStart: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Sums of a period. */
interface Sums {
  measured: number;
  estimated: number;
  records: number;
  estimatedRecords: number;
}

/**
 * Spend of the present period: what was spent last as far as it lies in it, and the process's own doings. What others
 * held then is believed for as long as a process without a sign of life is.
 */
export function ownView(known: KnownSpend, own: OwnDoings): Spend {
  const { periodStart, now } = own;
  // Of a period that began earlier nobody knows how much lies in this one.
  const counts = known.periodStart >= periodStart;
  const sums: Sums = {
    measured: counts ? known.measuredNanoUsd : 0,
    estimated: counts ? known.estimatedNanoUsd : 0,
    records: counts ? known.records : 0,
    estimatedRecords: counts ? known.estimatedRecords : 0,
  };
  for (const task of own.unwritten) {
    if (task.type === "book") add(sums, task.row, periodStart);
  }
  const isRecent = Math.abs(now - known.readAt) <= DEAD_MS;
  const others = isRecent ? known.reservedByOthersNanoUsd : 0;
  return {
    periodStart,
    measuredNanoUsd: sums.measured,
    estimatedNanoUsd: sums.estimated,
    records: sums.records,
    estimatedRecords: sums.estimatedRecords,
    reservedNanoUsd: others + own.reservedNanoUsd,
  };
}

/** As `spend` counts a row. */
function add(sums: Sums, row: RequestRow, periodStart: number): void {
  const { at, cost_basis: basis, nano_usd: nanoUsd } = row;
  const hour = Number(at) - Number(at) % HOUR_MS;
  if (basis === null || hour < periodStart) return;
  sums.records++;
  sums[basis === "measured" ? "measured" : "estimated"] += Number(nanoUsd);
  if (basis === "estimated" || nanoUsd === null) sums.estimatedRecords++;
}
