/** Comparing the beginnings of one prompt after the other. @module */
import {
  prefixDrift,
  type PrefixDriftInput,
  type PrefixDriftReport,
} from "../reports/prefix_drift.ts";

/**
 * Reports on the beginnings of prompts, and remembers the one before: `prefixDrift` without the need to carry its hash
 * along. One aligner belongs to one conversation.
 *
 * @example
 * ```ts
 * import { CacheAligner } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const aligner = new CacheAligner();
 * aligner.report({ system: "You are an agent." });
 * const { cache_metrics } = aligner.report({ system: "You are an agent. It is 10:15:00." });
 * assert.equal(cache_metrics.prefix_changed, true);
 * ```
 */
export class CacheAligner {
  #previousHash: string | undefined;

  /** Hash of the last prefix; `undefined` before the first report. */
  get previousHash(): string | undefined {
    return this.#previousHash;
  }

  /** Reports on a prompt, compared with that of the call before. */
  report(input: Omit<PrefixDriftInput, "previousHash">): PrefixDriftReport {
    const report = prefixDrift({
      ...input,
      ...this.#previousHash !== undefined &&
        { previousHash: this.#previousHash },
    });
    this.#previousHash = report.cache_metrics.stable_prefix_hash;
    return report;
  }
}
