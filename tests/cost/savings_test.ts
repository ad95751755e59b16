import assert from "node:assert/strict";
import fc from "fast-check";
import type { Rates } from "../../src/cost/rates.ts";
import { grossSaving, netSaving } from "../../src/cost/savings.ts";

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
