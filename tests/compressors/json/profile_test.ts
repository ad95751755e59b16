import assert from "node:assert/strict";
import {
  type Profile,
  profileOf,
} from "../../../src/compressors/json/profile.ts";
import { childrenOf } from "../../../src/compressors/json/tape.ts";
import { tapeOfValue } from "./tapes.ts";

function profile(values: readonly unknown[]): Profile {
  const tape = tapeOfValue(values);
  const cells = childrenOf(tape, 1);
  return profileOf(tape, { key: "", cells, present: cells.length });
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

Deno.test("profileOf reads numbers, also those written as strings", () => {
  assert.deepEqual([...profile([1, 2.5, -3, 1e3]).numbers!], [
    1,
    2.5,
    -3,
    1000,
  ]);
  assert.deepEqual([...profile(["1", "2.50"]).numbers!], [1, 2.5]);
  assert.equal(profile([1, "x"]).numbers, undefined);
  assert.equal(profile([1, null]).numbers, undefined);
});

Deno.test("profileOf groups the rows of a few distinct values", () => {
  const { categories } = profile(
    times(20, (i) => i % 5 === 0 ? "warn" : "info"),
  );
  assert.deepEqual(categories?.get('"warn"'), [0, 5, 10, 15]);
  assert.equal(categories?.size, 2);
  assert.equal(profile(times(20, (i) => `v${i}`)).categories, undefined);
});

Deno.test("profileOf finds texts that differ in their numbers alone alike", () => {
  const texts = times(
    40,
    (i) => i === 7 ? "cache rebuilt" : `request ${i} took ${i * 3}ms`,
  );
  const { patterns } = profile(texts);
  assert.equal(patterns?.size, 2);
  assert.ok(
    [...patterns.values()].some((rows) => rows.length === 1 && rows[0] === 7),
  );
});
