import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import {
  type StatsReport,
  statsReport,
} from "../../src/ledger/stats_report.ts";
import { noSums } from "../../src/core/sums.ts";
import type { SumsReport } from "../../src/ledger/sums.ts";
import { counted } from "./counted.ts";
import { sumsOf, traffic } from "./traffic.ts";
import { FORM, RETRIEVAL } from "./samples.ts";

const KEPT = { lifetime: noSums(), budget: undefined };

function report(...records: readonly Partial<RequestRecord>[]): StatsReport {
  return statsReport(counted(...records), KEPT);
}

Deno.test("no requests have every field of the contract, with zeros", () => {
  const empty = report();
  assert.deepEqual(empty.requests, {
    total: 0,
    cached: 0,
    rate_limited: 0,
    failed: 0,
    refused_by_budget: 0,
    refused_by_rate_limit: 0,
    aborted: 0,
    by_provider: {},
    by_model: {},
    by_stack: {},
    by_project: {},
    by_agent: {},
  });
  const { billed, ...tokens } = empty.tokens;
  const zeros = (value: object) => Object.values(value).every((n) => n === 0);
  assert.ok(zeros(tokens) && zeros(billed));
  assert.ok(zeros(empty.latency));
});

Deno.test("statsReport counts a request under its provider, model and strategies", () => {
  const { requests, compressions_by_strategy } = report(
    {},
    { model: "m2", strategies: ["log", "json"] },
    { provider: "passthrough", model: "", strategies: [] },
  );
  assert.equal(requests.total, 3);
  assert.deepEqual(requests.by_provider, { messages: 2, passthrough: 1 });
  assert.deepEqual(requests.by_model, { m1: 1, m2: 1, unknown: 1 });
  assert.deepEqual(requests.by_project, { default: 3 });
  assert.deepEqual(requests.by_stack, { unknown: 3 });
  assert.deepEqual(compressions_by_strategy, { log: 2, json: 1 });
});

Deno.test("statsReport counts blocks that were left alone by their reason", () => {
  const { left_alone_by_reason } = report(
    { leftAlone: ["no_kind", "too_small", "no_kind"] },
    { leftAlone: ["too_small"] },
    { leftAlone: [] },
  );
  assert.deepEqual(left_alone_by_reason, { no_kind: 2, too_small: 2 });
});

Deno.test("statsReport counts 5xx as failed and 429 as rate limited, not other errors", () => {
  const { requests } = report(
    { status: 500 },
    { status: 529 },
    { status: 429 },
    { status: 400 },
    { status: 499 },
  );
  assert.equal(requests.failed, 2);
  assert.equal(requests.rate_limited, 1);
  assert.equal(requests.total, 5);
});

Deno.test("statsReport takes input from the bill, cached parts included, else from our count", () => {
  assert.equal(report({}).tokens.input, 600);
  const usage = { input: 10, output: 5, cacheRead: 500, cacheWrite: 30 };
  const { tokens } = report({ usage });
  assert.equal(tokens.input, 540);
  assert.equal(tokens.output, 5);
  assert.equal(report({ usage: { input: 0 } }).tokens.input, 0);
});

Deno.test("a request that failed upstream saved nothing and sent nothing", () => {
  for (const status of [400, 429, 500]) {
    const { tokens } = report({ status });
    assert.equal(tokens.saved, 0);
    assert.equal(tokens.input, 0);
  }
});

Deno.test("a request that the client left saved only if the provider billed it", () => {
  assert.equal(report({ status: 499 }).tokens.saved, 0);
  const billed = report({ status: 499, usage: { input: 600 } });
  assert.equal(billed.tokens.saved, 400);
  assert.equal(billed.tokens.input, 600);
});

Deno.test("savings are a share of what would have been sent; what the tool added is taken off", () => {
  const { tokens } = report({});
  assert.equal(tokens.saved, 400);
  assert.equal(tokens.savings_percent, 40);
  const mixed = report({}, { tokensAfter: 1100 });
  assert.equal(mixed.tokens.saved, 300);
  assert.equal(mixed.tokens.removed, 800);
  assert.equal(mixed.tokens.added, 500);
  const lost = report({ tokensAfter: 1100 }).tokens;
  assert.deepEqual([lost.removed, lost.added, lost.saved], [400, 500, -100]);
  const failed = report({ tokensAfter: 1100, status: 500 }).tokens;
  assert.deepEqual([failed.removed, failed.added], [0, 0]);
});

Deno.test("the model table is bounded and survives hostile names", () => {
  const names = Array.from({ length: 500 }, (_, i) => ({ model: `m${i}` }));
  const { requests } = report({ model: "__proto__" }, ...names);
  const table = requests.by_model ?? {};
  assert.ok(Object.keys(table).length <= 201);
  assert.equal(Object.values(table).reduce((a, b) => a + b, 0), 501);
  assert.equal(Object.entries(table)[0]?.[0], "__proto__");
});

