/** Figures of models. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import { type ModelFigures, percentOf } from "./report.ts";
import { spreadOf } from "./spread.ts";

/** Nano-dollars in a dollar. */
const NANO = 1e9;

/** Sums of a model. */
interface Sums {
  before: number;
  after: number;
  output: number;
  nanoUsd: number;
  unpriced: number;
  readonly latencies: number[];
}

/** Sums by model. */
export class Models {
  readonly #all = new Map<string, Sums>();

  /** Takes an answered request. */
  add(request: LoggedRequest): void {
    const sums = this.#all.get(request.model) ?? {
      before: 0,
      after: 0,
      output: 0,
      nanoUsd: 0,
      unpriced: 0,
      latencies: [],
    };
    this.#all.set(request.model, sums);
    sums.before += request.tokensBefore;
    sums.after += request.tokensAfter;
    sums.output += request.output ?? 0;
    sums.nanoUsd += request.nanoUsd ?? 0;
    if (request.nanoUsd === undefined) sums.unpriced++;
    sums.latencies.push(request.latencyMs);
  }

  /** The models, the most requests first. */
  figures(): readonly ModelFigures[] {
    return [...this.#all].map(([model, sums]) => ({
      model,
      requests: sums.latencies.length,
      tokens_before: sums.before,
      tokens_after: sums.after,
      tokens_saved: sums.before - sums.after,
      savings_percent: percentOf(sums.before - sums.after, sums.before),
      output_tokens: sums.output,
      cost_usd: sums.unpriced === sums.latencies.length
        ? null
        : sums.nanoUsd / NANO,
      unpriced_requests: sums.unpriced,
      latency_p50_ms: spreadOf(sums.latencies).p50,
    })).sort((a, b) => b.requests - a.requests);
  }
}
