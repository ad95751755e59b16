import assert from "node:assert/strict";
import { alignmentScore } from "../../src/pipeline/alignment_score.ts";

Deno.test("alignmentScore is 1 without warnings, and falls by a tenth for each, down to 0", () => {
  const score = (n: number) =>
    alignmentScore({ warnings: Array.from({ length: n }, () => "w") });
  assert.deepEqual([0, 1, 3, 10, 12].map(score), [1, 0.9, 0.7, 0, 0]);
});
