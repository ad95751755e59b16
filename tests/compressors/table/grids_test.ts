import assert from "node:assert/strict";
import {
  byPlace,
  byWord,
  DASHES,
  wordGrid,
} from "../../../src/compressors/table/grids.ts";
import type { Grid } from "../../../src/compressors/table/fixed.ts";
import { indexLines } from "../../../src/text/lines.ts";

function cellsOf({ lines, cells, columns }: Grid, row: number): string[] {
  return Array.from({ length: columns }, (_, j) => {
    const at = 2 * (row * columns + j);
    return lines.text.slice(cells[at], cells[at + 1]);
  });
}

Deno.test("byPlace splits where every line has a blank and a name starts", () => {
  const lines = indexLines(
    "CONTAINER ID   CREATED        PORTS     NAMES\n" +
      "3fa9c1d20b77   2 hours ago              web\n" +
      "3fa9c1d20b78   3 hours ago    80/tcp    db one\n",
  );
  const grid = byPlace(lines, 0, 3)!;
  assert.deepEqual(cellsOf(grid, 0), [
    "CONTAINER ID",
    "CREATED",
    "PORTS",
    "NAMES",
  ]);
  assert.deepEqual(cellsOf(grid, 1), [
    "3fa9c1d20b77",
    "2 hours ago",
    "",
    "web",
  ]);
});

Deno.test("byPlace gives up when a column would have two names", () => {
  const lines = indexLines("VSZ   RSS  TTY\n1234567890  ?\n12   34     ?\n");
  assert.equal(byPlace(lines, 0, 3), undefined);
});

Deno.test("byPlace and byWord keep a name of two words above the last column", () => {
  const lines = indexLines("Use% Mounted on\n 10% /\n  5% /dev\n");
  assert.deepEqual(cellsOf(byPlace(lines, 0, 3)!, 0), ["Use%", "Mounted on"]);
  const words = indexLines("A B Mounted on\n1 2 /dev\n3 4 /a b\n");
  const grid = byWord(words, 0, 3)!;
  assert.deepEqual(cellsOf(grid, 0), ["A", "B", "Mounted on"]);
  assert.deepEqual(cellsOf(grid, 2), ["3", "4", "/a b"]);
});

Deno.test("wordGrid gives the last column the rest and marks lines of dashes", () => {
  const lines = indexLines("a b c d\n--------\nx\n");
  const grid = wordGrid(lines, [0, 3], 3);
  assert.deepEqual(cellsOf(grid, 0), ["a", "b", "c d"]);
  assert.deepEqual(cellsOf(grid, 2), ["x", "", ""]);
  assert.deepEqual([...grid.plain], [0, 1, 0]);
  assert.ok(DASHES.test("--- ----") && !DASHES.test("--- a"));
});
