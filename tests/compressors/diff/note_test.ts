import assert from "node:assert/strict";
import {
  contextNote,
  gapNote,
  isHeading,
  lineRange,
} from "../../../src/compressors/diff/note.ts";

Deno.test("contextNote counts lines", () => {
  assert.equal(contextNote(1), "… 1 context line");
  assert.equal(contextNote(12), "… 12 context lines");
});

Deno.test("lineRange writes one number for one line", () => {
  assert.equal(lineRange(7, 1), "7");
  assert.equal(lineRange(7, 3), "7-9");
});

Deno.test("gapNote counts kinds of lines and names the place and declarations", () => {
  const lines = [
    "+function one() {",
    "+}",
    " context",
    "-  def two(self):",
    "\\ No newline at end of file",
  ];
  const gap = {
    path: "a.ts",
    spans: [{ start: 0, end: 5 }],
    before: [10, 20],
    behind: [12, 23],
  };
  assert.equal(
    gapNote(lines, gap),
    "… a.ts: 4 lines omitted (+2 -1, 1 context), new lines 20-22; declares one, two",
  );
});

Deno.test("gapNote names old lines where no new ones are gone", () => {
  const gap = {
    path: "a.ts",
    spans: [{ start: 0, end: 1 }, { start: 1, end: 2 }],
    before: [10, 20],
    behind: [12, 20],
  };
  assert.equal(
    gapNote(["-a", "-b"], gap),
    "… a.ts: 2 lines omitted in 2 hunks (+0 -2), old lines 10-11",
  );
});

Deno.test("gapNote lists at most twelve declarations", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `+class C${i} {}`);
  const note = gapNote(lines, {
    path: "a.ts",
    spans: [{ start: 0, end: 20 }],
    before: [1, 1],
    behind: [1, 21],
  });
  assert.ok(
    note.endsWith(
      "declares C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, …",
    ),
  );
});

for (
  const [line, expected] of [
    ["export async function run() {", true],
    ["  pub(crate) fn run() {", true],
    ["    def run(self):", true],
    ["class A extends B", true],
    ["int main(int argc) {", true],
    ["  return x;", false],
    ["name: value", false],
    ["}", false],
    ["", false],
    [`function f() {${" ".repeat(300)}`, false],
  ] as const
) {
  Deno.test(`isHeading is ${expected} for ${line.slice(0, 40)}`, () => {
    assert.equal(isHeading(line), expected);
  });
}
