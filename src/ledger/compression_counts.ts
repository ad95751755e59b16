/** Requests that compression changed or not, and tool results that were met for the first time. @module */
import type { RequestRecord } from "../core/ledger.ts";
import { bounded } from "./bounded_table.ts";
import { savedBy, took } from "./outcome.ts";
import { percent, round } from "./sums.ts";

/** Requests that were taken, by what compression did in them. */
export interface CompressionReport {
  /** Requests with at least one edit of ours. */
  readonly requests_compressed: number;
  /** Mean over them of tokens saved of tokens received, in percent; by our count. */
  readonly avg_compression_pct: number;
  /** Largest of that. */
  readonly best_compression_pct: number;
  /** The request with the largest one, e.g. `12000 to 3100 tokens`; empty for none. */
  readonly best_detail: string;
  /** Net tokens that they save. */
  readonly total_tokens_removed: number;
  /** Tokens that they came with, by our count. */
  readonly total_tokens_before: number;
  /** Requests without an edit, by the reason that most of their new tool results have; only reasons that occur. */
  readonly uncompressed_requests: Readonly<Record<string, number>>;
}

/** Tool results that were met for the first time, in requests that were taken. */
export interface FreshReport {
  /** All of them. */
  readonly blocks: number;
  /** Those whose tokens were counted: the others were left alone at a glance. */
  readonly counted_blocks: number;
  /** Those that got a form. */
  readonly compressed_blocks: number;
  /** Tokens of the counted ones. */
  readonly tokens_before: number;
  /** Tokens of what was sent for them. */
  readonly tokens_after: number;
  /** Tokens of the ones with a form, before. */
  readonly compressed_tokens_before: number;
  /** And after. */
  readonly compressed_tokens_after: number;
}

type Fresh = { -readonly [Key in keyof FreshReport]: number };

/** Counts in memory. */
export class CompressionCounts {
  #requests = 0;
  #percentSum = 0;
  #best = 0;
  #bestDetail = "";
  #removed = 0;
  #before = 0;
  readonly #uncompressed = new Map<string, number>();
  readonly #fresh: Fresh = {
    blocks: 0,
    counted_blocks: 0,
    compressed_blocks: 0,
    tokens_before: 0,
    tokens_after: 0,
    compressed_tokens_before: 0,
    compressed_tokens_after: 0,
  };

  /** Counts one request; one that nobody took is not counted: it saved nothing. */
  add(entry: RequestRecord): void {
    if (!took(entry)) return;
    for (const block of entry.blocks) this.#block(block);
    if (entry.strategies.length === 0) {
      const reason = bounded(this.#uncompressed, whyUnchanged(entry));
      this.#uncompressed.set(reason, (this.#uncompressed.get(reason) ?? 0) + 1);
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
  report(): CompressionReport {
    const requests = this.#requests;
    return {
      requests_compressed: requests,
      avg_compression_pct: requests === 0
        ? 0
        : round(this.#percentSum / requests),
      best_compression_pct: this.#best,
      best_detail: this.#bestDetail,
      total_tokens_removed: this.#removed,
      total_tokens_before: this.#before,
      uncompressed_requests: Object.fromEntries(this.#uncompressed),
    };
  }

  /** Snapshot. */
  fresh(): FreshReport {
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
  for (const reason of leftAlone) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "no_compressible_content";
}
