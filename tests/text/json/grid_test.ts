import assert from "node:assert/strict";
import type { Column } from "../../../src/text/json/column.ts";
import { Grids } from "../../../src/text/json/grid.ts";
import { gridOf, viewOfValue } from "../../compressors/json/views.ts";

/** Keys and what is known of each column. */
function columnsOf(value: unknown): unknown {
  const said = (column: Column): unknown => {
    const { key, members, affix } = column;
    if (members !== undefined) return [key, ...members.map(said)];
    if (affix !== undefined) {
      return `${key}=${affix.prefix}{${affix.source ?? ""}}${affix.suffix}`;
    }
    return column.constant === undefined ? key : `${key}=`;
  };
  return gridOf(viewOfValue(value)).root.members?.map(said);
}

Deno.test("Grids finds columns, constants, objects and short lists in rows", () => {
  const rows = [1, 2, 3].map((i) => ({
    id: i,
    type: "x",
    user: { name: `n${i}`, admin: false },
    at: [i, { deep: i }],
    tags: ["a", "b", "c", "d", "e", "f", "g"].slice(i),
  }));
  assert.deepEqual(columnsOf(rows), [
    "id",
    "type=",
    ["user", "name", "admin="],
    ["at", "", ["", "deep"]],
    "tags",
  ]);
  assert.deepEqual(columnsOf([[1, "a"], [2, "b"]]), ["", ""]);
});

Deno.test("Grids merges the orders of keys, and tells rows that fit none", () => {
  const view = viewOfValue([
    { a: 1, b: 2, c: 3 },
    { a: 1, c: 3, d: 4 },
    { a: 2, b: 3, c: 4 },
    { a: 2, b: 2, c: 4 },
    "x",
  ]);
  const { root, misfits, leaves } = gridOf(view);
  assert.deepEqual(root.members?.map(({ key }) => key), ["a", "b", "c", "d"]);
  assert.deepEqual([...misfits], [4]);
  assert.deepEqual(leaves.map(({ present }) => present), [4, 3, 4, 1]);
});

Deno.test("Grids takes the length that most lists have, wherever another one is", () => {
  for (const [at, odd] of [[0, ["id"]], [3, null], [5, [1, 2, 3]]] as const) {
    const rows: unknown[] = Array.from({ length: 5 }, (_, i) => [i, `n${i}`]);
    const { root, misfits, leaves } = gridOf(
      viewOfValue(rows.toSpliced(at, 0, odd)),
    );
    assert.deepEqual([root.isList, [...misfits], leaves.length], [
      true,
      [at],
      2,
    ]);
  }
});

Deno.test("Grids finds nothing in rows that share nothing", () => {
  for (
    const rows of [[1, 2], [{ a: 1 }], [{ a: 1 }, 2, 3], [[1], [1, 2]], [
      {},
      {},
    ]]
  ) {
    const { tape } = viewOfValue(rows);
    assert.equal(new Grids(tape).of(1), undefined, JSON.stringify(rows));
  }
});

Deno.test("Grids takes an object with a key twice or too many keys for no record", () => {
  const wide = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, i]));
  assert.equal(new Grids(viewOfValue([wide, wide]).tape).of(1), undefined);
});

Deno.test("Grids shares the start and end of links, and columns made from others", () => {
  const rows = [1, 2, 33].map((i) => ({
    name: `item${i}`,
    url: `https://example.com/items/${i}.json`,
    copy: `item${i}`,
    page: `/pages/item${i}/top`,
  }));
  assert.deepEqual(columnsOf(rows), [
    "name",
    "url=https://example.com/items/{}.json",
    "copy={name}",
    "page=/pages/{name}/top",
  ]);
  assert.deepEqual(columnsOf(rows.slice(1).map(({ url }) => ({ url }))), [
    "url",
  ]);
});

Deno.test("Grids remembers what it found", () => {
  const view = viewOfValue([{ a: 1 }, { a: 2 }]);
  assert.equal(view.grids.of(1), view.grids.of(1));
});
