/** How sums over requests are reported: the same words wherever sums stand. @module */
import type { Sums } from "../core/ledger_reader.ts";
import { isMoneyKnown } from "../core/sums.ts";

/** Sums of requests with a name in common, in the names of the wire. Money is `null` where nothing of it is known. */
export type SumsReport = Readonly<ReturnType<typeof sumsReport>>;

/** Reports the sums of a name. */
export function sumsReport(sums: Sums) {
  const saved = sums.saved - sums.added;
  const known = (nanoUsd: number) => isMoneyKnown(sums) ? usd(nanoUsd) : null;
  return {
    /** Finished requests. */
    requests: sums.requests,
    /** Those with a 5xx status. */
    failed: sums.failed,
    /** Prompt tokens that went upstream: as billed, else as sent. */
    input_tokens: sums.input,
    /** Generated tokens, as billed. */
    output_tokens: sums.output,
    /** Net tokens: what compression took away, less what it added. */
    tokens_saved: saved,
    /** Tokens that it added; already taken off `tokens_saved`. */
    tokens_added: sums.added,
    /** `tokens_saved` of `input_tokens + tokens_saved`, in percent. */
    savings_percent: percent(saved, sums.input + saved),
    /** Prompt tokens read from providers' caches, as billed. */
    cache_read_tokens: sums.cacheRead,
    /** Prompt tokens written to them, as billed. */
    cache_write_tokens: sums.cacheWrite,
    /** What requests cost. */
    total_cost_usd: known(sums.nanoUsd),
    /** Saved, price-weighted and net; may be below zero. */
    compression_savings_usd: known(sums.savedNet),
    /** Gross tokens (`tokens_saved + tokens_added`) at the list price of input. */
    gross_savings_usd: known(sums.savedGross),
    /** Requests whose cost nobody knows: they are in no sum of money. */
    unpriced_requests: sums.unpriced,
  };
}

/** Tokens of a run. Percentages say of what. @param fresh Tokens of tool results that were met for the first time. */
export function tokensReport(
  { input, output, saved: removed, added }: Sums,
  fresh: { readonly tokens_before: number; readonly tokens_after: number },
) {
  const saved = removed - added;
  const before = input + saved;
  const { tokens_before: attempted, tokens_after: left } = fresh;
  const share = percent(saved, before);
  return {
    /** Prompt tokens that went upstream: as billed, else as sent. Cached ones included. */
    input,
    /** Generated tokens, as billed. */
    output,
    /** Net tokens: `removed` less `added`. */
    saved,
    /** All that the retrieval tool's definition and what it gave back added. */
    added,
    /** Gross tokens: what compression took away. */
    removed,
    /** As `saved`: compression is the only layer that takes tokens out. */
    proxy_compression_saved: saved,
    /** As `saved`. */
    all_layers_saved: saved,
    /** `input + saved`: what would have been sent. */
    total_before_compression: before,
    /** As `total_before_compression`. */
    proxy_total_before_compression: before,
    /** Tokens of the tool results that were met for the first time and counted. */
    proxy_attempted_tokens: attempted,
    /** `saved` of `total_before_compression`, in percent. */
    savings_percent: share,
    /** As `savings_percent`. */
    proxy_savings_percent: share,
    /** As `savings_percent`. */
    all_layers_savings_percent: share,
    /** What their forms save once, of `proxy_attempted_tokens`, in percent. */
    active_savings_percent: percent(attempted - left, attempted),
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
