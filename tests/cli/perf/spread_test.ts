import assert from "node:assert/strict";
import fc from "fast-check";
import { spreadOf } from "../../../src/cli/perf/spread.ts";

Deno.test("spreadOf takes percentiles by the nearest rank", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.deepEqual(spreadOf(values), {
    count: 100,
    avg: 50.5,
    p50: 50,
    p90: 90,
    p95: 95,
    p99: 99,
    max: 100,
  });
  assert.equal(spreadOf([1, 2]).p50, 1);
  assert.equal(spreadOf([1.23456]).p99, 1.235);
});

Deno.test("spreadOf knows nothing of no values", () => {
  const { count, ...rest } = spreadOf([]);
  assert.equal(count, 0);
  assert.deepEqual([...new Set(Object.values(rest))], [null]);
});

Deno.test("spreadOf's percentiles rise, and are values that were met", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
    (values) => {
      const { p50, p90, p95, p99, max } = spreadOf([...values]);
      const row = [p50, p90, p95, p99, max].map(Number);
      assert.deepEqual(row, row.toSorted((a, b) => a - b));
      for (const value of row) assert(values.includes(value));
      assert(
        values.filter((value) => value <= p50!).length * 2 >= values.length,
      );
    },
  ));
});
