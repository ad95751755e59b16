import assert from "node:assert/strict";
import { Models } from "../../../src/cli/perf/models.ts";
import { requestOf } from "../inspect/samples.ts";

Deno.test("Models sums up requests, the most first, and counts those without a price", () => {
  const all = new Models();
  all.add(requestOf(1, { model: "rare" }));
  all.add(requestOf(2, { latencyMs: 10 }));
  all.add(requestOf(3, { latencyMs: 30, nanoUsd: undefined }));
  const [first, second] = all.figures();
  assert.deepEqual(first, {
    model: "model-1",
    requests: 2,
    tokens_before: 168_240,
    tokens_after: 33_800,
    tokens_saved: 134_440,
    savings_percent: 79.91,
    output_tokens: 840,
    cost_usd: 0.0123456,
    unpriced_requests: 1,
    latency_p50_ms: 10,
  });
  assert.equal(second?.model, "rare");
  all.add(requestOf(4, { model: "mystery", nanoUsd: undefined }));
  const mystery = all.figures().find(({ model }) => model === "mystery");
  assert.deepEqual([mystery?.cost_usd, mystery?.unpriced_requests], [null, 1]);
});
