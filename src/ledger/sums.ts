/** Sums over requests, and how they are reported: the same words wherever sums stand. @module */
import type { RequestRecord } from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { inputOf, isFailed, isUnpriced, savedBy } from "./outcome.ts";

/** Sums that grow. */
export type RunningSums = { -readonly [Key in keyof Sums]: number };

/** Sums in the names of the wire. */
export interface SumsReport {
  /** Finished requests. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Prompt tokens that went upstream: as billed, else as sent. */
  readonly input_tokens: number;
  /** Generated tokens, as billed. */
  readonly output_tokens: number;
  /** Net tokens: what compression took away, less what it added. */
  readonly tokens_saved: number;
  /** Tokens that it added, over requests that lost; already taken off `tokens_saved`. */
  readonly tokens_added: number;
  /** `tokens_saved` of `input_tokens + tokens_saved`, in percent. */
  readonly savings_percent: number;
  /** Prompt tokens read from providers' caches, as billed. */
  readonly cache_read_tokens: number;
  /** Prompt tokens written to them, as billed. */
  readonly cache_write_tokens: number;
  /** What requests cost. */
  readonly total_cost_usd: number;
  /** Saved, price-weighted and net; may be below zero. */
  readonly compression_savings_usd: number;
  /** Saved tokens at the list price of input. */
  readonly gross_savings_usd: number;
  /** Requests whose cost nobody knows: they are in no sum of money. */
  readonly unpriced_requests: number;
}

/** Sums of nothing. */
export function noSums(): RunningSums {
  return {
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
}

/** Adds one request. */
export function addRequest(sums: RunningSums, entry: RequestRecord): void {
  const { cost, usage } = entry;
  sums.requests++;
  if (isFailed(entry)) sums.failed++;
  sums.input += inputOf(entry);
  sums.output += usage.output ?? 0;
  const saved = savedBy(entry);
  if (saved > 0) sums.saved += saved;
  else sums.added -= saved;
  sums.cacheRead += usage.cacheRead ?? 0;
  sums.cacheWrite += usage.cacheWrite ?? 0;
  sums.nanoUsd += cost?.nanoUsd ?? 0;
  sums.savedGross += cost?.savedGrossNanoUsd ?? 0;
  sums.savedNet += cost?.savedNetNanoUsd ?? 0;
  if (isUnpriced(entry)) sums.unpriced++;
}

/** Reports sums. */
export function sumsReport(sums: Sums): SumsReport {
  const saved = sums.saved - sums.added;
  return {
    requests: sums.requests,
    failed: sums.failed,
    input_tokens: sums.input,
    output_tokens: sums.output,
    tokens_saved: saved,
    tokens_added: sums.added,
    savings_percent: percent(saved, sums.input + saved),
    cache_read_tokens: sums.cacheRead,
    cache_write_tokens: sums.cacheWrite,
    total_cost_usd: usd(sums.nanoUsd),
    compression_savings_usd: usd(sums.savedNet),
    gross_savings_usd: usd(sums.savedGross),
    unpriced_requests: sums.unpriced,
  };
}

/** Dollars of whole nano-dollars: times 1e9 and rounded they are the same again, up to 2^51 (two million dollars). */
export function usd(nanoUsd: number): number {
  return nanoUsd / 1e9;
}

/** `part` of `whole` in percent, two decimals; 0 of nothing. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : round(100 * part / whole);
}

/** Two decimals: more would be noise. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
