import assert from "node:assert/strict";
import {
  DESCRIBES,
  ENDS_LINE,
  IN_ITEM,
  IN_LAST,
  OPENS_PARAGRAPH,
  OPENS_SECTION,
  STARTS_LINE,
  unitsOf,
} from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

const TEXT =
  "# Title\n\nOne is said here. Two is said\nhere. Three is said.\n\n" +
  "- Item is one. And it goes on.\n\n      --all\n          Shows all of the many files.\n\nThe end of it.\n";

function units() {
  return unitsOf(indexLines(TEXT)).map((unit) => ({
    ...unit,
    said: TEXT.slice(unit.start, unit.end),
  }));
}

function placed(bit: number): string[] {
  return units().filter(({ place }) => (place & bit) !== 0)
    .map(({ said }) => said.trim());
}

Deno.test("unitsOf splits text into sentences and leaves other lines whole", () => {
  assert.deepEqual(units().map(({ said }) => said), [
    "# Title",
    "One is said here.",
    "Two is said\nhere.",
    "Three is said.",
    "- Item is one.",
    "And it goes on.",
    "      --all",
    "          Shows all of the many files.",
    "The end of it.",
  ]);
});

Deno.test("unitsOf says where a unit stands", () => {
  assert.deepEqual(placed(OPENS_SECTION), ["One is said here."]);
  assert.deepEqual(placed(IN_ITEM), ["- Item is one.", "And it goes on."]);
  assert.deepEqual(placed(DESCRIBES), ["Shows all of the many files."]);
  assert.deepEqual(placed(IN_LAST), ["The end of it."]);
  assert.equal(placed(OPENS_PARAGRAPH).length, 4);
});

Deno.test("unitsOf says which units start and end their lines", () => {
  const [, one, two, three] = units();
  assert.equal(one!.place & (STARTS_LINE | ENDS_LINE), STARTS_LINE);
  assert.equal(two!.place & (STARTS_LINE | ENDS_LINE), 0);
  assert.equal(three!.place & (STARTS_LINE | ENDS_LINE), ENDS_LINE);
  assert.deepEqual([two!.line, two!.lastLine], [2, 3]);
});
