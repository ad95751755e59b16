import assert from "node:assert/strict";
import fc from "fast-check";
import type { CostFacts } from "../../src/core/cost.ts";
import { parseUserModels } from "../../src/cost/open_pricing.ts";
import type { ModelLayer } from "../../src/cost/prices.ts";
import { makePricing } from "../../src/cost/pricing.ts";

const NONE = { fresh: 0, kept: 0, addedFresh: 0, addedKept: 0 };

function setUp(layers: readonly ModelLayer[] = []) {
  const warnings: string[] = [];
  const pricing = makePricing({
    layers,
    log: (level, event, fields) =>
      void warnings.push(`${level} ${event} ${JSON.stringify(fields)}`),
  });
  return { ...pricing, warnings };
}

const facts = (of: Partial<CostFacts> & { model: string }): CostFacts => ({
  status: 200,
  rounds: [{}],
  tokensAfter: 0,
  saved: NONE,
  ...of,
});

/** One measured request's bill, in nano-dollars. */
function bill(model: string, ...rounds: CostFacts["rounds"]) {
  return setUp().costOf(facts({ model, rounds }))?.nanoUsd;
}

Deno.test("costOf bills Claude with reads and writes for 5 minutes and an hour", () => {
  const usage = {
    input: 100,
    output: 200,
    cacheRead: 10_000,
    cacheWrite: 3000,
    cacheWrite1h: 1000,
  };
  // 0.0005 + 0.005 + 0.005 + 0.0125 + 0.01 USD
  assert.equal(bill("claude-opus-4-5-20251101", usage), 33_000_000);
  assert.equal(bill("claude-opus-4-5@20251101", usage), 33_000_000);
});

Deno.test("costOf bills a GPT model with cached input", () => {
  const usage = { input: 1000, cacheRead: 9000, output: 500 };
  // 0.00125 + 0.001125 + 0.005 USD
  assert.equal(bill("gpt-5-2025-08-07", usage), 7_375_000);
});

Deno.test("costOf bills Gemini at the prices above the threshold for the whole prompt, cached part included", () => {
  const usage = { input: 150_000, cacheRead: 50_000, output: 1000 };
  // 0.1875 + 0.00625 + 0.01 USD
  assert.equal(bill("gemini-2.5-pro", usage), 203_750_000);
  // 0.3750025 + 0.0125 + 0.015 USD
  assert.equal(
    bill("gemini-2.5-pro", { ...usage, input: 150_001 }),
    402_502_500,
  );
});

Deno.test("costOf bills each round at the prices for its own prompt", () => {
  const round = { input: 150_000, output: 1000 };
  assert.equal(
    bill("gemini-2.5-pro", round, round),
    2 * (187_500_000 + 10_000_000),
  );
  const larger = { input: 200_001 };
  assert.equal(
    bill("gemini-2.5-pro", round, larger),
    187_500_000 + 10_000_000 + 200_001 * 2500,
  );
});

Deno.test("costOf bills a Vertex name at the prices of Vertex", () => {
  const usage = { input: 300_000 };
  assert.equal(bill("claude-sonnet-4-5@20250929", usage), 1_800_000_000);
  assert.equal(bill("claude-sonnet-4-5-20250929", usage), 900_000_000);
});

Deno.test("costOf bills the user's models at the user's prices, rounded to a nano-dollar", () => {
  const layer = parseUserModels(
    '{"p":{"pricing":{"mine":{"input":0.0005,"output":0,"cached_input":0.0001}}}}',
    "models.json",
  );
  const { costOf } = setUp([layer]);
  const cost = (usage: object) =>
    costOf(facts({ model: "local/Mine", rounds: [usage] }))?.nanoUsd;
  assert.equal(cost({ input: 3 }), 2);
  assert.equal(cost({ input: 2, cacheRead: 4 }), 1);
  assert.equal(cost({ input: 0, cacheRead: 4 }), 0);
});

