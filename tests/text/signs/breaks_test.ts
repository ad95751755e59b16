import assert from "node:assert/strict";
import fc from "fast-check";
import { breakRows } from "../../../src/text/signs/breaks.ts";

const MINUTE = 60_000;
/** Values that rise by a minute, or by about one. */
const rising = (jitter: number) =>
  Float64Array.from(
    { length: 300 },
    (_, i) => i * MINUTE + jitter * ((i * 7919) % MINUTE),
  );
const moved = (values: Float64Array, from: number, by: number) =>
  values.map((value, i) => i < from ? value : value + by);

Deno.test("breakRows gives the rows on both sides of a gap", () => {
  for (const jitter of [0, 0.9]) {
    const values = rising(jitter);
    assert.deepEqual(breakRows(values, true), []);
    const late = moved(values, 120, 60 * MINUTE);
    assert.deepEqual(breakRows(late, true), [119, 120]);
    assert.deepEqual(
      breakRows(late.toReversed(), true).sort((a, b) => a - b),
      [179, 180],
    );
  }
});

Deno.test("breakRows sees one missing of regular times, not of ids", () => {
  const values = moved(rising(0), 200, MINUTE);
  assert.deepEqual(breakRows(values, true), [199, 200]);
  assert.deepEqual(breakRows(values, false), []);
  const ids = Float64Array.from({ length: 300 }, (_, i) => i);
  assert.deepEqual(breakRows(moved(ids, 200, 55), false), [199, 200]);
});

Deno.test("breakRows sees a clock that goes back", () => {
  const values = moved(rising(0.9), 90, -30 * MINUTE);
  assert.deepEqual(breakRows(values, true), [89, 90]);
});

Deno.test("breakRows takes what goes back again and again for usual", () => {
  const days = Float64Array.from({ length: 300 }, (_, i) => i % 50);
  assert.deepEqual(breakRows(days, true), []);
});

Deno.test("breakRows finds none in what has no order, in few values, and where a value is missing", () => {
  const mixed = rising(0).map((value, i) => value * (i * 7919 % 300));
  assert.deepEqual(breakRows(mixed, true), []);
  assert.deepEqual(breakRows(Float64Array.of(1, 2, 3, 900), true), []);
  assert.deepEqual(breakRows(new Float64Array(300), true), []);
  const holes = rising(0);
  holes[150] = NaN;
  assert.deepEqual(breakRows(holes, true), []);
});

Deno.test("breakRows gives at most three pairs of rows, all of the series", () => {
  fc.assert(fc.property(
    fc.array(fc.double({ noNaN: false }), { maxLength: 200 }),
    fc.boolean(),
    (values, isTime) => {
      const rows = breakRows(Float64Array.from(values), isTime);
      assert.ok(rows.length <= 6);
      assert.ok(rows.every((row) => row >= 0 && row < values.length));
    },
  ));
});
