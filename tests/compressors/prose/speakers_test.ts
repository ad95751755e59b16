import assert from "node:assert/strict";
import { factsOf } from "../../../src/compressors/prose/facts.ts";
import { speakersOf } from "../../../src/compressors/prose/speakers.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

function speakers(text: string): string[] {
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const tokens = Float64Array.from(
    units,
    ({ start, end }) => factsOf(lines.codes, start, end).tokens,
  );
  const found = speakersOf(lines, units, tokens);
  return units.filter((_, u) => found[u] === 1)
    .map(({ start, end }) => text.slice(start, end));
}

const say = (name: string) => `> ${name}\n>\n> I think that it is so.\n`;

Deno.test("speakersOf finds who speaks in a review and in an issue", () => {
  assert.deepEqual(
    speakers(
      ["**ann**", "**bob** on `a.ts:7`", "**cy** (general)"].map(say)
        .join("\n"),
    ),
    ["> **ann**", "> **bob** on `a.ts:7`", "> **cy** (general)"],
  );
  assert.deepEqual(
    speakers("author:\tann\n--\nIt is so.\n".repeat(3)),
    ["--", "--", "--"],
  );
});

Deno.test("speakersOf finds nobody in a document with two bold lines or with bold terms", () => {
  assert.deepEqual(speakers(["**ann**", "**bob**"].map(say).join("\n")), []);
  assert.deepEqual(
    speakers("**Ann** is a word for it.\n\n".repeat(4)),
    [],
  );
});
