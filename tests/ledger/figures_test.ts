import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import { RECORD, spent } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { traffic } from "./traffic.ts";

Deno.test("figures of a fresh process have zeros, and null for a model", () => {
  const { summary, tokens, cost } = figures(partsOf([]));
  assert.equal(summary.api_requests, 0);
  assert.equal(summary.primary_model, null);
  assert.equal(summary.cost.savings_pct, 0);
  assert.equal(tokens.savings_percent, 0);
  assert.equal(cost.total_cost_usd, 0);
});

Deno.test("the summary says what was sent, to which model most of all, and what it cost with and without", () => {
  const { summary } = figures(partsOf([
    spent("a", 2e9),
    { ...spent("b", 1e9), model: "m2" },
    { ...RECORD, model: "m2", status: 404 },
    { ...RECORD, cached: true },
    { ...RECORD, status: 429, refusedBy: "budget" },
    { ...RECORD, status: 429, refusedBy: "rate_limit" },
    ...[1, 2, 3].map(() => ({ ...RECORD, model: "" })),
  ]));
  assert.equal(summary.mode, "cache");
  assert.equal(summary.api_requests, 6);
  assert.equal(summary.primary_model, "m1");
  assert.equal(summary.cost.with_svc_usd, 3);
  assert.equal(summary.cost.without_svc_usd, 6);
  assert.equal(summary.cost.total_saved_usd, 3);
  assert.equal(summary.cost.savings_pct, 50);
  assert.equal(summary.cost.breakdown.gross_savings_usd, 6);
  assert.equal(summary.compression.requests_compressed, 5);
  assert.equal(summary.mcp.tokens_removed, 900);
});

Deno.test("the discount of the provider's cache is the same everywhere, and in no saving", () => {
  const body = figures(partsOf(traffic(51, 100)));
  const { net_savings_usd } = body.prefix_cache.totals;
  assert.ok(net_savings_usd! > 0);
  assert.equal(
    body.savings.by_layer.prefix_cache.discount_usd,
    net_savings_usd,
  );
  assert.equal(body.summary.cost.breakdown.cache_savings_usd, net_savings_usd);
  assert.equal(
    body.summary.cost.total_saved_usd,
    body.savings.by_layer.compression.savings_usd,
  );
});

Deno.test("figures without a store of originals have null for it", () => {
  const parts = partsOf([]);
  assert.equal(figures({ ...parts, ccr: undefined }).compression, null);
  assert.deepEqual(figures(parts).compression, {
    ccr_entries: 4,
    ccr_bytes: 4000,
    ccr_max_bytes: 100_000,
    original_tokens_cached: 1000,
    compressed_tokens_cached: 100,
    ccr_retrievals: 5,
  });
});
