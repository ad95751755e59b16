import assert from "node:assert/strict";
import { gridOf } from "../../../src/compressors/json/columns.ts";
import { childrenOf, rawOf } from "../../../src/compressors/json/tape.ts";
import { columnIn, gridIn, tapeOfValue } from "./tapes.ts";

Deno.test("gridOf keeps the order of keys, also of those that only some rows have", () => {
  const tape = tapeOfValue([
    { a: 1, d: 1 },
    { a: 2, b: 2, d: 2 },
    { a: 3, b: 3, c: 3 },
  ]);
  const grid = gridIn(tape);
  assert.deepEqual(grid.columns.map(({ key }) => key), ["a", "b", "c", "d"]);
  const b = columnIn(grid, "b");
  assert.equal(b.present, 2);
  assert.deepEqual(
    [...b.cells].map((node) => node === 0 ? "" : rawOf(tape, node)),
    ["", "2", "3"],
  );
});

Deno.test("gridOf counts a row as a misfit when its keys come in another order", () => {
  const rows = [{ a: 1, b: 1 }, { a: 2, b: 2 }, { b: 3, a: 3 }, { a: 4, b: 5 }];
  const grid = gridIn(tapeOfValue(rows));
  assert.deepEqual([...grid.misfit], [0, 0, 1, 0]);
  assert.equal(grid.misfits, 1);
});

Deno.test("gridOf finds no columns in scalars, in single rows and in rows too different", () => {
  for (
    const rows of [
      [1, 2, 3],
      [{ a: 1 }],
      [[1], [2]],
      [{}, {}],
      [{ a: 1, b: 1 }, { b: 1, a: 1 }],
      [{ a: 1 }, { a: 2 }, 3, 4, 5],
    ]
  ) {
    const tape = tapeOfValue(rows);
    assert.equal(gridOf(tape, childrenOf(tape, 1)), undefined);
  }
});

Deno.test("gridOf hoists a value only when all rows have the same text", () => {
  const tape = tapeOfValue([
    { same: "x", missing: 1, spelled: 1, list: [1] },
    { same: "x", spelled: 2, list: [1] },
  ]);
  const grid = gridIn(tape);
  assert.notEqual(columnIn(grid, "same").constant, undefined);
  assert.notEqual(columnIn(grid, "list").constant, undefined);
  assert.equal(columnIn(grid, "missing").constant, undefined);
  assert.equal(columnIn(grid, "spelled").constant, undefined);
});

Deno.test("gridOf looks into objects and small arrays of objects that every row has", () => {
  const row = (i: number) => ({
    user: { id: i, type: "User" },
    owner: i === 0 ? null : { id: i },
    parts: [{ n: i }, { n: -i }],
    tags: [`t${i}`],
  });
  const grid = gridIn(tapeOfValue([0, 1, 2].map(row)));
  assert.deepEqual(
    columnIn(grid, "user").members?.map(({ key }) => key),
    ["id", "type"],
  );
  assert.equal(columnIn(grid, "owner").members, undefined);
  assert.equal(columnIn(grid, "parts").tuple?.length, 2);
  assert.equal(columnIn(grid, "tags").tuple, undefined);
});

Deno.test("gridOf looks into objects that some rows lack, where a cell tells that they are there", () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({
    id: i,
    ...i % 2 ? { state: { since: `t${i}`, kind: "run" } } : {},
    ...i % 3 ? { empty: i === 4 ? {} : { since: i } } : {},
    ...i === 5 ? { rare: { since: i } } : {},
  }));
  const grid = gridIn(tapeOfValue(rows));
  const state = columnIn(grid, "state");
  assert.equal(state.optional, true);
  assert.deepEqual(state.members?.map(({ key }) => key), ["since", "kind"]);
  assert.notEqual(state.members?.[1]?.constant, undefined);
  for (const key of ["empty", "rare"]) {
    assert.equal(columnIn(grid, key).members, undefined, key);
  }
});

Deno.test("gridOf does not look into objects that have little in common", () => {
  const rows = [{ o: { a: 1 } }, { o: { b: 1 } }, { o: { c: 1 } }];
  const grid = gridIn(tapeOfValue(rows));
  assert.equal(columnIn(grid, "o").members, undefined);
});
