import assert from "node:assert/strict";
import {
  type LedgerCounts,
  toReport,
  withhold,
} from "../../src/ledger/report.ts";
import { NO_LIFETIME, noCosts } from "../../src/ledger/cost_report.ts";
import { ShapeCounts } from "../../src/ledger/shapes.ts";

const NONE = { sum: 0, count: 0, min: Infinity, max: 0 };
const COUNTS: LedgerCounts = {
  total: 2,
  cached: 0,
  refusedByBudget: 0,
  failed: 0,
  rateLimited: 0,
  input: 10,
  output: 5,
  saved: 5,
  added: 0,
  latency: NONE,
  overhead: NONE,
  byProvider: new Map([["messages", 2]]),
  byModel: new Map([["m", 2]]),
  byStrategy: new Map([["log", 1]]),
  leftAlone: new Map([["too_small", 2]]),
  olderDecided: new Map([["pays", 1]]),
  costs: noCosts(),
  prefixCache: new Map([
    ["messages", { requests: 1, hits: 1, read: 3, written: 0, uncached: 1 }],
  ]),
  shapes: new ShapeCounts(),
};

const KEPT = { lifetime: NO_LIFETIME, budget: undefined };

Deno.test("toReport shares nothing with the counts and is plain JSON", () => {
  const report = toReport(COUNTS, KEPT);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  COUNTS.byModel.set("later", 1);
  assert.deepEqual(report.requests.by_model, { m: 2 });
});

Deno.test("withhold drops provider and model names and keeps the rest", () => {
  const report = toReport(COUNTS, KEPT);
  const rest = withhold(report);
  assert.doesNotMatch(
    JSON.stringify(rest),
    /messages|"m"|by_provider|by_model/,
  );
  assert.equal(rest.requests.total, 2);
  assert.deepEqual(rest.prefix_cache.totals, report.prefix_cache.totals);
  assert.deepEqual(rest.tokens, report.tokens);
  assert.ok(report.requests.by_model);
});
