/** Requests that compression changed or not, and tool results that were met for the first time. @module */
import type { RequestRecord } from "../core/ledger.ts";
import { savedBy, succeeded } from "../core/outcome.ts";
import { addTo, count } from "./bounded_table.ts";
import { percent, round } from "./sums.ts";

/** Counts in memory. */
export class CompressionCounts {
  #requests = 0;
  #percentSum = 0;
  #best = 0;
  #bestDetail = "";
  #removed = 0;
  #before = 0;
  readonly #uncompressed = new Map<string, number>();
  readonly #fresh = {
    /** All of them. */
    blocks: 0,
    /** Those whose tokens were counted: the others were left alone at a glance. */
    counted_blocks: 0,
    /** Those that got a form. */
    compressed_blocks: 0,
    /** Tokens of the counted ones. */
    tokens_before: 0,
    /** Tokens of what was sent for them. */
    tokens_after: 0,
    /** Tokens of the ones with a form, before. */
    compressed_tokens_before: 0,
    /** And after. */
    compressed_tokens_after: 0,
  };

  /** Counts one request; one that nobody took is not counted: it saved nothing. */
  add(entry: RequestRecord): void {
    if (!succeeded(entry)) return;
    for (const block of entry.blocks) this.#block(block);
    if (entry.strategies.length === 0) {
      count(this.#uncompressed, whyUnchanged(entry));
      return;
    }
    const { tokensBefore, tokensAfter } = entry;
    const share = percent(savedBy(entry), tokensBefore);
    this.#requests++;
    this.#percentSum += share;
    this.#removed += savedBy(entry);
    this.#before += tokensBefore;
    if (share <= this.#best) return;
    this.#best = share;
    this.#bestDetail = `${tokensBefore} to ${tokensAfter} tokens`;
  }

  /** Snapshot. */
  report() {
    const requests = this.#requests;
    return {
      /** Requests with at least one edit of ours. */
      requests_compressed: requests,
      /** Mean over them of tokens saved of tokens received, in percent; by our count. */
      avg_compression_pct: requests === 0
        ? 0
        : round(this.#percentSum / requests),
      /** Largest of that. */
      best_compression_pct: this.#best,
      /** The request with the largest one, e.g. `12000 to 3100 tokens`; empty for none. */
      best_detail: this.#bestDetail,
      /** Net tokens that they save. */
      total_tokens_removed: this.#removed,
      /** Tokens that they came with, by our count. */
      total_tokens_before: this.#before,
      /** Requests without an edit, by the reason that most of their new tool results have; only reasons that occur. */
      uncompressed_requests: Object.fromEntries(this.#uncompressed),
    };
  }

  /** Snapshot. */
  fresh() {
    return { ...this.#fresh };
  }

  #block(
    { isKnown, tokensBefore, tokensAfter, outcome }:
      RequestRecord["blocks"][number],
  ): void {
    // Counted when it came first.
    if (isKnown) return;
    const fresh = this.#fresh;
    fresh.blocks++;
    if (tokensBefore === undefined) return;
    const after = tokensAfter ?? tokensBefore;
    fresh.counted_blocks++;
    fresh.tokens_before += tokensBefore;
    fresh.tokens_after += after;
    if (outcome === "alone") return;
    fresh.compressed_blocks++;
    fresh.compressed_tokens_before += tokensBefore;
    fresh.compressed_tokens_after += after;
  }
}

/** The reason that occurs most often; of several the first one. */
function whyUnchanged({ provider, leftAlone }: RequestRecord): string {
  if (provider === "passthrough") return "passthrough";
  if (leftAlone.length === 0) return "no_compressible_content";
  const counts = new Map<string, number>();
  for (const reason of leftAlone) addTo(counts, reason);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "no_compressible_content";
}
