import assert from "node:assert/strict";
import {
  fitGrid,
  fixedLines,
  longestCells,
  withGap,
} from "../../../src/compressors/table/fixed.ts";
import { byWord } from "../../../src/compressors/table/grids.ts";
import { tightLayout } from "../../../src/compressors/table/layout.ts";
import { indexLines } from "../../../src/text/lines.ts";

const LINES = [
  "USER   PID CMD",
  "root     1 init",
  "mail    12 smtpd -d",
  "root 12345 sleep",
  "verylongname 7 x",
];

Deno.test("fitGrid finds the side and place of each column and what does not follow", () => {
  const lines = indexLines([...LINES, "bad  1   x"].join("\n"));
  const grid = byWord(lines, 0, lines.count)!;
  const { columns, end } = fitGrid(grid);
  assert.deepEqual(columns, [
    { side: "<", place: 0 },
    { side: ">", place: 10 },
    { side: "<", place: 11 },
  ]);
  assert.equal(end, 0);
  assert.deepEqual([...grid.plain], [0, 0, 0, 0, 0, 1]);
});

Deno.test("fitGrid knows lines that are padded to one width", () => {
  const lines = indexLines("A   B   C \n1   2   3 \n4   5   66\n");
  assert.equal(fitGrid(byWord(lines, 0, 3)!).end, 10);
});

Deno.test("fixedLines writes the padding again, cells too long for their place pushing the next", () => {
  const layout = {
    ...tightLayout("table", " "),
    columns: [
      { side: "<" as const, place: undefined },
      { side: ">" as const, place: 10 },
      { side: "<" as const, place: 11 },
    ],
  };
  const rows = LINES.map((line) => {
    const [, a, b, c] = /^(\S+) +(\S+) +(.*)$/.exec(line)!;
    return [a!, b!, c!];
  });
  assert.deepEqual(fixedLines(layout, rows), LINES);
  assert.deepEqual(
    fixedLines({ ...layout, end: 20 }, [["a", "", "c"]])[0],
    "a          c        ",
  );
});

Deno.test("fixedLines writes a rule as wide as each column below the header", () => {
  const layout = {
    ...tightLayout("table", " "),
    gap: 1,
    rule: "-",
    columns: [
      { side: "<" as const, place: undefined },
      { side: "<" as const, place: undefined },
    ],
  };
  assert.deepEqual(fixedLines(layout, [["ab", "c"], ["d", "efg"]]), [
    "ab c",
    "-- ---",
    "d  efg",
  ]);
});

Deno.test("withGap leaves out the places that follow from the longest cells", () => {
  const { columns, gap } = withGap([
    { side: "<", place: 0 },
    { side: "<", place: 7 },
    { side: ">", place: 15 },
    { side: "<", place: 30 },
  ], [4, 3, 2, 9]);
  assert.equal(gap, 3);
  assert.deepEqual(columns.map(({ place }) => place), [
    undefined,
    undefined,
    undefined,
    30,
  ]);
});

Deno.test("longestCells leaves rows out that stay as they are", () => {
  assert.deepEqual(longestCells([["a", "bb"], "long text", ["ccc", ""]], 2), [
    3,
    2,
  ]);
});
