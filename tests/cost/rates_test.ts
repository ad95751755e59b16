import assert from "node:assert/strict";
import fc from "fast-check";
import {
  fullRates,
  grossSaving,
  netSaving,
  outputCost,
  promptCost,
  promptTokens,
  type Rates,
  ratesFor,
  reportsPrompt,
  times,
  toNano,
} from "../../src/cost/rates.ts";

const RATES: Rates = {
  input: 5_000_000,
  output: 25_000_000,
  cacheRead: 500_000,
  cacheWrite: 6_250_000,
  cacheWrite1h: 10_000_000,
};

const count = fc.nat({ max: 20_000_000 });
const usage = fc.record({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count,
}, { requiredKeys: [] });

Deno.test("promptCost bills input, reads and both kinds of writes at their prices", () => {
  const cost = promptCost(
    { input: 100, cacheRead: 10_000, cacheWrite: 3000, cacheWrite1h: 1000 },
    RATES,
  );
  assert.equal(
    cost,
    100n * 5_000_000n + 10_000n * 500_000n + 2000n * 6_250_000n +
      1000n * 10_000_000n,
  );
});

Deno.test("promptCost takes writes for an hour that are reported alone, once", () => {
  assert.equal(promptCost({ cacheWrite1h: 2 }, RATES), 20_000_000n);
  assert.equal(
    promptCost({ cacheWrite: 1, cacheWrite1h: 2 }, RATES),
    20_000_000n,
  );
});

Deno.test("outputCost bills the answer only", () => {
  assert.equal(outputCost({ input: 9, output: 2 }, RATES), 50_000_000n);
  assert.equal(outputCost({}, RATES), 0n);
});

Deno.test("promptTokens counts cached tokens, and those written for an hour once", () => {
  const usage = { input: 1, output: 9, cacheRead: 20, cacheWrite: 300 };
  assert.equal(promptTokens({ ...usage, cacheWrite1h: 100 }), 321);
  assert.equal(promptTokens({}), 0);
});

Deno.test("reportsPrompt holds for a reported zero and not for an answer alone", () => {
  assert.equal(reportsPrompt({ input: 0 }), true);
  assert.equal(reportsPrompt({ cacheRead: 3 }), true);
  assert.equal(reportsPrompt({ output: 3 }), false);
});

Deno.test("ratesFor takes the dearer prices only above the threshold", () => {
  const rates = { ...RATES, input: 1 };
  const price = { base: RATES, above: { tokens: 200_000, rates } };
  assert.equal(ratesFor(price, 200_000), RATES);
  assert.equal(ratesFor(price, 200_001), rates);
  assert.equal(ratesFor({ base: RATES }, 1e9), RATES);
});

Deno.test("fullRates fills in the prices of cached tokens by family", () => {
  const known = { input: 4_000_000, output: 8_000_000 };
  const cached = (family: Parameters<typeof fullRates>[1]) => {
    const { cacheRead, cacheWrite, cacheWrite1h } = fullRates(known, family);
    return [cacheRead, cacheWrite, cacheWrite1h];
  };
  assert.deepEqual(cached("claude"), [400_000, 5_000_000, 8_000_000]);
  assert.deepEqual(cached("gpt"), [2_000_000, 4_000_000, 4_000_000]);
  assert.deepEqual(cached("gemini"), [1_000_000, 4_000_000, 4_000_000]);
  assert.deepEqual(cached(undefined), [4_000_000, 4_000_000, 4_000_000]);
});

Deno.test("fullRates keeps what is known, also a price of zero", () => {
  const known = { ...RATES, cacheRead: 0 };
  assert.deepEqual(fullRates(known, "claude"), known);
  const { cacheWrite1h } = fullRates(
    { input: 4, output: 8, cacheWrite: 5 },
    undefined,
  );
  assert.equal(cacheWrite1h, 5);
});

Deno.test("toNano rounds halves away from zero and stays a safe integer", () => {
  assert.equal(toNano(499n), 0);
  assert.equal(toNano(500n), 1);
  assert.equal(toNano(-500n), -1);
  assert.ok(Object.is(toNano(-499n), 0));
  assert.equal(toNano(10n ** 30n), Number.MAX_SAFE_INTEGER);
  assert.equal(toNano(-(10n ** 30n)), -Number.MAX_SAFE_INTEGER);
});

Deno.test("times counts what is no safe integer as nothing", () => {
  for (const tokens of [NaN, Infinity, 1.5, 2 ** 60]) {
    assert.equal(times(tokens, 7), 0n);
  }
  assert.equal(times(-3, 7), -21n);
  assert.equal(times(2 ** 53 - 1, 1e12), (2n ** 53n - 1n) * 10n ** 12n);
});