Deno.test("costOf is measured when the prompt is reported, estimated from what was sent when it is not", () => {
  const { costOf, warnings } = setUp();
  const model = "gpt-4o";
  assert.deepEqual(
    costOf(facts({ model, tokensAfter: 1000, rounds: [{ input: 10 }] })),
    {
      basis: "measured",
      nanoUsd: 25_000,
      savedGrossNanoUsd: 0,
      savedNetNanoUsd: 0,
    },
  );
  assert.deepEqual(warnings, []);
  const silent = costOf(facts({ model, tokensAfter: 1000 }));
  assert.equal(silent?.basis, "estimated");
  assert.equal(silent?.nanoUsd, 2_500_000);
  const rounds = [{ output: 100 }];
  const answer = costOf(facts({ model, tokensAfter: 1000, rounds }));
  assert.equal(answer?.basis, "estimated");
  assert.equal(answer?.nanoUsd, 3_500_000);
  assert.deepEqual(warnings, ['warn cost_estimated {"model":"gpt-4o"}']);
});

Deno.test("costOf estimates only the rounds that said nothing", () => {
  const rounds = [{ input: 10 }, {}];
  const record = setUp().costOf(
    facts({ model: "gpt-4o", tokensAfter: 1000, rounds }),
  );
  assert.equal(record?.basis, "estimated");
  assert.equal(record?.nanoUsd, 25_000 + 2_500_000);
});

Deno.test("costOf has no record for a request that reached no model", () => {
  const { costOf, warnings } = setUp();
  const model = "gpt-4o";
  for (const status of [400, 401, 429, 500, 529]) {
    assert.equal(costOf(facts({ model, status, tokensAfter: 9 })), undefined);
  }
  for (const status of [200, 499, 502]) {
    assert.equal(costOf(facts({ model, status, rounds: [] })), undefined);
  }
  assert.deepEqual(warnings, []);
});

Deno.test("costOf counts a request that the client left once its answer had begun", () => {
  const { costOf } = setUp();
  const left = { model: "gpt-4o", status: 499, tokensAfter: 1000 };
  assert.equal(costOf(facts(left))?.nanoUsd, 2_500_000);
  const saved = { ...NONE, fresh: 1000 };
  const record = costOf(facts({ ...left, rounds: [{ input: 10 }], saved }));
  assert.deepEqual(record, {
    basis: "measured",
    nanoUsd: 25_000,
    savedGrossNanoUsd: 2_500_000,
    savedNetNanoUsd: 2_500_000,
  });
});

Deno.test("costOf counts usage of a failed request, which saved nothing", () => {
  const saved = { ...NONE, fresh: 1000 };
  assert.deepEqual(
    setUp().costOf(
      facts({ model: "gpt-4o", status: 500, rounds: [{ input: 10 }], saved }),
    ),
    {
      basis: "measured",
      nanoUsd: 25_000,
      savedGrossNanoUsd: 0,
      savedNetNanoUsd: 0,
    },
  );
});

Deno.test("costOf weighs savings by price, less what was added and further rounds", () => {
  const record = setUp().costOf(facts({
    model: "claude-opus-4-5",
    rounds: [
      { input: 10, cacheRead: 5000, cacheWrite: 2000, output: 50 },
      { input: 500, cacheRead: 7000, output: 100 },
    ],
    saved: { fresh: 1000, kept: 8000, addedFresh: 0, addedKept: 80 },
  }));
  assert.equal(record?.savedGrossNanoUsd, 45_000_000);
  // 1000 × 6250 + (8000 − 80) × 500 − (500 × 5000 + 7000 × 500)
  assert.equal(record?.savedNetNanoUsd, 4_210_000);
});

Deno.test("costOf has no amounts without a price, and warns once per model with the limit it assumes", () => {
  const { costOf, reserveFor, warnings } = setUp();
  const rounds = [{ input: 10 }];
  for (const model of ["stranger", "stranger", "other"]) {
    assert.equal(reserveFor(model, 1000), 0);
    assert.deepEqual(costOf(facts({ model, rounds })), {
      basis: "measured",
      nanoUsd: undefined,
      savedGrossNanoUsd: undefined,
      savedNetNanoUsd: undefined,
    });
  }
  assert.deepEqual(warnings, [
    'warn model_unknown {"model":"stranger","context_limit":128000,"price":"none"}',
    'warn model_unknown {"model":"other","context_limit":128000,"price":"none"}',
  ]);
});

