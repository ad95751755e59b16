/** Rollups of the ledger: what each step adds, and the sums at its end. @module */
import type { Bucket, Sums } from "../core/ledger_reader.ts";
import type { CumulativeReport, RollupRow } from "./history_body.ts";
import { usd } from "./sums.ts";

/** Sums that run over the rows; money in nano-dollars. */
export interface Totals {
  /** Net tokens. */
  saved: number;
  /** Net. */
  savedNet: number;
  /** Prompt tokens. */
  input: number;
  /** Cost of requests. */
  nanoUsd: number;
}

/** Those of sums. */
export function totalsOf(
  { saved, added, savedNet, input, nanoUsd }: Sums,
): Totals {
  return { saved: saved - added, savedNet, input, nanoUsd };
}

/** In the names of the wire. */
export function cumulative(totals: Totals): CumulativeReport {
  return {
    total_tokens_saved: totals.saved,
    compression_savings_usd: usd(totals.savedNet),
    total_input_tokens: totals.input,
    total_input_cost_usd: usd(totals.nanoUsd),
  };
}

/**
 * Rows of a rollup. The last one's cumulative figures are those of `lifetime`: what is older than the oldest bucket
 * counts in them, though it has no row.
 *
 * @param buckets Oldest first.
 */
export function rollup(
  buckets: readonly Bucket[],
  lifetime: Sums,
): readonly RollupRow[] {
  const totals = totalsOf(lifetime);
  for (const bucket of buckets) add(totals, totalsOf(bucket), -1);
  return buckets.map((bucket): RollupRow => {
    const own = totalsOf(bucket);
    add(totals, own, 1);
    return {
      timestamp: new Date(bucket.start).toISOString(),
      tokens_saved: own.saved,
      compression_savings_usd_delta: usd(own.savedNet),
      total_input_tokens_delta: own.input,
      total_input_cost_usd_delta: usd(own.nanoUsd),
      ...cumulative(totals),
      requests: bucket.requests,
      failed: bucket.failed,
      output_tokens: bucket.output,
      tokens_added: bucket.added,
      cache_read_tokens: bucket.cacheRead,
      cache_write_tokens: bucket.cacheWrite,
      gross_savings_usd: usd(bucket.savedGross),
      unpriced_requests: bucket.unpriced,
    };
  });
}

function add(totals: Totals, more: Totals, sign: 1 | -1): void {
  totals.saved += sign * more.saved;
  totals.savedNet += sign * more.savedNet;
  totals.input += sign * more.input;
  totals.nanoUsd += sign * more.nanoUsd;
}
