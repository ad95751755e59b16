import assert from "node:assert/strict";
import {
  frameLines,
  frameText,
  joinEscaped,
  markdownRule,
  rowWriter,
  withoutKnownPlaces,
} from "../../../src/compressors/table/frame.ts";
import { FRAME_STYLES } from "../../../src/compressors/table/frame_styles.ts";
import {
  type Layout,
  tightLayout,
} from "../../../src/compressors/table/layout.ts";

const ROWS = [["id", "name"], ["1", "ada"], ["22", "b"]];

function layout(name: string, sides: string): Layout {
  const columns = [...sides].map((side) => ({
    side: side as "<" | ">" | "^",
    place: undefined,
  }));
  return { ...tightLayout(name, "|"), columns };
}

Deno.test("frameLines writes each style as its program does", () => {
  assert.deepEqual(frameLines(layout("psql table", "><"), ROWS), [
    " id | name ",
    "----+------",
    "  1 | ada",
    " 22 | b",
  ]);
  assert.deepEqual(frameLines(layout("mysql table", "><"), ROWS), [
    "+----+------+",
    "| id | name |",
    "+----+------+",
    "|  1 | ada  |",
    "| 22 | b    |",
    "+----+------+",
  ]);
  assert.deepEqual(frameLines(layout("markdown table", "><"), ROWS), [
    "|  id | name |",
    "| --: | ---- |",
    "|   1 | ada  |",
    "|  22 | b    |",
  ]);
});

Deno.test("frameLines leaves rows without cells as they were", () => {
  const lines = frameLines(layout("markdown table", "<<"), [
    ...ROWS,
    "| ragged |",
  ]);
  assert.equal(lines.at(-1), "| ragged |");
});

Deno.test("markdownRule writes the forms of a rule", () => {
  const rule = (word: string, sides = "") =>
    markdownRule({ ...layout("markdown table", sides), rule: word }, ROWS);
  assert.equal(rule(""), "| --- | --- |");
  assert.equal(rule("|---|"), "|---|---|");
  assert.equal(rule("|---|", "<<"), "|-----|------|");
  assert.equal(rule(":--,---:"), "| :-- | ---: |");
  assert.equal(rule("|:--|---:|"), "|:--|---:|");
});

Deno.test("rowWriter writes empty cells without padding as the layout says", () => {
  const tight = tightLayout("markdown table", "|");
  assert.equal(rowWriter(tight, ROWS)(["a", ""], false), "| a |  |");
  assert.equal(
    rowWriter({ ...tight, gap: 1 }, ROWS)(["a", ""], false),
    "| a | |",
  );
});

Deno.test("frameText puts bars at the ends of closed styles only", () => {
  const [closed, open] = FRAME_STYLES;
  assert.equal(frameText([" a ", " b "], closed!), "| a | b |");
  assert.equal(frameText([" a ", " b "], open!), " a | b ");
});

Deno.test("joinEscaped keeps bars behind backslashes in their cell", () => {
  assert.deepEqual(joinEscaped(["a\\", "b", "c"]), ["a\\|b", "c"]);
});

Deno.test("withoutKnownPlaces leaves out widths that follow from the cells", () => {
  const known = {
    ...tightLayout("psql table", "|"),
    columns: [{ side: "<" as const, place: 2 }, {
      side: "<" as const,
      place: 9,
    }],
  };
  assert.deepEqual(
    withoutKnownPlaces(known, ROWS).columns.map(({ place }) => place),
    [undefined, 9],
  );
});
