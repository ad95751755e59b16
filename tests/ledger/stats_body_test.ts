import { counted } from "./counted.ts";
import { costReport } from "../../src/ledger/cost_report.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { BudgetState } from "../../src/core/cost.ts";
import { figures } from "../../src/ledger/figures.ts";
import assert from "node:assert/strict";
import { statsBody } from "../../src/ledger/stats_body.ts";
import { NOON, RECORD, spent } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { sumsOf, traffic } from "./traffic.ts";

Deno.test("statsBody shows the last ten requests and the points of the last hundred", () => {
  const body = statsBody(partsOf(traffic(61, 300)));
  assert.deepEqual(
    body.recent_requests?.map(({ request_id }) => request_id),
    body.request_logs?.map(({ id }) => id),
  );
  assert.equal(body.recent_requests?.length, 10);
  assert.equal(body.recent_requests?.[0]?.request_id, "r299");
  assert.ok(body.savings_history.length > 10);
  assert.ok(body.savings_history.length <= 100);
  assert.equal(body.display_session.requests, 300);
  assert.deepEqual(body.stage_failures, { scan: 2 });
});

Deno.test("statsBody is plain JSON: it survives being sent", () => {
  const { request_logs: _, ...body } = statsBody(partsOf(traffic(62, 60)));
  assert.deepEqual(JSON.parse(JSON.stringify(body)), body);
});

Deno.test("statistics of tools are there when they are switched on only", () => {
  const form = {
    key: "b" as never,
    entry: "k" as never,
    toolName: "Bash",
    strategy: "log",
    saved: 300,
  };
  const block = {
    key: undefined,
    entry: undefined,
    isKnown: false,
    messageIndex: 0,
    toolName: "Bash",
    kind: "log",
    outcome: "elided",
    strategy: "log",
    reason: "",
    bytes: 9,
    tokensBefore: 400,
    tokensAfter: 100,
  } as const;
  const parts = partsOf([{ ...RECORD, forms: [form], blocks: [block] }]);
  assert.deepEqual(statsBody(parts).telemetry, {
    enabled: true,
    total_compressions: 1,
    total_retrievals: 0,
    global_retrieval_rate: 0,
    tool_signatures_tracked: 1,
    avg_compression_ratio: 0.25,
    avg_token_reduction: 300,
  });
  const off = statsBody({ ...parts, isTelemetryOn: false });
  assert.deepEqual(off.telemetry, { enabled: false });
});

Deno.test("statsBody shows a recent request in the fields of the wire, and null for an output that nobody reported", () => {
  const [recent] = statsBody(partsOf([RECORD])).recent_requests;
  assert.deepEqual(recent, {
    request_id: "r",
    timestamp: new Date(NOON).toISOString(),
    provider: "messages",
    model: "m1",
    project: "default",
    status: 200,
    input_tokens_original: 1000,
    input_tokens_optimized: 600,
    output_tokens: null,
    tokens_saved: 400,
    savings_percent: 40,
    optimization_latency_ms: 4,
    total_latency_ms: 100,
    transforms_applied: ["log"],
  });
});

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

function reportOf(records: readonly RequestRecord[], budget?: BudgetState) {
  return costReport(counted(...records), sumsOf(records), budget);
}

Deno.test("the report of costs has sums of whole nano-dollars, and says how many have no price", () => {
  // In floating-point dollars, three tenths is not 0.3.
  const report = reportOf([
    ...["a", "b", "c"].map((id) => spent(id, 1e8)),
    spent("d", undefined),
    RECORD,
  ]);
  assert.equal(report.total_cost_usd, 0.3);
  assert.equal(report.total_savings_usd, 0.3);
  assert.equal(report.gross_savings_usd, 0.6);
  assert.equal(report.unpriced_requests, 1);
  assert.equal(report.per_model?.["m1"]?.requests, 4);
  assert.equal("budget_limit_usd" in report, false);
});

Deno.test("the report of costs tells cache writes of five minutes from those of an hour", () => {
  const usage = { input: 10, cacheWrite: 100, cacheWrite1h: 30 };
  const report = reportOf([{ ...spent("a", 1), usage }]);
  assert.equal(report.cache_write_5m_tokens, 70);
  assert.equal(report.cache_write_1h_tokens, 30);
  assert.deepEqual(report.per_model, {
    m1: {
      requests: 1,
      tokens_saved: 400,
      tokens_sent: 110,
      cache_write_5m_tokens: 70,
      cache_write_1h_tokens: 30,
      reduction_pct: 78.43,
    },
  });
});

Deno.test("the report of costs shows the budget by where its figures come from", () => {
  const state: BudgetState = {
    budget: { limitNanoUsd: 5e9, period: "hourly", estimatedBasis: "block" },
    periodStart: 0,
    measuredNanoUsd: 3e9,
    estimatedNanoUsd: 1e9,
    records: 4,
    estimatedRecords: 2,
    reservedNanoUsd: 5e8,
  };
  const report = reportOf([], state);
  assert.equal(report.budget_limit_usd, 5);
  assert.equal(report.budget_period, "hourly");
  assert.equal(report.budget_estimated_basis, "block");
  assert.equal(report.budget_reserved_usd, 0.5);
  assert.deepEqual(report.budget_basis, {
    total_usd: 4,
    measured_usd: 3,
    estimated_usd: 1,
    estimated_pct: 25,
    records: 4,
    estimated_records: 2,
  });
});

Deno.test("the report of costs splits cost by basis, and says what it had been without compression", () => {
  const report = reportOf([spent("a", 3e9), spent("b", 1e9, "estimated")]);
  assert.equal(report.measured_cost_usd, 3);
  assert.equal(report.estimated_cost_usd, 1);
  assert.equal(report.cost_with_svc_usd, 4);
  assert.equal(report.cost_without_svc_usd, 8);
});
