import assert from "node:assert/strict";
import { CacheAligner } from "../../src/sdk/cache_aligner.ts";
import { prefixDrift } from "../../src/reports/prefix_drift.ts";

Deno.test("CacheAligner compares each prompt with the one before", () => {
  const aligner = new CacheAligner();
  assert.equal(aligner.previousHash, undefined);
  const inputs = ["a", "a", "b"].map((system) => ({ system }));
  const reports = inputs.map((input) => aligner.report(input));
  assert.deepEqual(
    reports.map(({ cache_metrics }) => cache_metrics.prefix_changed),
    [false, false, true],
  );
  assert.deepEqual(reports[0], prefixDrift(inputs[0]!));
  const [, second, third] = reports.map(({ cache_metrics }) => cache_metrics);
  assert.equal(third!.previous_hash, second!.stable_prefix_hash);
  assert.equal(aligner.previousHash, third!.stable_prefix_hash);
});
