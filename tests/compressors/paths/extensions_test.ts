import assert from "node:assert/strict";
import { byExtension } from "../../../src/compressors/paths/extensions.ts";
import { runsOf } from "../../../src/compressors/paths/runs.ts";
import { rowsOf } from "./samples.ts";

function pieces(names: readonly string[]) {
  const rows = rowsOf(names.map((name) => `src/${name}`).join("\n"));
  const [run] = runsOf(rows, 0, names.length);
  return byExtension(rows, run!, 0).pieces.map(({ from, to, hoist }) => [
    from,
    to,
    hoist,
  ]);
}

const many = (count: number, end: string) =>
  Array.from({ length: count }, (_, i) => `name${"abcdefghijklmnop"[i]}${end}`);

Deno.test("byExtension hoists what all names share", () => {
  assert.deepEqual(pieces(many(4, ".ts")), [[0, 4, true]]);
});

Deno.test("byExtension does not split a few names of each kind", () => {
  const names = ["a.ts", "a.css", "b.ts", "b.css", "c.ts"];
  assert.deepEqual(pieces(names), [[0, 5, false]]);
});

Deno.test("byExtension splits long stretches, in their order", () => {
  const names = [...many(12, ".ts"), "x.md", ...many(12, ".json")];
  assert.deepEqual(pieces(names), [
    [0, 12, true],
    [12, 13, false],
    [13, 25, true],
  ]);
});
