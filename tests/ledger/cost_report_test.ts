import assert from "node:assert/strict";
import type { BudgetState } from "../../src/core/cost.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { costReport } from "../../src/ledger/cost_report.ts";
import { counted } from "./counted.ts";
import { RECORD, spent } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

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
