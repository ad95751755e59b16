/** The same figures of a run, of a day, and of all time, from the answers that hold them. @module */
import type { History, Lifetime, RollupRow, Stats } from "./api.ts";

/** Requests of a while, and what was saved in them. */
export interface Scope {
  /** Finished requests. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Net tokens saved. */
  readonly saved: number;
  /** Tokens that would have been sent. */
  readonly before: number;
  /** `saved` of `before`. */
  readonly savedPercent: number;
  /** Tokens that were added, already taken off `saved`. */
  readonly added: number;
  /** Dollars saved, net. */
  readonly net: number;
  /** At list price. */
  readonly gross: number;
  /** Dollars that requests cost. */
  readonly cost: number;
  /** And would have cost. */
  readonly without: number;
  /** `net` of `without`. */
  readonly netPercent: number;
  /** Requests without a price. */
  readonly unpriced: number;
}

/** Since the proxy started. */
export function runOf({ requests, tokens, summary, cost }: Stats): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    savedPercent: tokens.savings_percent,
    added: tokens.added,
    net: summary.cost.total_saved_usd,
    gross: summary.cost.breakdown.gross_savings_usd,
    cost: summary.cost.with_svc_usd,
    without: summary.cost.without_svc_usd,
    netPercent: summary.cost.savings_pct,
    unpriced: cost.unpriced_requests,
  };
}

/** Since the ledger was made. */
export function lifetimeOf({ requests, tokens, cost }: Lifetime): Scope {
  return {
    requests: requests.total,
    failed: requests.failed,
    saved: tokens.saved,
    before: tokens.total_before_compression,
    savedPercent: tokens.savings_percent,
    added: tokens.added,
    net: cost.compression_savings_usd,
    gross: cost.gross_savings_usd,
    cost: cost.total_cost_usd,
    without: cost.without_svc_usd,
    netPercent: cost.savings_pct,
    unpriced: cost.unpriced_requests,
  };
}

/** The day in which the answer was made, in UTC; all zero while nothing happened in it. */
export function todayOf({ series, generated_at }: History): Scope {
  const day = generated_at.slice(0, 10);
  const row = series.daily.findLast(({ timestamp }) =>
    timestamp.startsWith(day)
  );
  return stepOf(row);
}

/** One step. Its percentages are not in the answer: they are made here as the server makes those of a run. */
function stepOf(row: RollupRow | undefined): Scope {
  const saved = row?.tokens_saved ?? 0;
  const before = (row?.total_input_tokens_delta ?? 0) + saved;
  const net = row?.compression_savings_usd_delta ?? 0;
  const cost = row?.total_input_cost_usd_delta ?? 0;
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    saved,
    before,
    savedPercent: before === 0 ? 0 : 100 * saved / before,
    added: row?.tokens_added ?? 0,
    net,
    gross: row?.gross_savings_usd ?? 0,
    cost,
    without: cost + net,
    netPercent: cost + net === 0 ? 0 : 100 * net / (cost + net),
    unpriced: row?.unpriced_requests ?? 0,
  };
}
