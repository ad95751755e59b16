import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  groupsOf,
  hashOf,
  patternOf,
  rareRows,
} from "../../../src/text/signs/columns.ts";

/** Groups of texts, by the hash of each. */
function groupsIn(texts: readonly string[], hash: typeof hashOf = hashOf) {
  const codes = texts.map(codesOf);
  return groupsOf(
    Int32Array.from(texts, (text, i) => text === "" ? 0 : i + 1),
    (cell) => hash(codes[cell - 1]!, 0, codes[cell - 1]!.length),
  );
}

const open = Array.from({ length: 100 }, () => "open");

Deno.test("groupsOf puts rows that are alike together, those without a value too", () => {
  const groups = groupsIn(["a", "b", "", "a", "b", "", "a", "a", "b", "a"]);
  assert.equal(groups, undefined);
  const many = groupsIn([...open, "closed", "", ""]);
  assert.deepEqual(many?.sizes, [100, 1, 2]);
  assert.deepEqual(many?.first, [0, 100, 101]);
  assert.equal(many?.of[102], 2);
});

Deno.test("groupsOf gives up on ids", () => {
  const ids = Array.from({ length: 400 }, (_, i) => `id-${i}`);
  assert.equal(groupsIn(ids), undefined);
});

Deno.test("rareRows gives the first row of each rare value, unless many rows have one", () => {
  const rows = rareRows(groupsIn([...open, "closed", "lost", "lost"]));
  assert.deepEqual(rows.map(({ row }) => row), [100, 101]);
  const mixed = Array.from({ length: 100 }, (_, i) => `v${i % 25}`);
  assert.deepEqual(rareRows(groupsIn(mixed)), []);
  assert.deepEqual(rareRows(undefined), []);
});

Deno.test("rareRows gives what is rare among many values, where so many are counted", () => {
  const cities = Array.from({ length: 300 }, (_, i) => `city-${i % 60}`);
  const texts = [...cities, "Atlantis"];
  const cells = Int32Array.from(texts, (_, i) => i + 1);
  const groups = groupsOf(cells, (cell) => texts[cell - 1]!, 200);
  assert.deepEqual(rareRows(groups).map(({ row }) => row), [300]);
  assert.equal(groupsOf(cells, (cell) => texts[cell - 1]!), undefined);
});

Deno.test("patternOf takes words with digits for alike, and no others", () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `handled req${i} of a_${i}`,
  );
  const groups = groupsIn([...texts, "cache rebuilt"], patternOf);
  assert.deepEqual(groups?.sizes, [60, 1]);
  assert.notEqual(
    hashOf(codesOf("a1"), 0, 2),
    hashOf(codesOf("a2"), 0, 2),
  );
});
