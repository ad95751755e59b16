import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";
import { makeRequestLedger } from "../../src/ledger/request_ledger.ts";
import type { StatsReport } from "../../src/ledger/report.ts";

const RECORD: RequestRecord = {
  provider: "messages",
  model: "m1",
  status: 200,
  tokensBefore: 1000,
  tokensAfter: 600,
  latencyMs: 100,
  overheadMs: 4,
  usage: {},
  strategies: ["log"],
  leftAlone: [],
  forms: [],
  retrieved: [],
  furtherRounds: 0,
  furtherInput: 0,
};

function report(...records: readonly Partial<RequestRecord>[]): StatsReport {
  const ledger = makeRequestLedger();
  for (const record of records) ledger.record({ ...RECORD, ...record });
  return ledger.report();
}

Deno.test("an empty ledger has every field of the contract, with zeros", () => {
  const empty = report();
  assert.deepEqual(empty.requests, {
    total: 0,
    cached: 0,
    rate_limited: 0,
    failed: 0,
    by_provider: {},
    by_model: {},
  });
  assert.deepEqual(empty.tokens, {
    input: 0,
    output: 0,
    saved: 0,
    added: 0,
    savings_percent: 0,
  });
  assert.deepEqual(empty.latency, {
    sum_ms: 0,
    average_ms: 0,
    min_ms: 0,
    max_ms: 0,
    total_requests: 0,
  });
});

Deno.test("record counts a request under its provider, model and strategies", () => {
  const { requests, compressions_by_strategy } = report(
    {},
    { model: "m2", strategies: ["log", "json"] },
    { provider: "passthrough", model: "", strategies: [] },
  );
  assert.equal(requests.total, 3);
  assert.deepEqual(requests.by_provider, { messages: 2, passthrough: 1 });
  assert.deepEqual(requests.by_model, { m1: 1, m2: 1 });
  assert.deepEqual(compressions_by_strategy, { log: 2, json: 1 });
});

Deno.test("record counts blocks that were left alone by their reason", () => {
  const { left_alone_by_reason } = report(
    { leftAlone: ["no_kind", "too_small", "no_kind"] },
    { leftAlone: ["too_small"] },
    { leftAlone: [] },
  );
  assert.deepEqual(left_alone_by_reason, { no_kind: 2, too_small: 2 });
});

Deno.test("record counts 5xx as failed and 429 as rate limited, not other errors", () => {
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

Deno.test("record takes input from the bill, cached parts included, else from our count", () => {
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
  assert.equal(mixed.tokens.added, 100);
  assert.equal(report({ tokensAfter: 1100 }).tokens.saved, -100);
});

Deno.test("durations have mean, extremes and count", () => {
  const { latency, overhead } = report(
    { latencyMs: 10, overheadMs: 1 },
    { latencyMs: 31, overheadMs: 2.005 },
  );
  assert.deepEqual(latency, {
    sum_ms: 41,
    average_ms: 20.5,
    min_ms: 10,
    max_ms: 31,
    total_requests: 2,
  });
  assert.equal(overhead.min_ms, 1);
  assert.equal(overhead.total_requests, 2);
});

Deno.test("prefix cache counts billed requests by provider", () => {
  const { prefix_cache } = report(
    { usage: { input: 50, cacheRead: 900, cacheWrite: 50 } },
    { usage: { input: 1000, cacheRead: 0 } },
    { provider: "responses", usage: { input: 10 } },
    {},
  );
  assert.deepEqual(prefix_cache.by_provider?.["messages"], {
    requests: 2,
    hit_requests: 1,
    request_hit_rate: 50,
    hit_rate: 45,
    cache_read_tokens: 900,
    cache_write_tokens: 50,
    uncached_input_tokens: 1050,
  });
  assert.equal(prefix_cache.totals.requests, 3);
  assert.equal(prefix_cache.totals.uncached_input_tokens, 1060);
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
  const form = {
    key: "b" as BlockKey,
    entry: "k" as CcrKey,
    toolName: "Bash",
    strategy: "log",
    saved: 50,
  };
  const event: RetrievalEvent = {
    key: form.entry,
    at: 0,
    via: "proxy",
    part: "full",
    query: "",
    strategy: "log",
    toolName: "Bash",
    items: 1,
    totalItems: 1,
    tokens: 20,
  };
  const failed = { status: 529, forms: [form] };
  assert.deepEqual(report(failed).retrievals.by_strategy, {});
  const { retrievals } = report(failed, { forms: [form], retrieved: [event] });
  assert.equal(retrievals.by_strategy["log"]?.forms, 1);
  assert.equal(retrievals.by_strategy["log"]?.net_tokens_saved, 30);
  const went = report({ furtherRounds: 2, furtherInput: 900 }, {
    furtherRounds: 1,
    furtherInput: 50,
  }).retrievals;
  assert.deepEqual(
    [went.further_requests, went.further_input_tokens],
    [3, 950],
  );
});
