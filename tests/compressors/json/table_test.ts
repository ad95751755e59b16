import assert from "node:assert/strict";
import { cellOf } from "../../../src/compressors/json/cell.ts";
import {
  lineWriter,
  openingOf,
  tableOf,
} from "../../../src/compressors/json/table.ts";
import { gridIn, tapeOf, tapeOfValue } from "./tapes.ts";

Deno.test("tableOf tells missing, null, empty, numbers and texts of numbers apart", () => {
  const tape = tapeOf(
    '[{"a":1.0,"b":""},{"a":null,"b":"12"},{"b":12},{"a":"null","b":[1,"x"]}]',
  );
  assert.equal(
    tableOf(tape, gridIn(tape), false),
    '[4 rows: a,b\n1.0,""\nnull,"12"\n,12\n"null",[1,"x"]\n]',
  );
});

Deno.test("tableOf writes constants, groups and tuples into the first line", () => {
  const row = (i: number) => ({
    id: i,
    u: { n: `n${i}`, t: "x" },
    p: [{ v: -i }],
  });
  const tape = tapeOfValue([row(1), row(2)]);
  assert.equal(
    tableOf(tape, gridIn(tape), false),
    "[2 rows: id,u{n,t=x},p[{v}]\n1,n1,-1\n2,n2,-2\n]",
  );
});

Deno.test("tableOf needs no rows when all are the same, unless they have keys", () => {
  const list = tapeOfValue([{ a: 1 }, { a: 1 }]);
  assert.equal(tableOf(list, gridIn(list), false), "[2 rows: a=1\n]");
  const members = tapeOfValue({ x: { a: 1 }, y: { a: 1 } });
  assert.equal(
    tableOf(members, gridIn(members), true),
    "{2 rows: a=1\nx: \ny: \n}",
  );
});

Deno.test("tableOf quotes the key of a row when it could end too early", () => {
  const tape = tapeOfValue({
    "a:b": { v: 1 },
    "c: d": { v: 2 },
    " e": { v: 3 },
  });
  assert.equal(
    tableOf(tape, gridIn(tape), true),
    '{3 rows: v\na:b: 1\n"c: d": 2\n" e": 3\n}',
  );
});

Deno.test("lineWriter writes a row that does not fit as JSON", () => {
  const tape = tapeOfValue([{ a: 1 }, { a: 2 }, { a: 3 }, "x"]);
  const grid = gridIn(tape);
  const lineAt = lineWriter(tape, grid, { keyed: false, write: cellOf });
  assert.equal(lineAt(3), 'item "x"');
  assert.equal(lineAt(0), "1");
  assert.equal(openingOf(tape, grid, false), "[4 rows: a\n");
});
