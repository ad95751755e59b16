import assert from "node:assert/strict";
import { addTo, countsOf } from "../../src/text/counts.ts";

Deno.test("countsOf counts values in order of appearance", () => {
  assert.deepEqual([...countsOf("abca")], [["a", 2], ["b", 1], ["c", 1]]);
});

Deno.test("addTo keeps the values of each key in order", () => {
  const map = new Map<string, number[]>();
  for (const [i, key] of [..."aba"].entries()) addTo(map, key, i);
  assert.deepEqual([...map], [["a", [0, 2]], ["b", [1]]]);
});
