/** The same figures of a run, of a day, and of all time, from the answers that hold them. @module */
import type { History, Lifetime, RollupRow, Stats } from "./api.ts";

/** Requests of a while, and what was saved in them. */
export interface Scope extends Money {
  /** Finished requests. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Net tokens saved. */
  readonly saved: number;
  /** Tokens that would have been sent. */
  readonly before: number;
}

/** What requests cost; `null` where no request has a known price. */
export interface Money {
  /** Dollars saved, net. */
  readonly net: number | null;
  /** At list price. */
  readonly gross: number | null;
  /** Dollars that requests cost. */
  readonly cost: number | null;
  /** And would have cost. */
  readonly without: number | null;
  /** Requests without a price: in none of the sums. */
  readonly unpriced: number;
}

/** Sums of money as answers hold them. */
export interface MoneySums {
  /** Dollars saved, net. */
  readonly net: number | null;
  /** At list price. */
  readonly gross: number | null;
  /** Dollars that requests cost. */
  readonly cost: number | null;
  /** Requests without a price. */
  readonly unpriced: number;
}

const NOT_KNOWN = { net: null, gross: null, cost: null, without: null };

/** Where requests have no price and nothing was spent, zero dollars would be a lie. */
export function moneyOf({ net, gross, cost, unpriced }: MoneySums): Money {
  const isKnown = net !== null && cost !== null &&
    (unpriced === 0 || cost !== 0);
  return isKnown
    ? { net, gross, cost, without: cost + net, unpriced }
    : { ...NOT_KNOWN, unpriced };
}

/** Since the proxy started. */
export function runOf({ requests, tokens, summary, cost }: Stats): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    ...moneyOf({
      net: summary.cost.total_saved_usd,
      gross: summary.cost.breakdown.gross_savings_usd,
      cost: summary.cost.with_svc_usd,
      unpriced: cost.unpriced_requests,
    }),
  };
}

/** Since the ledger was made. */
export function lifetimeOf({ requests, tokens, cost }: Lifetime): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    ...moneyOf({
      net: cost.compression_savings_usd,
      gross: cost.gross_savings_usd,
      cost: cost.total_cost_usd,
      unpriced: cost.unpriced_requests,
    }),
  };
}

/** The day in which the answer was made, in UTC; all zero while nothing happened in it. */
export function todayOf({ series, generated_at }: History): Scope {
  const day = generated_at.slice(0, 10);
  const row = series.daily.findLast(({ timestamp }) =>
    timestamp.startsWith(day)
  );
  const saved = row?.tokens_saved ?? 0;
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    saved,
    before: (row?.total_input_tokens_delta ?? 0) + saved,
    ...moneyOfStep(row),
  };
}

/** Money of one step; all zero of none. */
export function moneyOfStep(row: RollupRow | undefined): Money {
  return moneyOf({
    net: row?.compression_savings_usd_delta ?? 0,
    gross: row?.gross_savings_usd ?? 0,
    cost: row?.total_input_cost_usd_delta ?? 0,
    unpriced: row?.unpriced_requests ?? 0,
  });
}