Deno.test("costOf uses a price that is inferred, warns of it once, and priceOf marks it", () => {
  const { costOf, priceOf, limitOf, warnings } = setUp();
  const model = "claude-opus-77";
  assert.equal(priceOf(model)?.inferred, true);
  assert.equal(limitOf(model).inferred, true);
  assert.deepEqual(warnings, []);
  const rounds = [{ input: 10 }];
  assert.equal(costOf(facts({ model, rounds }))?.nanoUsd, 50_000);
  assert.equal(costOf(facts({ model, rounds }))?.basis, "measured");
  assert.deepEqual(warnings, [
    'warn model_unknown {"model":"claude-opus-77","context_limit":200000,"price":"inferred"}',
  ]);
});

Deno.test("costOf warns a bounded number of times, with names of bounded length", () => {
  const { costOf, warnings } = setUp();
  const rounds = [{ input: 10 }];
  for (let i = 0; i < 2000; i++) {
    costOf(facts({ model: `${i}${"x".repeat(300)}`, rounds }));
  }
  assert.equal(warnings.length, 1001);
  assert.equal(
    warnings.pop(),
    'warn models_not_logged {"about":"model_unknown","models":1000}',
  );
  assert.ok(warnings.every((warning) => warning.length < 250));
  // Another event has a bound of its own.
  for (let i = 0; i < 2000; i++) costOf(facts({ model: `${i}`, rounds: [{}] }));
  const more = warnings.slice(1000);
  assert.equal(more.length, 1001);
  assert.match(more[0]!, /^warn cost_estimated /);
  assert.match(more[1000]!, /^warn models_not_logged .*"cost_estimated"/);
});

Deno.test("reserveFor takes the prompt at its dearest price and 4096 tokens of answer", () => {
  const { reserveFor } = setUp();
  // 100 tokens for an hour in the cache, and the answer.
  assert.equal(
    reserveFor("claude-opus-4-5", 300),
    100 * 10_000 + 4096 * 25_000,
  );
  assert.equal(reserveFor("gpt-4o", 301), 101 * 2500 + 4096 * 10_000);
  assert.equal(reserveFor("gpt-4o", 0), 4096 * 10_000);
});

Deno.test("reserveFor takes the prices above the threshold, and no more tokens than the model takes", () => {
  const { reserveFor } = setUp();
  assert.equal(
    reserveFor("gemini-2.5-pro", 600_003),
    200_001 * 2500 + 4096 * 15_000,
  );
  assert.equal(
    reserveFor("gpt-4o", 1e9),
    128_000 * 2500 + 4096 * 10_000,
  );
});

const count = fc.nat({ max: 50_000_000 });
const anyUsage = fc.record({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count,
}, { requiredKeys: [] });
const anyFacts = fc.record({
  model: fc.constantFrom(
    "claude-opus-5",
    "gpt-5.5",
    "gemini-2.5-pro",
    "o1-pro",
    "stranger",
    "",
  ),
  status: fc.constantFrom(200, 400, 499, 500),
  rounds: fc.array(anyUsage, { maxLength: 4 }),
  tokensAfter: count,
  saved: fc.record({
    fresh: count,
    kept: count,
    addedFresh: count,
    addedKept: count,
  }),
});

Deno.test("costOf gives safe integers or nothing, for any facts", () => {
  const { costOf } = setUp();
  fc.assert(fc.property(anyFacts, fc.boolean(), (given, isMarked) => {
    const marked = isMarked && { hasOwnBreakpoints: true as const };
    const record = costOf({ ...given, ...marked });
    if (record === undefined) return;
    assert.ok(Number.isSafeInteger(record.savedByCacheNanoUsd ?? 0));
    const { nanoUsd, savedGrossNanoUsd, savedNetNanoUsd } = record;
    const isKnown = !["stranger", ""].includes(given.model);
    for (const amount of [nanoUsd, savedGrossNanoUsd, savedNetNanoUsd]) {
      assert.equal(amount !== undefined, isKnown);
      assert.ok(amount === undefined || Number.isSafeInteger(amount));
    }
    assert.ok((nanoUsd ?? 0) >= 0 && (savedGrossNanoUsd ?? 0) >= 0);
  }));
});

