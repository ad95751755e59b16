import assert from "node:assert/strict";
import {
  FRAME_STYLES,
  padCell,
  ruleLine,
} from "../../../src/compressors/table/frame_styles.ts";

Deno.test("padCell pushes a cell to its side, the middle leaning to the left", () => {
  assert.equal(padCell("ab", 5, "<"), " ab    ");
  assert.equal(padCell("ab", 5, ">"), "    ab ");
  assert.equal(padCell("ab", 5, "^"), "  ab   ");
  assert.equal(padCell("abcdef", 5, ">"), " abcdef ");
});

Deno.test("ruleLine writes dashes over each column and its blanks", () => {
  const byName = new Map(FRAME_STYLES.map((style) => [style.name, style]));
  assert.equal(
    ruleLine(byName.get("mysql table")!.middle, [1, 2]),
    "+---+----+",
  );
  assert.equal(ruleLine(byName.get("psql table")!.middle, [1, 2]), "---+----");
  assert.equal(ruleLine(byName.get("box table")!.top!, [1, 2]), "┌───┬────┐");
});
