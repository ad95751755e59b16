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

Deno.test("extremesOf finds the only zero where all others are well above it", () => {
  const values = Array.from({ length: 300 }, (_, i) => usual(i));
  values[7] = 0;
  assert.deepEqual(rowsOf(values), [7]);
  values.fill(0, 7, 12);
  assert.deepEqual(rowsOf(values), []);
});

Deno.test("extremesOf finds none in counters, in random ids, in equal values or in few", () => {
  const range = Array.from({ length: 500 }, (_, i) => i);
  assert.deepEqual(rowsOf(range), []);
  assert.deepEqual(rowsOf(range.map((i) => (i * 7919) % 99991)), []);
  assert.deepEqual(rowsOf(range.map(() => 7)), []);
  assert.deepEqual(rowsOf([1, 2, 3, 1000]), []);
});

Deno.test("extremesOf finds the one of a few values that is ten times larger or smaller than the others", () => {
  const few = [41, 44, 39, 52, 47, 40, 43];
  const cases: readonly (readonly [number, readonly number[]])[] = [
    [3910, [3]],
    [3.5, [3]],
    [-48, [3]],
    [-48210, [3]],
    [400, []],
    [6, []],
    [0, []],
  ];
  for (const [value, expected] of cases) {
    assert.deepEqual(rowsOf(few.toSpliced(3, 0, value)), expected, `${value}`);
  }
  assert.deepEqual(rowsOf([-2, 3, 1, -9120, 2, -1, 3, 1]), [3]);
  assert.deepEqual(rowsOf(few.toSpliced(3, 0, 3910, 4100)), []);
  assert.deepEqual(rowsOf([0, 0, 0, 0, 0, 0, 0, 471]), [7]);
});

Deno.test("extremesOf finds no large value where values differ by factors", () => {
  const sizes = Array.from(
    { length: 300 },
    (_, i) => Math.exp(10 * Math.abs(Math.sin(i)) ** 3),
  );
  assert.deepEqual(rowsOf(sizes), []);
  sizes[150] = 1e9;
  assert.deepEqual(rowsOf(sizes), [150]);
});

Deno.test("extremesOf gives three of each end at most", () => {
  fc.assert(fc.property(fc.array(fc.double()), (values) => {
    assert.ok(rowsOf(values).length <= 6);
  }));
});
