import assert from "node:assert/strict";
import fc from "fast-check";
import { sumOfUsage, type Usage } from "../../src/core/usage.ts";

const ALL: Required<Omit<Usage, "outputEstimate">> = {
  input: 1,
  output: 20,
  cacheRead: 300,
  cacheWrite: 4000,
  cacheWrite1h: 50_000,
};

Deno.test("sumOfUsage adds every count of every round", () => {
  assert.deepEqual(sumOfUsage([ALL, ALL]), {
    input: 2,
    output: 40,
    cacheRead: 600,
    cacheWrite: 8000,
    cacheWrite1h: 100_000,
  });
});

Deno.test("sumOfUsage leaves out what no round reported, and keeps a zero that one did", () => {
  assert.deepEqual(sumOfUsage([]), {});
  assert.deepEqual(sumOfUsage([{}, {}]), {});
  assert.deepEqual(sumOfUsage([{ input: 0 }, { output: 3 }, { output: 4 }]), {
    input: 0,
    output: 7,
  });
});

Deno.test("sumOfUsage gives the same for rounds that were summed in parts before", () => {
  const count = fc.nat(1_000_000);
  const usages = fc.array(fc.record({
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite: count,
    cacheWrite1h: count,
  }, { requiredKeys: [] }));
  fc.assert(fc.property(usages, usages, (some, others) => {
    assert.deepEqual(
      sumOfUsage([sumOfUsage(some), sumOfUsage(others)]),
      sumOfUsage([...some, ...others]),
    );
  }));
});
