import assert from "node:assert/strict";
import { numberedForm } from "../../../src/compressors/numbered/numbered_form.ts";

const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
const source = {
  original: lines.join("\n"),
  first: 1458,
  style: { pad: " " as const, width: 6, separator: "→" },
};

Deno.test("numberedForm writes a number before the first kept line, behind each gap and on every tenth line", () => {
  const form = [
    lines[0],
    lines[1],
    lines[2],
    "… lines 1461-1480 omitted (3 tests)",
    ...lines.slice(23),
  ].join("\n");
  assert.deepEqual(numberedForm(form, source)?.split("\n"), [
    "  1458→line 0",
    "line 1",
    "  1460→line 2",
    "… lines 1461-1480 omitted (3 tests)",
    "  1481→line 23",
    ...lines.slice(24),
  ]);
});

Deno.test("numberedForm counts the lines of a note behind a kept line", () => {
  const original = ["f() {", "  a();", "  b();", "}", "", "g();"].join("\n");
  const form = "f() { … lines 2-4 omitted }\n\ng();";
  assert.equal(
    numberedForm(form, { ...source, original, first: 1 }),
    "     1→f() { … lines 2-4 omitted }\n     5→\ng();",
  );
  for (
    const wrong of [
      form.replace("2-4", "3-5"),
      form.replace("f()", "h()"),
      form.replace(" … lines 2-4 omitted", " …"),
    ]
  ) {
    const numbered = numberedForm(wrong, { ...source, original, first: 1 });
    assert.equal(numbered, undefined, wrong);
  }
});

Deno.test("numberedForm counts the lines that repeat others", () => {
  const original = ["a", "a", "a", "b", "c", "b", "c", "d"].join("\n");
  const form = "a\n… (repeated 3 times)\nb\nc\n… (lines 4-5 again)\nd";
  assert.equal(
    numberedForm(form, { ...source, original, first: 1 }),
    "     1→a\n… (repeated 3 times)\n     4→b\nc\n… (lines 4-5 again)\n     8→d",
  );
});

Deno.test("numberedForm gives up on a form whose lines are not those of the original", () => {
  for (
    const form of [
      "something else",
      lines.slice(0, 20).join("\n"),
      [...lines, "more"].join("\n"),
      ["… lines 1-9 omitted", ...lines.slice(9)].join("\n"),
    ]
  ) assert.equal(numberedForm(form, source), undefined);
});
