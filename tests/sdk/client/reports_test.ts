import {
  ccrStats,
  healthStatus,
  known,
  metricsSummary,
  proxyStats,
  renamed,
} from "../../../src/sdk/client/reports.ts";
import assert from "node:assert/strict";

const STATS = {
  requests: {
    total: 3,
    cached: 1,
    rate_limited: 0,
    failed: 2,
    by_model: { gpt_5: 3 },
    by_project: { my_project: 3 },
  },
  tokens: {
    input: 60,
    saved: 40,
    total_before_compression: 100,
    savings_percent: 40,
  },
  latency: { average_ms: 1, p95_ms: 2 },
  left_alone_by_reason: { too_small: 1 },
  recent_requests: [{ request_id: "r", tokens_saved: 1, model: "gpt_5" }],
};

Deno.test("proxyStats writes known members in camel case, and keeps the words of others", () => {
  assert.deepEqual(proxyStats(STATS), {
    requests: {
      total: 3,
      cached: 1,
      rateLimited: 0,
      failed: 2,
      byModel: { gpt_5: 3 },
      byProject: { my_project: 3 },
    },
    tokens: {
      input: 60,
      saved: 40,
      totalBeforeCompression: 100,
      savingsPercent: 40,
    },
    latency: { averageMs: 1, p95Ms: 2 },
    left_alone_by_reason: { too_small: 1 },
    recentRequests: [{ requestId: "r", tokensSaved: 1, model: "gpt_5" }],
  });
});

Deno.test("metricsSummary takes the ratio of what is left, 1 where there was nothing", () => {
  assert.deepEqual(metricsSummary(proxyStats(STATS)), {
    totalRequests: 3,
    totalTokensBefore: 100,
    totalTokensAfter: 60,
    totalTokensSaved: 40,
    averageCompressionRatio: 0.6,
    models: { gpt_5: 3 },
    errorCount: 2,
    cacheHits: 1,
  });
  const none = proxyStats({
    requests: { total: 0, cached: 0, failed: 0 },
    tokens: { saved: 0, total_before_compression: 0 },
  });
  const { averageCompressionRatio, models } = metricsSummary(none);
  assert.deepEqual([averageCompressionRatio, models], [1, {}]);
});

Deno.test("healthStatus and ccrStats rename what they know", () => {
  const checks = { ccr_store: { enabled: true, is_degraded: false } };
  const config = { rate_limit: false, code_aware: true };
  assert.deepEqual(healthStatus({ uptime_seconds: 1, checks, config }), {
    uptimeSeconds: 1,
    checks,
    config: { rateLimit: false, code_aware: true },
  });
  const store = { entry_count: 1, max_bytes: 2, backend: { type: "memory" } };
  assert.deepEqual(
    ccrStats({ store, recent_retrievals: [{ tool_name: "my_tool" }] }),
    {
      store: { entryCount: 1, maxBytes: 2, backend: { type: "memory" } },
      recentRetrievals: [{ toolName: "my_tool" }],
    },
  );
});

Deno.test("renamed writes known members in camel case, and looks no further than it is told", () => {
  const byModel = { gpt_5: 1, "claude-x_y": 2 };
  const value = {
    total_tokens: 1,
    p95_ms: 2,
    by_model: byModel,
    requests: [{ rate_limited: 3, other_name: 4 }],
    unknown_name: { inner_name: 5 },
  };
  const out = renamed(value, {
    ...known("total_tokens", "p95_ms", "by_model"),
    requests: known("rate_limited"),
  });
  assert.deepEqual(out, {
    totalTokens: 1,
    p95Ms: 2,
    byModel: { gpt_5: 1, "claude-x_y": 2 },
    requests: [{ rateLimited: 3, other_name: 4 }],
    unknown_name: { inner_name: 5 },
  });
});

Deno.test("renamed leaves anything else alone, and knows no member by chance", () => {
  for (const value of [null, 1, "a", true, undefined]) {
    assert.equal(renamed(value, known("a_b")), value);
  }
  const odd = { constructor: 1, to_string: 2 };
  assert.deepEqual(renamed(odd, known("a_b")), odd);
});
