import assert from "node:assert/strict";
import fc from "fast-check";
import { type Column, tableText, tableWriter } from "../../src/cli/table.ts";
import { textWidth } from "../../src/cli/terminal.ts";

const COLUMNS: readonly Column[] = [
  { heading: "NAME", least: 6 },
  { heading: "COUNT", right: true },
  { heading: "MORE", right: true, rank: 1 },
  { heading: "NOTE", least: 4, rank: 2 },
];

Deno.test("tableWriter aligns columns by what a terminal shows, and lets them grow", () => {
  const line = tableWriter([
    { heading: "A", width: 3 },
    { heading: "NUMBER", right: true },
    { heading: "LAST" },
  ], { width: () => 80 });
  assert.equal(line(), "A    NUMBER  LAST\n");
  assert.equal(line(["abcd", "12", "x y"]), "abcd      12  x y\n");
  assert.equal(line(["é", "3", ""]), "é          3\n");
  assert.equal(line(["日本", "4", "z"]), "日本       4  z\n");
});

Deno.test("tableWriter repeats the heading when other columns have room", () => {
  let width = 40;
  const line = tableWriter(COLUMNS, { width: () => width });
  const row = ["a", "1", "2", "note"];
  assert.equal(line(row), "NAME  COUNT  MORE  NOTE\na         1     2  note\n");
  width = 14;
  assert.equal(line(row), "NAME  COUNT\na         1\n");
  assert.equal(line(row), "a         1\n");
  // Wide figures are never cut: others make room.
  assert.equal(
    line(["abcdefgh", "12,345", "2", ""]),
    "abcde…  12,345\n",
  );
});

Deno.test("tableText cuts texts alike, and leaves out what ranks highest first", () => {
  const rows = [["a-long-name-of-it", "1,234", "7", "a remark"]];
  assert.equal(
    tableText(COLUMNS, rows, 80),
    "NAME               COUNT  MORE  NOTE\na-long-name-of-it  1,234     7  a remark\n",
  );
  assert.equal(
    tableText(COLUMNS, rows, 30),
    "NAME       COUNT  MORE  NOTE\na-long-n…  1,234     7  a rem…\n",
  );
  assert.equal(
    tableText(COLUMNS, rows, 24),
    "NAME         COUNT  MORE\na-long-nam…  1,234     7\n",
  );
  assert.equal(
    tableText(COLUMNS, rows, 14),
    "NAME     COUNT\na-long…  1,234\n",
  );
});

Deno.test("tableText has no line that is too wide, whatever stands in it", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 30 });
  const figure = fc.nat().map((n) => n.toLocaleString("en-US"));
  const rows = fc.array(fc.tuple(cell, figure, figure, cell), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 22, max: 120 }), (rows, width) => {
      for (const line of tableText(COLUMNS, rows, width).split("\n")) {
        assert(textWidth(line) <= width, JSON.stringify(line));
      }
    }),
  );
});

Deno.test("tableText takes more rows than a call has arguments", () => {
  const rows = Array.from({ length: 200_000 }, () => ["a", "1", "2", "b"]);
  assert.equal(tableText(COLUMNS, rows, 80).split("\n").length, 200_002);
});
