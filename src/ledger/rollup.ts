/** Rollups of the ledger: what each step adds, and the sums at its end. @module */
import type { Bucket, Sums } from "../core/ledger_reader.ts";
import { addSums, netOf } from "../core/sums.ts";
import { usd } from "./sums.ts";

/** Which points of the history are given. */
export type HistoryMode = "compact" | "full" | "none";

/** What a CSV holds. */
export type HistorySeries =
  | "history"
  | "hourly"
  | "daily"
  | "weekly"
  | "monthly";

/** A moment: a request that saved something, or, in the older part of `compact`, the end of an hour. */
export interface HistoryPoint extends CumulativeReport {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Of the request; missing for an hour, and for callers that are not trusted. */
  readonly provider?: string;
  /** See `provider`. */
  readonly model?: string;
}

/** Sums since the ledger was made, up to a moment. */
export type CumulativeReport = Readonly<ReturnType<typeof cumulative>>;

/** In the names of the wire. */
export function cumulative(totals: Sums) {
  return {
    /** Net tokens saved. */
    total_tokens_saved: netOf(totals),
    /** Net money saved, price-weighted. */
    compression_savings_usd: usd(totals.savedNet),
    /** Prompt tokens that went upstream. */
    total_input_tokens: totals.input,
    /** What requests cost, their answers included: prompts have no sum of their own. */
    total_input_cost_usd: usd(totals.nanoUsd),
  };
}

/** The sums at the end of a step. */
export function cumulativeIn(row: CumulativeReport): CumulativeReport {
  return {
    total_tokens_saved: row.total_tokens_saved,
    compression_savings_usd: row.compression_savings_usd,
    total_input_tokens: row.total_input_tokens,
    total_input_cost_usd: row.total_input_cost_usd,
  };
}

/** One step of a rollup: what it adds, and the sums at its end. */
export type RollupRow = Readonly<ReturnType<typeof rollup>[number]>;

/**
 * Rows of a rollup. The last one's cumulative figures are those of `lifetime`: what is older than the oldest bucket
 * counts in them, though it has no row.
 *
 * @param buckets Oldest first.
 */
export function rollup(
  buckets: readonly Bucket[],
  lifetime: Sums,
) {
  const totals = { ...lifetime };
  for (const bucket of buckets) addSums(totals, bucket, -1);
  return buckets.map((bucket) => {
    addSums(totals, bucket);
    return {
      /** Its start, ISO 8601; hours, days, weeks from Monday and months, in UTC. */
      timestamp: new Date(bucket.start).toISOString(),
      /** Net tokens saved in it. */
      tokens_saved: netOf(bucket),
      /** Net money saved in it. */
      compression_savings_usd_delta: usd(bucket.savedNet),
      /** Prompt tokens in it. */
      total_input_tokens_delta: bucket.input,
      /** What its requests cost. */
      total_input_cost_usd_delta: usd(bucket.nanoUsd),
      ...cumulative(totals),
      /** Finished requests in it. */
      requests: bucket.requests,
      /** Those with a 5xx status. */
      failed: bucket.failed,
      /** Generated tokens in it. */
      output_tokens: bucket.output,
      /** Tokens added in it; taken off `tokens_saved`. */
      tokens_added: bucket.added,
      /** Prompt tokens read from providers' caches in it. */
      cache_read_tokens: bucket.cacheRead,
      /** Prompt tokens written to them in it. */
      cache_write_tokens: bucket.cacheWrite,
      /** Saved at the list price of input in it. */
      gross_savings_usd: usd(bucket.savedGross),
      /** Requests in it whose cost nobody knows. */
      unpriced_requests: bucket.unpriced,
    };
  });
}