Deno.test("promptCost of two rounds at equal prices is that of their sum, for any usage with whole writes", () => {
  fc.assert(fc.property(usage, usage, (a, b) => {
    const whole = (one: typeof a) => ({
      input: one.input ?? 0,
      output: one.output ?? 0,
      cacheRead: one.cacheRead ?? 0,
      cacheWrite: (one.cacheWrite ?? 0) + (one.cacheWrite1h ?? 0),
      cacheWrite1h: one.cacheWrite1h ?? 0,
    });
    const [x, y] = [whole(a), whole(b)];
    const both = {
      input: x.input + y.input,
      output: x.output + y.output,
      cacheRead: x.cacheRead + y.cacheRead,
      cacheWrite: x.cacheWrite + y.cacheWrite,
      cacheWrite1h: x.cacheWrite1h + y.cacheWrite1h,
    };
    assert.equal(
      promptCost(x, RATES) + promptCost(y, RATES),
      promptCost(both, RATES),
    );
    assert.equal(
      outputCost(x, RATES) + outputCost(y, RATES),
      outputCost(both, RATES),
    );
  }));
});

Deno.test("promptCost lies between the cheapest and the dearest price, for any usage", () => {
  fc.assert(fc.property(usage, (one) => {
    const tokens = BigInt(promptTokens(one));
    const cost = promptCost(one, RATES);
    assert.ok(cost >= tokens * 500_000n && cost <= tokens * 10_000_000n);
  }));
});

const rates: Rates = {
  input: 100,
  output: 500,
  cacheRead: 10,
  cacheWrite: 125,
  cacheWrite1h: 200,
};
const none = { fresh: 0, kept: 0, addedFresh: 0, addedKept: 0 };
const furtherPrompts = 0n;
const net = (saved: object, first: object) =>
  netSaving({ saved: { ...none, ...saved }, first, rates, furtherPrompts });

Deno.test("grossSaving takes every saved token at the price of input", () => {
  const saved = { fresh: 3, kept: 40, addedFresh: 5, addedKept: 6 };
  assert.equal(grossSaving(saved, rates), 4300n);
});

Deno.test("netSaving takes new tokens at the price that new tokens had", () => {
  assert.equal(net({ fresh: 2 }, { input: 9 }), 200n);
  assert.equal(net({ fresh: 2 }, { input: 9, cacheRead: 5 }), 200n);
  assert.equal(net({ fresh: 2 }, { input: 9, cacheWrite: 5 }), 250n);
  const half = { cacheWrite: 10, cacheWrite1h: 5 };
  assert.equal(net({ fresh: 2 }, half), 250n);
  assert.equal(net({ fresh: 2 }, { ...half, cacheWrite1h: 6 }), 400n);
});

Deno.test("netSaving takes old tokens at the price of a read where the cache was read, else as new ones", () => {
  assert.equal(net({ kept: 2 }, { input: 9, cacheRead: 5 }), 20n);
  assert.equal(net({ kept: 2 }, { input: 9, cacheRead: 0 }), 200n);
  assert.equal(net({ kept: 2 }, { input: 9, cacheWrite: 5 }), 250n);
});

Deno.test("netSaving takes old tokens at the price of a read where nothing is reported", () => {
  assert.equal(net({ kept: 2, fresh: 1 }, {}), 120n);
  assert.equal(net({ kept: 2, fresh: 1 }, { output: 7 }), 120n);
});

Deno.test("netSaving subtracts what was added and what further rounds cost", () => {
  const saved = { fresh: 9, kept: 90, addedFresh: 4, addedKept: 30 };
  const first = { input: 1, cacheRead: 1, cacheWrite: 1 };
  assert.equal(net(saved, first), 5n * 125n + 60n * 10n);
  assert.equal(
    netSaving({ saved, first, rates, furtherPrompts: 5000n }),
    -3775n,
  );
});

Deno.test("netSaving lies within the saved tokens at the cheapest and dearest price, when nothing is added", () => {
  const count = fc.nat({ max: 1e7 });
  const usage = fc.record(
    { input: count, cacheRead: count, cacheWrite: count, cacheWrite1h: count },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(count, count, usage, (fresh, kept, first) => {
    const saving = net({ fresh, kept }, first);
    assert.ok(saving >= BigInt(fresh) * 100n + BigInt(kept) * 10n);
    assert.ok(saving <= BigInt(fresh + kept) * 200n);
    // Where the cache plays no part both figures are the same.
    const plain = net({ fresh, kept }, { input: 1 });
    assert.equal(plain, grossSaving({ ...none, fresh, kept }, rates));
  }));
});

Deno.test("netSaving is never above the gross one where the cache is read and not written and nothing is added", () => {
  const count = fc.nat({ max: 1e7 });
  fc.assert(fc.property(count, count, (fresh, kept) => {
    const saving = net({ fresh, kept }, { input: 1, cacheRead: 1 });
    assert.ok(saving <= grossSaving({ ...none, fresh, kept }, rates));
  }));
});
