import assert from "node:assert/strict";
import {
  childrenOf,
  spareEntries,
  treeOf,
} from "../../../src/compressors/config/siblings.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import { saidBy } from "../../../src/compressors/config/words_said.ts";
import { hostLines } from "./samples.ts";

function spared(lines: readonly string[]): number[] {
  const view = viewConfig(lines.join("\n"));
  const spare = spareEntries(view, treeOf(view), saidBy(view));
  return [...spare.keys()].filter((i) => spare[i]);
}

Deno.test("treeOf knows the end of each entry and the entries below it", () => {
  const view = viewConfig("a:\n  b: 1\n  # c\n  d:\n    - e\nf: 2");
  const tree = treeOf(view);
  assert.deepEqual([...tree.ends], [5, 2, 3, 5, 5, 6]);
  assert.deepEqual([...childrenOf(tree, 0)], [1, 3]);
  assert.deepEqual([...childrenOf(tree, 6)], [0, 5]);
});

Deno.test("spareEntries spares alike entries between the first five and the last two", () => {
  const lines = hostLines(12);
  assert.deepEqual(
    spared(lines),
    [5, 6, 7, 8, 9].map((i) => 2 + 6 * i),
  );
});

Deno.test("spareEntries spares nothing of a few entries, or of unlike ones", () => {
  assert.deepEqual(spared(hostLines(7)), []);
  const unlike = Array.from(
    { length: 20 },
    (_, i) => `  key${i}:\n    own${i}: 1\n    b: 2`,
  );
  assert.deepEqual(spared(["a:", ...unlike.join("\n").split("\n")]), []);
});

Deno.test("spareEntries keeps an entry with a rare value or with a failure", () => {
  const lines = hostLines(30);
  lines[2 + 6 * 12 + 5] = "    enabled: false";
  lines[2 + 6 * 15 + 2] = "    role: failed";
  const spare = spared(lines);
  assert.ok(!spare.includes(2 + 6 * 12));
  assert.ok(!spare.includes(2 + 6 * 15));
  assert.ok(spare.includes(2 + 6 * 14));
});

Deno.test("spareEntries keeps many values, and the ends of very many", () => {
  const keys = (count: number) =>
    Array.from({ length: count }, (_, i) => `key${i}: ${i}`);
  assert.deepEqual(spared(keys(250)), []);
  assert.equal(spared(keys(400)).length, 300);
  const items = Array.from({ length: 60 }, (_, i) => `- item ${i}`);
  assert.equal(spared(items).length, 45);
});
