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
  assert.deepEqual(categories?.first, [0, 1]);
  assert.deepEqual(categories?.sizes, [4, 16]);
  assert.deepEqual(
    [...categories!.of].flatMap((group, i) => group === 0 ? [i] : []),
    [0, 5, 10, 15],
  );
  assert.equal(profile(times(20, (i) => `v${i}`)).categories, undefined);
});

Deno.test("profileOf finds texts that differ in their numbers alone alike", () => {
  const texts = times(
    40,
    (i) => i === 7 ? "cache rebuilt" : `request ${i} took ${i * 3}ms`,
  );
  const { patterns } = profile(texts);
  assert.deepEqual(patterns?.sizes, [39, 1]);
  assert.deepEqual(patterns?.first, [0, 7]);
});

Deno.test("profileOf tells texts of the same length, ends and middle apart", () => {
  const texts = times(40, (i) => `a${"xyz"[i % 3]}m${"uvw"[i % 3]}b`);
  const { categories } = profile([...texts, "aymub"]);
  assert.deepEqual(categories?.sizes, [14, 13, 13, 1]);
  assert.deepEqual(categories?.first, [0, 1, 2, 40]);
});

Deno.test("profileOf groups many rows with more texts than a guess holds", () => {
  const texts = times(600, (i) => `worker-${i * 7 % 20}`);
  assert.deepEqual(profile(texts).categories?.sizes, Array(20).fill(30));
});
