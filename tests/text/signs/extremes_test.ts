import assert from "node:assert/strict";
import fc from "fast-check";
import { extremesOf } from "../../../src/text/signs/extremes.ts";

const usual = (i: number) => 40 + (i * 7919) % 160;
const rowsOf = (values: readonly number[]) =>
  extremesOf(Float64Array.from(values)).map(({ row }) => row).sort((a, b) =>
    a - b
  );

Deno.test("extremesOf finds the few values that are far from all others, at both ends", () => {
  const values = Array.from({ length: 300 }, (_, i) => usual(i));
  assert.deepEqual(rowsOf(values), []);
  values[20] = 48210;
  values[30] = -9000;
  values[40] = NaN;
  assert.deepEqual(rowsOf(values), [20, 30]);
});

Deno.test("extremesOf finds a negative number among positive ones", () => {
  const values = Array.from({ length: 300 }, (_, i) => usual(i));
  values[7] = -1;
  assert.deepEqual(rowsOf(values), [7]);
});

Deno.test("extremesOf finds none in counters, in random ids, in equal values or in few", () => {
  const range = Array.from({ length: 500 }, (_, i) => i);
  assert.deepEqual(rowsOf(range), []);
  assert.deepEqual(rowsOf(range.map((i) => (i * 7919) % 99991)), []);
  assert.deepEqual(rowsOf(range.map(() => 7)), []);
  assert.deepEqual(rowsOf([1, 2, 3, 1000]), []);
});

Deno.test("extremesOf gives three of each end at most", () => {
  fc.assert(fc.property(fc.array(fc.double()), (values) => {
    assert.ok(rowsOf(values).length <= 6);
  }));
});
