import assert from "node:assert/strict";
import {
  ASIDE,
  outlineOf,
  RESULT,
} from "../../../src/compressors/prose/outline.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

function outline(text: string) {
  const lines = indexLines(text);
  return outlineOf(lines, unitsOf(lines));
}

const below = (heading: string) => `${heading}\n\nThis is said here.\n\n`;

Deno.test("outlineOf gives sections with their levels and parents", () => {
  const sections = outline(
    "Before it.\n\n" + ["# A", "## B", "### C", "## D"].map(below).join(""),
  );
  assert.deepEqual(sections.map(({ level }) => level), [0, 1, 2, 3, 2]);
  assert.deepEqual(sections.map(({ parent }) => parent), [-1, 0, 1, 2, 1]);
  assert.deepEqual(sections.map(({ from, to }) => to - from), [1, 2, 2, 2, 2]);
});

Deno.test("outlineOf takes many sections of a deep level as members, and what is below these as details", () => {
  const member = below("##### get()") + below("###### Returns");
  const sections = outline(below("# A") + below("## B") + member.repeat(6));
  assert.deepEqual(
    sections.slice(0, 4).map(({ isMember, isDetail }) => [isMember, isDetail]),
    [[false, false], [false, false], [true, false], [true, true]],
  );
  const few = outline(below("# A") + below("##### get()"));
  assert.ok(few.every(({ isMember }) => !isMember));
});

Deno.test("outlineOf knows results and what few look for by the heading", () => {
  assert.deepEqual(
    outline(
      ["# Valves", "## Conclusion", "## License", "## Use"].map(below)
        .join(""),
    ).map(({ role }) => role),
    [0, RESULT, ASIDE, 0],
  );
});
