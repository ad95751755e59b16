/** Figures of compressors. @module */
import type { SeenBlock } from "../../core/ledger.ts";
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import {
  type CompressorFigures,
  type LeftAloneFigures,
  percentOf,
} from "./report.ts";

/** Sums of a compressor. */
interface Sums {
  results: number;
  elided: number;
  before: number;
  after: number;
}

/** What became of new tool results. */
export class Compressors {
  readonly #made = new Map<string, Sums>();
  readonly #alone = new Map<string, { results: number; bytes: number }>();
  /** Results that were skipped, by their keys: only the process that skipped one knows it again. */
  readonly #skipped = new Set<string>();

  /** Takes the results that a request met for the first time. Later requests list those after the last thing the model said again. */
  add({ blocks }: LoggedRequest): void {
    for (const block of blocks) {
      if (block.isKnown) continue;
      if (block.outcome === "alone") {
        if (this.#wasSkipped(block)) continue;
        const sums = this.#alone.get(block.reason) ?? { results: 0, bytes: 0 };
        sums.results++;
        sums.bytes += block.bytes;
        this.#alone.set(block.reason, sums);
        continue;
      }
      const sums = this.#made.get(block.strategy) ??
        { results: 0, elided: 0, before: 0, after: 0 };
      sums.results++;
      if (block.outcome === "elided") sums.elided++;
      sums.before += block.tokensBefore ?? 0;
      sums.after += block.tokensAfter ?? 0;
      this.#made.set(block.strategy, sums);
    }
  }

  #wasSkipped({ key }: SeenBlock): boolean {
    if (key === undefined) return false;
    const isKnown = this.#skipped.has(key);
    this.#skipped.add(key);
    return isKnown;
  }

  /**
   * The compressors, the greatest saving first.
   *
   * @param asked Times that a model asked for what each left out; `undefined` when nobody knows.
   */
  figures(
    asked: ReadonlyMap<string, number> | undefined,
  ): readonly CompressorFigures[] {
    return [...this.#made].map(([strategy, sums]) => ({
      strategy,
      results: sums.results,
      elided: sums.elided,
      tokens_before: sums.before,
      tokens_after: sums.after,
      tokens_saved: sums.before - sums.after,
      savings_percent: percentOf(sums.before - sums.after, sums.before),
      asked_for: asked === undefined ? null : asked.get(strategy) ?? 0,
    })).sort((a, b) => b.tokens_saved - a.tokens_saved);
  }

  /** What was left alone, the most bytes first. */
  leftAlone(): readonly LeftAloneFigures[] {
    return [...this.#alone].map(([reason, sums]) => ({ reason, ...sums }))
      .sort((a, b) => b.bytes - a.bytes);
  }
}
