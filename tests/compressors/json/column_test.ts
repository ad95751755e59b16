import assert from "node:assert/strict";
import { leavesOf } from "../../../src/compressors/json/column.ts";
import { gridIn, tapeOfValue } from "./tapes.ts";

Deno.test("leavesOf lists the columns that have cells, in the order of the names", () => {
  const row = (i: number) => ({
    id: i,
    kind: "k",
    user: { name: `n${i}`, type: "User" },
    pair: [{ x: i }, { y: -i }],
    link: `https://example.com/n${i}`,
    last: [i],
  });
  const grid = gridIn(tapeOfValue([1, 2, 3, 4].map(row)));
  assert.deepEqual(
    leavesOf(grid.columns).map(({ key }) => key),
    ["id", "name", "x", "y", "last"],
  );
  assert.deepEqual(grid.leaves, leavesOf(grid.columns));
});
