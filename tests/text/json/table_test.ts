import assert from "node:assert/strict";
import fc from "fast-check";
import { readTable } from "../../../src/text/json/read_table.ts";
import { cellOf, isShorter, tableOf } from "../../../src/text/json/table.ts";
import {
  anyDocument,
  print,
  STYLES,
} from "../../compressors/json/json_text.ts";
import {
  gridOf,
  viewOfText,
  viewOfValue,
} from "../../compressors/json/views.ts";

function tableOfValue(value: unknown): string {
  const view = viewOfValue(value);
  return tableOf(view.tape, gridOf(view));
}

Deno.test("tableOf writes what all rows share once, and a line for each row", () => {
  const rows = [1, 2, 3].map((i) => ({
    id: i,
    kind: "a,b",
    user: { name: `u${i}`, ok: true },
    at: [i, -i],
    url: `https://example.com/${i}`,
    note: i === 2 ? "x" : undefined,
  }));
  assert.equal(
    tableOfValue(rows),
    '[3 rows: id,kind="a,b",user{name,ok=true},at[*,*],url="https://example.com/"{id},note\n' +
      "1,u1,1,-1,\n2,u2,2,-2,x\n3,u3,3,-3,\n]",
  );
  assert.equal(
    tableOfValue({ "a b": { v: 1 }, "c: d": { v: 2 } }),
    '{2 rows: v\na b: 1\n"c: d": 2\n}',
  );
  assert.equal(tableOfValue([{ a: 1 }, { a: 1 }]), "[2 rows: a=1\n]");
});

Deno.test("cellOf quotes what would be read as something else", () => {
  const values = [
    "abc",
    "12",
    "-1",
    "true",
    "",
    "a,b",
    " a",
    "…",
    "item {}",
    "1.2.3",
  ];
  const { tape } = viewOfValue(values);
  assert.deepEqual(
    [...tape.children(1)].map((node) => cellOf(tape, node)),
    [
      "abc",
      '"12"',
      '"-1"',
      '"true"',
      '""',
      '"a,b"',
      '" a"',
      '"…"',
      '"item {}"',
      "1.2.3",
    ],
  );
  assert.equal(cellOf(tape, 0), "");
});

Deno.test("readTable gives back every table, however little it saves", () => {
  let tables = 0;
  fc.assert(
    fc.property(anyDocument, (value) => {
      const { tape, grids } = viewOfText(print(value, STYLES.compact!));
      const grid = grids.of(1);
      if (grid === undefined) return;
      tables++;
      const table = tableOf(tape, grid);
      const start = table.indexOf(" rows: ") + " rows: ".length;
      const isKeyed = table.startsWith("{");
      const { values, end } = readTable(table, start, {
        rows: grid.rows.length,
        isKeyed,
      });
      const [open, close] = isKeyed ? "{}" : "[]";
      assert.equal(`${open}${values.join(",")}${close}`, tape.text);
      assert.equal(end, table.length - 1);
    }),
    { numRuns: 400 },
  );
  assert.ok(tables > 40, `${tables}`);
});

Deno.test("readTable refuses what is no table", () => {
  for (
    const text of ["a,b\n1,2\n3\n]", 'a\n"x\n]', "a{b\n1\n]", "a,b={c}\n1\n]"]
  ) {
    assert.throws(
      () => readTable(text, 0, { rows: 2, isKeyed: false }),
      SyntaxError,
      text,
    );
  }
});

Deno.test("isShorter needs rows that repeat much", () => {
  const many = Array.from({ length: 200 }, (_, id) => ({ id, name: `n${id}` }));
  const shorter = (value: unknown) => {
    const view = viewOfValue(value);
    return isShorter(view.tape, gridOf(view));
  };
  assert.ok(shorter(many));
  assert.ok(shorter(Object.fromEntries(many.map((row) => [row.name, row]))));
  assert.ok(!shorter([{ a: 1 }, { a: 2 }]));
  assert.ok(!shorter([[1, 2], [3, 4], [5, 6]]));
});
