import assert from "node:assert/strict";
import { outliersOf, spreadOf, weightiest } from "../../src/text/series.ts";

const series = (...values: number[]) => Float64Array.from(values);
const level = (count: number, value: number) =>
  Array.from({ length: count }, (_, i) => value + i % 3);

Deno.test("spreadOf finds mean, deviation and extremes, missing values aside", () => {
  const spread = spreadOf(series(NaN, 2, 4, NaN, 4, 4, 5, 5, 7, 9))!;
  assert.equal(spread.mean, 5);
  assert.equal(spread.sigma, 2);
  assert.deepEqual([spread.least, spread.most], [1, 9]);
});

Deno.test("spreadOf has none for equal values and for no values", () => {
  assert.equal(spreadOf(series(3, 3, 3)), undefined);
  assert.equal(spreadOf(series(NaN)), undefined);
  assert.equal(spreadOf(series()), undefined);
});

Deno.test("spreadOf tells ids and times, which only rise, from measures", () => {
  assert.equal(spreadOf(series(1, 2, 3, 5, 8))?.isMonotone, true);
  assert.equal(spreadOf(series(9, 7, 4, 1))?.isMonotone, true);
  assert.equal(spreadOf(series(1, 3, 2, 4, 3))?.isMonotone, false);
});

Deno.test("outliersOf finds a value beyond two deviations at any place", () => {
  for (const place of [0, 17, 39]) {
    const values = series(...level(40, 10));
    values[place] = 90;
    const found = outliersOf(values, spreadOf(values)!, 2);
    assert.deepEqual(found.map(({ row }) => row), [place]);
  }
});

Deno.test("weightiest takes the largest weights, of equal ones the earlier rows", () => {
  const all = [3, 9, 9, 1].map((weight, row) => ({ row, weight }));
  assert.deepEqual(weightiest(all, 3), [1, 2, 0]);
});