Deno.test("costOf of a request is the sum of its rounds' costs, to the rounding of each", () => {
  const { costOf } = setUp();
  fc.assert(fc.property(anyFacts, (given) => {
    const cost = (rounds: CostFacts["rounds"]) =>
      costOf({ ...given, status: 200, rounds })?.nanoUsd ?? 0;
    const apart = given.rounds.reduce((sum, round) => sum + cost([round]), 0);
    assert.ok(Math.abs(apart - cost(given.rounds)) <= given.rounds.length);
  }));
});

Deno.test("costOf saves nothing of a request that the client left before its prompt was billed", () => {
  const { costOf } = setUp();
  const left = { model: "gpt-4o", status: 499, tokensAfter: 1000 };
  const saved = { ...NONE, fresh: 1000 };
  const rounds = [{ outputEstimate: 3 }];
  const record = costOf(facts({ ...left, rounds, saved }));
  assert.ok(record?.nanoUsd! > 0);
  assert.equal(record?.savedGrossNanoUsd, 0);
  assert.equal(record?.savedNetNanoUsd, 0);
});

Deno.test("costOf saves nothing where nothing was saved, added or asked again", () => {
  const { costOf } = setUp();
  fc.assert(fc.property(anyFacts, (given) => {
    const rounds = given.rounds.slice(0, 1);
    const record = costOf({ ...given, rounds, saved: NONE });
    assert.equal(record?.savedGrossNanoUsd ?? 0, 0);
    assert.equal(record?.savedNetNanoUsd ?? 0, 0);
  }));
});

Deno.test("costOf estimates an answer whose end never came by the larger of what was said and what its size tells", () => {
  const { costOf } = setUp();
  const cost = (round: object, status = 499) =>
    costOf(facts({ model: "claude-opus-4-5", status, rounds: [round] }));
  const broken = cost({ input: 1000, output: 1, outputEstimate: 400 });
  assert.equal(broken?.basis, "estimated");
  // 1000 at 5 and 400 at 25 USD per million.
  assert.equal(broken?.nanoUsd, 5_000_000 + 10_000_000);
  const said = cost({ input: 1000, output: 500, outputEstimate: 400 });
  assert.equal(said?.nanoUsd, 5_000_000 + 12_500_000);
  const whole = cost({ input: 1000, output: 1 }, 200);
  assert.equal(whole?.basis, "measured");
});

Deno.test("costOf books an answer that broke off although nothing was reported", () => {
  const broken = setUp().costOf(facts({
    model: "claude-opus-4-5",
    status: 502,
    tokensAfter: 1000,
    rounds: [{ outputEstimate: 400 }],
  }));
  assert.equal(broken?.nanoUsd, 5_000_000 + 10_000_000);
  assert.equal(broken?.basis, "estimated");
});

Deno.test("costOf adds what another model saved, and counts a cache that was lost with it", () => {
  const { costOf } = setUp();
  const usage = { input: 1000, output: 100 };
  const asked = facts({ model: "claude-haiku-4-5", rounds: [usage] });
  const own = bill("claude-haiku-4-5", usage)!;
  const other = bill("claude-opus-4-5", usage)!;
  const routed = costOf({ ...asked, routedFrom: "claude-opus-4-5" })!;
  assert.equal(routed.nanoUsd, own);
  assert.equal(routed.savedByRouteNanoUsd, other - own);
  assert.equal(routed.savedNetNanoUsd, other - own);
  // The client's model would have read the prompt from its cache.
  const read = bill("claude-opus-4-5", { cacheRead: 1000, output: 100 })!;
  const begun = { ...asked, routedFrom: "claude-opus-4-5", isBegun: true };
  assert.equal(costOf(begun)!.savedByRouteNanoUsd, read - own);
  const failed = { ...begun, status: 500 };
  assert.equal(costOf(failed)?.savedByRouteNanoUsd ?? 0, 0);
  const unknown = costOf({ ...asked, routedFrom: "nobody-knows" })!;
  assert.equal("savedByRouteNanoUsd" in unknown, false);
});

/** 5 USD per million tokens of input, 6.25 written, 0.5 read, 25 of output. */
const MARKED = facts({ model: "claude-opus-4-5", hasOwnBreakpoints: true });

