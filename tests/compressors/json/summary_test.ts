import assert from "node:assert/strict";
import { profileOf } from "../../../src/compressors/json/profile.ts";
import {
  namesOf,
  summaryNote,
  summaryOf,
} from "../../../src/compressors/json/summary.ts";
import { gridIn, tapeOfValue } from "./tapes.ts";

function summary(
  rows: readonly object[],
  kept: readonly number[] = [0],
): string {
  const tape = tapeOfValue(rows);
  const grid = gridIn(tape);
  const profiles = grid.leaves.map((column) => profileOf(tape, column));
  const keep = Uint8Array.from(rows, (_, i) => kept.includes(i) ? 1 : 0);
  return summaryOf(tape, { keep, profiles }, namesOf(grid.columns));
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

Deno.test("summaryOf counts categories and gives ranges of the rows left out", () => {
  const rows = times(40, (i) => ({
    state: i % 4 === 0 ? "closed" : "open",
    user: { age: 20 + i },
    at: `2024-03-${String(1 + i % 28).padStart(2, "0")}`,
    text: `words ${i}`,
  }));
  assert.equal(
    summary(rows),
    "state open×30, closed×9; user.age 21..59; at 2024-03-01..2024-03-28",
  );
});

Deno.test("summaryOf counts missing values", () => {
  const rows = times(40, (i) => i % 2 ? { a: i, b: true } : { a: i });
  assert.match(summary(rows), /b true×20, \(none\)×19/);
});

Deno.test("summaryOf is silent about few rows and about free text", () => {
  const rows = times(40, (i) => ({ a: `text ${i}`, b: i }));
  assert.equal(summary(rows, times(35, (i) => i)), "");
  assert.doesNotMatch(summary(rows), /text/);
});

Deno.test("summaryOf stays short", () => {
  const rows = times(
    60,
    (i) =>
      Object.fromEntries(times(40, (c) => [`column_number_${c}`, (i + c) % 9])),
  );
  assert.ok(summary(rows).length < 400);
});

Deno.test("namesOf gives the path of nested columns", () => {
  const tape = tapeOfValue(
    times(4, (i) => ({ a: { b: i, c: -i }, d: [{ e: i }] })),
  );
  assert.deepEqual([...namesOf(gridIn(tape).columns).values()], [
    "a",
    "a.b",
    "a.c",
    "d",
    "d[0].e",
  ]);
});

Deno.test("summaryNote says how many rows it is about, and nothing about few", () => {
  const tape = tapeOfValue(times(30, (i) => ({ state: i % 2 ? "on" : "off" })));
  const grid = gridIn(tape);
  const profiles = grid.leaves.map((column) => profileOf(tape, column));
  const keep = new Uint8Array(30).fill(1, 0, 10);
  assert.equal(
    summaryNote(tape, grid, { keep, profiles }),
    "… the 20 omitted: state off×10, on×10",
  );
  keep.fill(1);
  assert.equal(summaryNote(tape, grid, { keep, profiles }), "");
});
