/** Sums over requests, and how they are reported: the same words wherever sums stand. @module */
import type { RequestRecord } from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import {
  addedBy,
  inputOf,
  isFailed,
  isUnpriced,
  removedBy,
} from "./outcome.ts";

/** Sums that grow. */
export type RunningSums = { -readonly [Key in keyof Sums]: number };

/** Sums of requests with a name in common, in the names of the wire. Money is `null` where nothing of it is known. */
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
  /** Tokens that it added; already taken off `tokens_saved`. */
  readonly tokens_added: number;
  /** `tokens_saved` of `input_tokens + tokens_saved`, in percent. */
  readonly savings_percent: number;
  /** Prompt tokens read from providers' caches, as billed. */
  readonly cache_read_tokens: number;
  /** Prompt tokens written to them, as billed. */
  readonly cache_write_tokens: number;
  /** What requests cost. */
  readonly total_cost_usd: number | null;
  /** Saved, price-weighted and net; may be below zero. */
  readonly compression_savings_usd: number | null;
  /** Gross tokens (`tokens_saved + tokens_added`) at the list price of input. */
  readonly gross_savings_usd: number | null;
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

/** Sums of one request. */
export function requestSums(entry: RequestRecord): Sums {
  const { cost, usage } = entry;
  return {
    requests: 1,
    failed: isFailed(entry) ? 1 : 0,
    input: inputOf(entry),
    output: usage.output ?? 0,
    saved: removedBy(entry),
    added: addedBy(entry),
    cacheRead: usage.cacheRead ?? 0,
    cacheWrite: usage.cacheWrite ?? 0,
    nanoUsd: cost?.nanoUsd ?? 0,
    savedGross: cost?.savedGrossNanoUsd ?? 0,
    savedNet: cost?.savedNetNanoUsd ?? 0,
    unpriced: isUnpriced(entry) ? 1 : 0,
  };
}

/** Adds sums to others. */
export function addSums(sums: RunningSums, more: Sums): void {
  sums.requests += more.requests;
  sums.failed += more.failed;
  sums.input += more.input;
  sums.output += more.output;
  sums.saved += more.saved;
  sums.added += more.added;
  sums.cacheRead += more.cacheRead;
  sums.cacheWrite += more.cacheWrite;
  sums.nanoUsd += more.nanoUsd;
  sums.savedGross += more.savedGross;
  sums.savedNet += more.savedNet;
  sums.unpriced += more.unpriced;
}

/** Whether anything is known of what requests cost: of those with a price, or because none cost anything. */
export function isMoneyKnown(
  { nanoUsd, unpriced }: Pick<Sums, "nanoUsd" | "unpriced">,
): boolean {
  return unpriced === 0 || nanoUsd !== 0;
}

/** Reports the sums of a name. */
export function sumsReport(sums: Sums): SumsReport {
  const saved = sums.saved - sums.added;
  const known = (nanoUsd: number) => isMoneyKnown(sums) ? usd(nanoUsd) : null;
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
    total_cost_usd: known(sums.nanoUsd),
    compression_savings_usd: known(sums.savedNet),
    gross_savings_usd: known(sums.savedGross),
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