Deno.test("costOf adds what breakpoints of ours saved: the prompt at the price of input less what it cost", () => {
  const { costOf } = setUp();
  const read = costOf({
    ...MARKED,
    rounds: [{ input: 100, cacheRead: 9000, cacheWrite: 900, output: 50 }],
  });
  assert.deepEqual(read, {
    basis: "measured",
    // 100 × 5000 + 9000 × 500 + 900 × 6250 + 50 × 25000
    nanoUsd: 11_875_000,
    savedGrossNanoUsd: 0,
    // 10000 × 5000 - 10625000
    savedNetNanoUsd: 39_375_000,
    savedByCacheNanoUsd: 39_375_000,
  });
  const own = costOf(facts({
    model: "claude-opus-4-5",
    rounds: [{ cacheRead: 9000 }],
  }))!;
  assert.equal("savedByCacheNanoUsd" in own, false);
  assert.equal(own.savedNetNanoUsd, 0);
});

Deno.test("costOf subtracts what breakpoints of ours cost where more was written than read", () => {
  const { costOf } = setUp();
  const saved = { ...NONE, fresh: 1000 };
  const written = costOf({ ...MARKED, rounds: [{ cacheWrite: 8000 }], saved });
  assert.equal(written?.savedByCacheNanoUsd, -8000 * 1250);
  // What compression took away would have had the price of input.
  assert.equal(written?.savedNetNanoUsd, 1000 * 5000 - 8000 * 1250);
  const hour = costOf({
    ...MARKED,
    rounds: [{ cacheWrite: 8000, cacheWrite1h: 8000 }],
  });
  assert.equal(hour?.savedByCacheNanoUsd, -8000 * 5000);
});

Deno.test("costOf has savings by breakpoints with the price of input for what stays in a cache", () => {
  const record = setUp().costOf({
    ...MARKED,
    rounds: [
      { cacheRead: 5000, cacheWrite: 1000 },
      { input: 500, cacheRead: 6000 },
    ],
    saved: { fresh: 1000, kept: 8000, addedFresh: 0, addedKept: 80 },
  });
  // 6000 × 5000 - 5000 × 500 - 1000 × 6250
  assert.equal(record?.savedByCacheNanoUsd, 21_250_000);
  assert.equal(
    record?.savedNetNanoUsd,
    21_250_000 + (1000 + 8000 - 80) * 5000 - (500 * 5000 + 6000 * 500),
  );
});

Deno.test("costOf parts what breakpoints of ours saved from what another model did", () => {
  const { costOf } = setUp();
  const usage = { input: 1000, cacheRead: 8000, cacheWrite: 1000, output: 100 };
  const asked = { ...MARKED, model: "claude-haiku-4-5", rounds: [usage] };
  const routedFrom = "claude-opus-4-5";
  const record = costOf({ ...asked, routedFrom, isBegun: true })!;
  // 10000 × 5000 - 1000 × 5000 - 8000 × 500 - 1000 × 6250
  assert.equal(record.savedByCacheNanoUsd, 34_750_000);
  const dear = bill(routedFrom, usage)!;
  assert.equal(record.savedByRouteNanoUsd, dear - record.nanoUsd!);
  // Together it is what the client's model costs without a cache, less what was paid.
  const without = bill(routedFrom, { input: 10_000, output: 100 })!;
  assert.equal(record.savedNetNanoUsd, without - record.nanoUsd!);
});

Deno.test("costOf has no savings by breakpoints of a request that failed, or that has no price", () => {
  const { costOf } = setUp();
  const rounds = [{ cacheRead: 9000 }];
  const failed = costOf({ ...MARKED, status: 500, rounds })!;
  assert.equal("savedByCacheNanoUsd" in failed, false);
  assert.equal(failed.savedNetNanoUsd, 0);
  const unknown = costOf({ ...MARKED, model: "stranger", rounds })!;
  assert.equal("savedByCacheNanoUsd" in unknown, false);
});

Deno.test("costOf has no savings by breakpoints of a model whose cache takes every prompt", () => {
  const { costOf } = setUp();
  const rounds = [{ input: 1000, cacheRead: 9000 }];
  for (const model of ["gpt-4o", "gpt-5"]) {
    const marked = costOf({ ...MARKED, model, rounds })!;
    assert.ok(marked.nanoUsd! > 0);
    assert.deepEqual(marked, costOf(facts({ model, rounds })));
  }
});
