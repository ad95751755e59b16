import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldHeaders,
  foldSigns,
  unfoldHeaders,
  unfoldSigns,
} from "../../../src/compressors/diff/fold.ts";
import { diffLine, madeDiff } from "./make_diff.ts";

const HUNK = "@@ -1 +1 @@\n-a\n+b\n";

Deno.test("foldHeaders writes one name for all that follow from it", () => {
  const names = "--- a/x.ts\n+++ b/x.ts\n";
  assert.equal(
    foldHeaders(`diff --git a/x.ts b/x.ts\nindex 1..2 100644\n${names}${HUNK}`),
    `diff --git x.ts\nindex 1..2 100644\n${HUNK}`,
  );
  const added = "diff --git a/y b/y\nnew file mode 100644\nindex 0..1\n";
  assert.equal(
    foldHeaders(`${added}--- /dev/null\n+++ b/y\n${HUNK}`),
    `diff --git y\nnew file mode 100644\nindex 0..1\n${HUNK}`,
  );
});

Deno.test("foldHeaders leaves names that do not follow, and texts with such a line", () => {
  for (
    const text of [
      `diff --git a/x b/y\nindex 1..2\n--- a/x\n+++ b/y\n${HUNK}`,
      `diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ /dev/null\n${HUNK}`,
      `diff --git x\n\ndiff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n${HUNK}`,
      "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
    ]
  ) assert.equal(foldHeaders(text), text);
});

Deno.test("foldSigns says the sign of a new file once", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`);
  const text = `@@ -0,0 +1,12 @@\n+${lines.join("\n+")}\nafter\n`;
  const folded = `@@ -0,0 +1,12 @@ … + before each line\n${
    lines.join("\n")
  }\nafter\n`;
  assert.equal(foldSigns(text), folded);
  assert.equal(unfoldSigns(folded), text);
  const gone = `@@ -1,12 +0,0 @@\n-${lines.join("\n-")}`;
  assert.equal(unfoldSigns(foldSigns(gone)), gone);
});

Deno.test("foldSigns leaves short hunks, and those with other lines", () => {
  const lines = Array.from({ length: 12 }, () => "+x");
  for (
    const text of [
      `@@ -0,0 +1,3 @@\n+a\n+b\n+c\n`,
      `@@ -0,0 +1,12 @@\n${lines.slice(1).join("\n")}\n`,
      `@@ -0,0 +1,12 @@\n${lines.with(5, "\\ No newline").join("\n")}\n`,
      `@@ -0,0 +1,12 @@\n${
        lines.with(5, "+Retrieve more: hash=12").join("\n")
      }\n`,
      `@@ -0,0 +1,12 @@\n${lines.join("\n")}\n@@ … x before each line\n`,
    ]
  ) assert.equal(foldSigns(text), text);
});

Deno.test("unfoldHeaders and unfoldSigns turn every fold back", () => {
  const whole = fc.array(fc.constantFrom("a", "", "+b"), { maxLength: 20 }).map(
    (lines) =>
      `diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,${lines.length} @@\n${
        lines.map((line) => `+${line}\n`).join("")
      }`,
  );
  const text = fc.array(
    fc.oneof(madeDiff.map((made) => made.text), whole, diffLine),
    { maxLength: 6 },
  ).map((parts) => parts.join("\n"));
  fc.assert(
    fc.property(text, (text) => {
      const named = foldHeaders(text);
      assert.equal(unfoldHeaders(named), text);
      assert.equal(unfoldSigns(foldSigns(text)), text);
      assert.equal(unfoldHeaders(unfoldSigns(foldSigns(named))), text);
    }),
    { numRuns: 500 },
  );
});
