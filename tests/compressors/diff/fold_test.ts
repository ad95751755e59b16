import assert from "node:assert/strict";
import fc from "fast-check";
import { foldNames, unfoldNames } from "../../../src/compressors/diff/fold.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { madeDiff } from "./make_diff.ts";

const fold = (text: string) => foldNames(parseDiff(text));

Deno.test("foldNames leaves out names that the header says, unfoldNames puts them back", () => {
  const text = [
    "diff --git a/x b/x",
    "new file mode 100644",
    "index 0..1",
    "--- /dev/null",
    "+++ b/x",
    "@@ -0,0 +1 @@",
    "+a",
    "diff --git a/p b/q",
    "index 1..2 100644",
    "--- a/p",
    "+++ b/q",
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "",
  ].join("\n");
  const folded = fold(text);
  assert.deepEqual(folded.split("\n").slice(0, 5), [
    "diff --git a/x b/x",
    "new file mode 100644",
    "index 0..1",
    "@@ -0,0 +1 @@",
    "+a",
  ]);
  assert.ok(folded.includes("--- a/p\n+++ b/q"), "names that differ stay");
  assert.equal(unfoldNames(folded), text);
});

Deno.test("unfoldNames is no inverse where the names were missing before", () => {
  const text = "diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n";
  assert.equal(fold(text), text);
  assert.notEqual(unfoldNames(text), text);
});

Deno.test("unfoldNames is the inverse of foldNames for what a diff program writes", () => {
  fc.assert(fc.property(madeDiff, madeDiff, (a, b) => {
    const text = `a message\n\n${a.text}${b.text}`;
    assert.ok(fold(text).length < text.length);
    assert.equal(unfoldNames(fold(text)), text);
  }));
});
