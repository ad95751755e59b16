/** How well the beginning of a prompt suits providers' caches, as one figure. @module */
import type { PrefixDriftReport } from "./prefix_drift.ts";

/** Warnings that a report holds at most. */
const MAX_WARNINGS = 10;

/**
 * From 0 to 1: 1 where nothing in the beginning of the prompt looks as if it changed from request to request, a tenth
 * less for each thing that does.
 *
 * @example
 * ```ts
 * import { alignmentScore } from "./alignment_score.ts";
 * import { prefixDrift } from "./prefix_drift.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(alignmentScore(prefixDrift({ system: "You are an agent." })), 1);
 * assert.equal(alignmentScore(prefixDrift({ system: "Today is 2026-03-02." })), 0.9);
 * ```
 */
export function alignmentScore(
  { warnings }: Pick<PrefixDriftReport, "warnings">,
): number {
  return Math.max(0, MAX_WARNINGS - warnings.length) / MAX_WARNINGS;
}