Deno.test("a form counts from the first request on that carries it and succeeds, and so does what is asked of it", () => {
  const failed = { status: 529, forms: [FORM] };
  assert.deepEqual(report(failed).retrievals.by_strategy, {});
  const { retrievals } = report(failed, {
    forms: [FORM],
    retrieved: [RETRIEVAL],
  });
  assert.equal(retrievals.by_strategy["log"]?.forms, 1);
  assert.equal(retrievals.by_strategy["log"]?.net_tokens_saved, 30);
  const furtherUsage = { input: 100, cacheRead: 700, cacheWrite: 100 };
  const went = report({ furtherRounds: 2, furtherUsage }, {
    furtherRounds: 1,
    furtherUsage: { input: 50, output: 9 },
  }).retrievals;
  assert.deepEqual(
    [went.further_requests, went.further_input_tokens],
    [3, 950],
  );
});

Deno.test("statsReport tells answers from memory, refusals and rate limits apart", () => {
  const { requests, tokens } = report(
    { cached: true },
    { status: 429, refusedBy: "budget" },
    { status: 429, refusedBy: "rate_limit" },
    { status: 429 },
    { olderDecided: "pays" },
  );
  assert.equal(requests.cached, 1);
  assert.equal(requests.refused_by_budget, 1);
  assert.equal(requests.rate_limited, 2);
  assert.equal(tokens.saved, 400);
  assert.equal(tokens.input, 600);
  assert.deepEqual(report({ olderDecided: "pays" }).older_decided_by_reason, {
    pays: 1,
  });
});

Deno.test("context_budget counts prompts by the bill beside what their models take, those of one round", () => {
  const context = { limit: 1000, budget: 800 };
  const usage = (input: number) => ({ usage: { input } });
  const { context_budget: none } = report(usage(900));
  assert.deepEqual(none, { requests: 0, over_budget: 0, fullest_percent: 0 });
  const { context_budget: some } = report(
    { context, ...usage(400) },
    { context, ...usage(800) },
    { context, usage: { input: 1, cacheRead: 840, cacheWrite: 7 } },
    { context, ...usage(5000), furtherRounds: 1 },
    { context, usage: {}, status: 400 },
  );
  assert.deepEqual(some, {
    requests: 3,
    over_budget: 1,
    fullest_percent: 106,
  });
  const { context_budget: full } = report({
    context: { limit: 9, budget: 0 },
    ...usage(5),
  });
  assert.deepEqual([full.requests, full.over_budget], [1, 1]);
});

Deno.test("all durations are of the same requests: those whose answer began upstream", () => {
  const began = { latencyMs: 90, overheadMs: 5, ttfbMs: 60 };
  const { latency, overhead, ttfb } = report(
    { ...began, ttfbMs: undefined, cached: true },
    { ...began, ttfbMs: undefined, status: 499 },
    { ...began, ttfbMs: undefined, status: 429, refusedBy: "budget" },
    began,
    { ...began, status: 529 },
  );
  const counts = [latency, overhead, ttfb].map((one) => one.total_requests);
  assert.deepEqual(counts, [2, 2, 2]);
  assert.deepEqual([latency.sum_ms, overhead.sum_ms, ttfb.sum_ms], [
    180,
    10,
    120,
  ]);
});

Deno.test("all tables of a day of traffic sum up to its totals, to the unit", () => {
  for (const seed of [1, 2, 3]) {
    const records = traffic(seed, 300);
    const { requests, tokens, savings, cost, ...rest } = report(...records);
    const sums = sumsOf(records);
    assert.equal(requests.total, 300);
    assert.deepEqual(
      [tokens.input, tokens.output, tokens.removed, tokens.added],
      [sums.input, sums.output, sums.saved, sums.added],
    );
    assert.equal(tokens.saved, sums.saved - sums.added);
    assert.equal(Math.round(1e9 * cost.total_cost_usd), sums.nanoUsd);
    assert.equal(Math.round(1e9 * cost.total_savings_usd), sums.savedNet);
    assert.equal(
      Math.round(1e9 * cost.measured_cost_usd) +
        Math.round(1e9 * cost.estimated_cost_usd),
      sums.nanoUsd,
    );
    const tables = [
      savings.per_project,
      savings.per_model,
      savings.per_stack,
      savings.per_provider,
      rest.agent_usage,
    ];
    for (const table of tables) {
      const sum = (key: keyof SumsReport) =>
        Object.values(table ?? {})
          .reduce((total, row) => total + (row[key] ?? 0), 0);
      assert.equal(sum("requests"), 300);
      assert.equal(sum("failed"), requests.failed);
      assert.equal(sum("input_tokens"), tokens.input);
      assert.equal(sum("tokens_saved"), tokens.saved);
      assert.equal(Math.round(1e9 * sum("total_cost_usd")), sums.nanoUsd);
      assert.equal(
        Math.round(1e9 * sum("compression_savings_usd")),
        sums.savedNet,
      );
    }
    for (
      const table of [
        rest.tokens_saved_by_strategy,
        rest.tokens_saved_by_tool ?? {},
      ]
    ) {
      const sum = Object.values(table).reduce((total, n) => total + n, 0);
      assert.equal(sum, tokens.saved);
      assert.equal(table["(added)"], -tokens.added);
    }
  }
});

Deno.test("statsReport is plain JSON", () => {
  const all = report(...traffic(4, 50));
  assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
});
