import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import { metricValues } from "../../src/ledger/metric_values.ts";
import { withhold } from "../../src/ledger/withhold.ts";
import { RECORD, spent } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";

const body = figures(partsOf([{
  ...RECORD,
  usage: { input: 5, cacheRead: 70, cacheWrite: 30, cacheWrite1h: 10 },
  leftAlone: ["too_small", "too_small", "no_kind"],
  olderDecided: "pays",
  prefix: {
    verdict: "ours",
    previousBytes: 90,
    equalBytes: 40,
    firstDifference: "/x",
  },
}]));
const values = metricValues(body, "1.0");

Deno.test("metricValues count tokens that were added beside those taken away, so that neither goes back", () => {
  const { tokens_saved_total, tokens_added_total } = metricValues(
    figures(partsOf([RECORD, { ...RECORD, tokensAfter: 1300 }])),
    "1.0",
  );
  assert.deepEqual([tokens_saved_total, tokens_added_total], [800, 700]);
});

Deno.test("metricValues have no series of a budget, a store or a cache that is not there", () => {
  const { budget_limit_usd: _, ...cost } = figures(partsOf([spent("a", 1)]))
    .cost;
  const none = metricValues(
    { ...body, cost, cache: null, compression: null },
    "1.0",
  );
  const names = [
    "budget_limit_usd",
    "response_cache_entries",
    "response_cache_bytes",
    "response_cache_hits_total",
    "ccr_entries",
    "ccr_bytes",
  ] as const;
  for (const name of names) {
    assert.equal(none[name], undefined, name);
    assert.equal(typeof values[name], "number", name);
  }
});

Deno.test("metricValues tell writes to prompt caches by how long they live, by provider or in all", () => {
  assert.deepEqual(values.cache_write_ttl_tokens_total, [
    { value: 20, labels: { provider: "messages", ttl: "5m" } },
    { value: 10, labels: { provider: "messages", ttl: "1h" } },
  ]);
  const sums = metricValues(withhold(body), "1.0");
  assert.deepEqual(sums.cache_write_ttl_tokens_total, [
    { value: 20, labels: { ttl: "5m" } },
    { value: 10, labels: { ttl: "1h" } },
  ]);
  assert.deepEqual(sums.requests_by_model, []);
});

Deno.test("metricValues count what was left alone by reason, and what was added for no compressor", () => {
  assert.deepEqual(values.blocks_left_alone_total, [
    { value: 2, labels: { reason: "too_small" } },
    { value: 1, labels: { reason: "no_kind" } },
  ]);
  assert.deepEqual(values.older_decided_total, [
    { value: 1, labels: { reason: "pays" } },
  ]);
  const { "(added)": added, ...saved } = body.tokens_saved_by_strategy;
  assert.equal(body.tokens.added + (added ?? 0), 0);
  assert.deepEqual(
    values.strategy_tokens_saved_total,
    Object.entries(saved).map(([strategy, value]) => ({
      value,
      labels: { strategy },
    })),
  );
});

Deno.test("metricValues show a broken prefix", () => {
  assert.equal(values.prefix_broken_total, 1);
  assert.equal(values.prefix_equal_bytes_total, 40);
});
