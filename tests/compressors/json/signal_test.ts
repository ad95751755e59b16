import assert from "node:assert/strict";
import { profileOf } from "../../../src/compressors/json/profile.ts";
import { standoutRows } from "../../../src/compressors/json/signal.ts";
import { childrenOf } from "../../../src/compressors/json/tape.ts";
import { tapeOfValue } from "./tapes.ts";

function standout(values: readonly unknown[]): number[] {
  const tape = tapeOfValue(values);
  const cells = childrenOf(tape, 1);
  const profile = profileOf(tape, { key: "", cells, present: cells.length });
  return [...new Set(standoutRows([profile]))].sort((a, b) => a - b);
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

Deno.test("standoutRows finds a number far from the others", () => {
  assert.deepEqual(standout(times(100, (i) => i === 61 ? 900 : i * 37 % 11)), [
    61,
  ]);
  assert.deepEqual(standout(times(100, (i) => i === 61 ? -900 : i * 37 % 11)), [
    61,
  ]);
});

Deno.test("standoutRows finds nothing in ids, times and constants", () => {
  assert.deepEqual(standout(times(100, (i) => i * i * i)), []);
  assert.deepEqual(standout(times(100, (i) => 1_700_000_000 - i)), []);
  assert.deepEqual(standout(times(100, () => 5)), []);
});

Deno.test("standoutRows keeps few outliers of a column that has many", () => {
  const heavy = times(1_000, (i) => i % 17 === 0 ? 1_000 + i : i % 7);
  const found = standout(heavy);
  assert.ok(found.length > 0 && found.length <= 7, `${found}`);
});

Deno.test("standoutRows finds where the level of a series changes", () => {
  const found = standout(times(60, (i) => (i < 30 ? 100 : 200) + i * 7 % 3));
  assert.equal(found.length, 1);
  assert.ok(Math.abs(found[0]! - 30) <= 1, `${found}`);
});

Deno.test("standoutRows finds rare values, and none where all are rare", () => {
  assert.deepEqual(standout(times(100, (i) => i === 42 ? "closed" : "open")), [
    42,
  ]);
  assert.deepEqual(standout(times(100, (i) => i === 42 ? false : true)), [42]);
  assert.deepEqual(standout(times(100, (i) => `v${i % 25}`)), []);
});

Deno.test("standoutRows finds a text unlike the others", () => {
  const texts = times(
    100,
    (i) => i === 70 ? "cache rebuilt" : `handled request ${i}`,
  );
  assert.deepEqual(standout(texts), [70]);
});
