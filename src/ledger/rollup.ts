/** Rollups of the ledger: what each step adds, and the sums at its end. @module */
import type { Bucket, Sums } from "../core/ledger_reader.ts";
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

/** Sums that run over the rows; money in nano-dollars. */
interface Totals {
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

/** Sums since the ledger was made, up to a moment. */
export type CumulativeReport = Readonly<ReturnType<typeof cumulative>>;

/** In the names of the wire. */
export function cumulative(totals: Totals) {
  return {
    /** Net tokens saved. */
    total_tokens_saved: totals.saved,
    /** Net money saved, price-weighted. */
    compression_savings_usd: usd(totals.savedNet),
    /** Prompt tokens that went upstream. */
    total_input_tokens: totals.input,
    /** What requests cost, their answers included: prompts have no sum of their own. */
    total_input_cost_usd: usd(totals.nanoUsd),
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
  const totals = totalsOf(lifetime);
  for (const bucket of buckets) add(totals, totalsOf(bucket), -1);
  return buckets.map((bucket) => {
    const own = totalsOf(bucket);
    add(totals, own, 1);
    return {
      /** Its start, ISO 8601; hours, days, weeks from Monday and months, in UTC. */
      timestamp: new Date(bucket.start).toISOString(),
      /** Net tokens saved in it. */
      tokens_saved: own.saved,
      /** Net money saved in it. */
      compression_savings_usd_delta: usd(own.savedNet),
      /** Prompt tokens in it. */
      total_input_tokens_delta: own.input,
      /** What its requests cost. */
      total_input_cost_usd_delta: usd(own.nanoUsd),
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

function add(totals: Totals, more: Totals, sign: 1 | -1): void {
  totals.saved += sign * more.saved;
  totals.savedNet += sign * more.savedNet;
  totals.input += sign * more.input;
  totals.nanoUsd += sign * more.nanoUsd;
}
