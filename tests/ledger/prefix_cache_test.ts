import assert from "node:assert/strict";
import type { PrefixProof, RequestRecord } from "../../src/core/ledger.ts";
import {
  type CacheRates,
  prefixCachesReport,
  prefixStabilityReport,
  withMoney,
} from "../../src/ledger/prefix_cache.ts";
import { counted } from "./counted.ts";
import { NOON } from "./samples.ts";

function caches(...records: readonly Partial<RequestRecord>[]) {
  return prefixCachesReport(counted(...records));
}

/** $5 input, $0.50 read, $6.25 and $10 write per million tokens. */
const RATES: CacheRates = {
  input: 5e6,
  cacheRead: 5e5,
  cacheWrite: 6.25e6,
  cacheWrite1h: 10e6,
};

Deno.test("prefix caches count billed requests by provider and by how long writes live", () => {
  const { by_provider, totals } = caches(
    { usage: { input: 50, cacheRead: 900, cacheWrite: 50, cacheWrite1h: 20 } },
    { usage: { input: 1000, cacheRead: 0 } },
    { provider: "responses", usage: { input: 10 } },
    {},
  );
  const { by_model, ...messages } = by_provider!["messages"]!;
  assert.deepEqual(messages, {
    requests: 2,
    hit_requests: 1,
    request_hit_rate: 50,
    hit_rate: 45,
    cache_read_tokens: 900,
    cache_write_tokens: 50,
    cache_write_5m_tokens: 30,
    cache_write_1h_tokens: 20,
    cache_write_5m_requests: 1,
    cache_write_1h_requests: 1,
    uncached_input_tokens: 1050,
    observed_ttl_mix: "mixed",
  });
  assert.deepEqual(by_model, { m1: messages });
  assert.equal(totals.requests, 3);
  assert.equal(totals.uncached_input_tokens, 1060);
  assert.equal(by_provider!["responses"]?.observed_ttl_mix, "none");
});

Deno.test("withMoney takes the premium for writing off what reading saved", () => {
  const usage = {
    input: 0,
    cacheRead: 1_000_000,
    cacheWrite: 300_000,
    cacheWrite1h: 100_000,
  };
  const { totals, by_provider } = withMoney(caches({ usage }), () => RATES);
  assert.equal(totals.savings_usd, 4.5);
  assert.equal(totals.write_premium_usd, 0.25 + 0.5);
  assert.equal(totals.net_savings_usd, 3.75);
  assert.equal(totals.unpriced_tokens, 0);
  assert.equal(by_provider?.["messages"]?.net_savings_usd, 3.75);
});

Deno.test("withMoney goes below zero where writing cost more than reading saved, and leaves unpriced models out", () => {
  const { totals } = withMoney(
    caches(
      { usage: { cacheWrite: 1_000_000 } },
      { model: "m2", usage: { cacheRead: 70 } },
    ),
    (model) => model === "m1" ? RATES : undefined,
  );
  assert.equal(totals.net_savings_usd, -1.25);
  assert.equal(totals.unpriced_tokens, 70);
});

function proof(verdict: PrefixProof["verdict"], equalBytes = 0): PrefixProof {
  const isFirst = verdict === "first";
  return {
    verdict,
    previousBytes: isFirst ? 0 : 200,
    equalBytes,
    firstDifference: verdict === "ours" ? "/messages/3" : "",
  };
}

Deno.test("prefixStabilityReport counts verdicts and bytes, and names the last request that we broke", () => {
  const fine = [
    { id: "a", prefix: undefined },
    { id: "b", prefix: proof("first") },
    { id: "c", prefix: proof("extended", 200) },
    { id: "d", prefix: proof("client", 50) },
    { id: "e", prefix: proof("decided", 150) },
  ];
  assert.equal(prefixStabilityReport(counted(...fine)).last_ours, null);
  const broken = ["x", "f"].map((id) => ({ id, prefix: proof("ours", 100) }));
  assert.deepEqual(prefixStabilityReport(counted(...fine, ...broken)), {
    compared: 5,
    first: 1,
    extended: 1,
    client: 1,
    decided: 1,
    ours: 2,
    previous_bytes: 1000,
    equal_bytes: 600,
    equal_percent: 60,
    last_ours: {
      request_id: "f",
      timestamp: new Date(NOON).toISOString(),
      first_difference: "/messages/3",
    },
  });
});

Deno.test("nothing compared is 100 percent equal", () => {
  assert.equal(prefixStabilityReport(counted()).equal_percent, 100);
});
