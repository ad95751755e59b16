import assert from "node:assert/strict";
import fc from "fast-check";
import { foldSigns, unfoldSigns } from "../../../src/compressors/diff/signs.ts";

const added = (count: number) =>
  Array.from({ length: count }, (_, i) => `+line ${i}`);
const hunk = (header: string, lines: readonly string[]) =>
  ["--- /dev/null", "+++ b/a.ts", header, ...lines].join("\n");

Deno.test("foldSigns says the sign of a hunk once, with its heading and what follows untouched", () => {
  const text = hunk("@@ -0,0 +1,14 @@", [
    ...added(14),
    "\\ No newline at end of file",
    "+not counted",
  ]);
  const folded = foldSigns(text);
  const lines = folded.split("\n");
  assert.equal(lines[2], "@@ -0,0 +1,14 @@ … + left out of all lines");
  assert.deepEqual(lines.slice(3, 5), ["line 0", "line 1"]);
  assert.equal(lines.at(-1), "+not counted");
  assert.equal(unfoldSigns(folded), text);
});

Deno.test("foldSigns leaves short hunks, mixed hunks, miscounted ones and its own notes alone", () => {
  const texts = [
    hunk("@@ -0,0 +1,5 @@", added(5)),
    hunk("@@ -1,14 +1,14 @@", added(14)),
    hunk("@@ -0,0 +1,20 @@", added(14)),
    hunk("@@ -0,0 +1,14 @@", [...added(13), " context"]),
    hunk("@@ -0,0 +1,14 @@", [...added(13), "+ … + left out of all lines"]),
    "no diff",
  ];
  for (const text of texts) assert.equal(foldSigns(text), text);
});

Deno.test("unfoldSigns turns every fold back", () => {
  const line = fc.constantFrom(
    "+a",
    "-b",
    " c",
    "+",
    "@@ -1,0 +2,12 @@",
    "@@ -3,13 +3,0 @@ f()",
    "\\ No newline at end of file",
  );
  fc.assert(fc.property(
    fc.array(fc.oneof(line, fc.constant(added(13).join("\n")))),
    (lines) => {
      const text = lines.join("\n");
      assert.equal(unfoldSigns(foldSigns(text)), text);
    },
  ));
});
