/** When a budget refuses. @module */
import type {
  Budget,
  BudgetPeriod,
  BudgetRefusal,
  BudgetState,
} from "../core/cost.ts";

/** Milliseconds of an hour: spend is kept by the hour. */
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds after which requests under way may have told what they really cost. */
const SETTLED_MS = 2000;
/** Milliseconds after which a reservation is not believed any more: its request's record got lost. */
const RESERVATION_MS = HOUR_MS;

/** Lets all requests pass: for gates of an earlier configuration when there is no budget any more. */
export const NO_BUDGET: Budget = {
  limitNanoUsd: Infinity,
  period: "daily",
  estimatedBasis: "count",
};

/** Spend of a period. */
export type Spend = Omit<BudgetState, "budget">;

/**
 * The start of the period that holds `now`, in milliseconds since the Unix epoch. All that was spent since then counts,
 * also what carries a later time: a clock that goes back does not give a budget back.
 */
export function periodStart(period: BudgetPeriod, now: number): number {
  switch (period) {
    case "hourly":
      return now - now % HOUR_MS;
    case "daily":
      return now - now % DAY_MS;
    case "monthly": {
      const date = new Date(now);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
  }
}

/** The start of the next period. */
export function periodEnd(period: BudgetPeriod, now: number): number {
  const start = periodStart(period, now);
  switch (period) {
    case "hourly":
      return start + HOUR_MS;
    case "daily":
      return start + DAY_MS;
    case "monthly": {
      const date = new Date(start);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    }
  }
}

/** Nano-dollars that consume the budget. */
function countedOf({ estimatedBasis }: Budget, spend: Spend): number {
  const { measuredNanoUsd, estimatedNanoUsd } = spend;
  return estimatedBasis === "ignore"
    ? measuredNanoUsd
    : measuredNanoUsd + estimatedNanoUsd;
}

/** The refusal of a request at `now`; `undefined` when it may be sent. */
export function refusalOf(
  budget: Budget,
  spend: Spend,
  now: number,
): BudgetRefusal | undefined {
  const settled = settledRefusalOf(budget, spend, now);
  if (settled !== undefined) return settled;
  const spentNanoUsd = countedOf(budget, spend);
  if (spentNanoUsd + spend.reservedNanoUsd < budget.limitNanoUsd) {
    return undefined;
  }
  const { period, limitNanoUsd } = budget;
  return {
    reason: "reserved",
    period,
    limitNanoUsd,
    spentNanoUsd,
    retryAfterMs: Math.min(SETTLED_MS, periodEnd(period, now) - now),
  };
}

/** As {@linkcode refusalOf}, but only for reasons that hold until the period ends, whatever becomes of other requests. */
export function settledRefusalOf(
  budget: Budget,
  spend: Spend,
  now: number,
): BudgetRefusal | undefined {
  const { period, limitNanoUsd, estimatedBasis } = budget;
  const spentNanoUsd = countedOf(budget, spend);
  const retryAfterMs = periodEnd(period, now) - now;
  const facts = { period, limitNanoUsd, spentNanoUsd, retryAfterMs };
  if (spentNanoUsd >= limitNanoUsd) return { reason: "spent", ...facts };
  if (estimatedBasis === "block" && spend.estimatedRecords > 0) {
    return { reason: "estimated", ...facts };
  }
  return undefined;
}

/** Nano-dollars to reserve: something, so that a request without a price waits for the others, too. */
export function reservationOf(nanoUsd: number): number {
  return Number.isFinite(nanoUsd) ? Math.max(1, Math.ceil(nanoUsd)) : 1;
}

/** Whether a reservation made `at` holds at `now`; the same span on either side, for a clock that goes back. */
export function isBelieved(at: number, now: number): boolean {
  return Math.abs(now - at) <= RESERVATION_MS;
}

/** Oldest and newest time of reservations that hold at `now`. */
export function believedSpan(now: number): readonly [number, number] {
  return [now - RESERVATION_MS, now + RESERVATION_MS];
}
