import assert from "node:assert/strict";
import { recogniseDiff } from "../../../src/compressors/diff/recognise.ts";

const HUNK = "@@ -1 +1 @@\n-a\n+b\n";

for (
  const [what, text] of [
    ["git diff", `diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n${HUNK}`],
    ["counts left out and any name", `--- old.orig\n+++ old\n${HUNK}`],
    ["a rename", "diff --git a/x b/y\nrename from x\nrename to y\n"],
    [
      "a combined diff",
      "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n",
    ],
    ["svn diff", `Index: x\n=====\n--- x\t(r1)\n+++ x\t(r2)\n${HUNK}`],
    [
      "git show with a long message",
      `commit 0123456789\nAuthor: A <a@b.c>\nDate:   now\n\n${
        "    Why it is so.\n".repeat(60)
      }\n--- a/x\n+++ b/x\n${HUNK}`,
    ],
  ] as const
) {
  Deno.test(`recogniseDiff is confident about ${what}`, () => {
    assert.ok(recogniseDiff(text) >= 0.8, `${recogniseDiff(text)}`);
  });
}

for (
  const [what, text] of [
    ["nothing", ""],
    ["prose", "--- a heading\n+++ another\ntext\n"],
    ["a list with signs", "+ one\n- two\n+ three\n"],
    ["diff --stat", " x.ts | 3 +--\n 1 file changed\n"],
    ["a matched hunk header", "src/x.ts:3:@@ -1 +1 @@\n"],
    [
      "a log with a small diff in it",
      `${"[INFO] compiling module\n".repeat(40)}--- a/x\n+++ b/x\n${HUNK}`,
    ],
  ] as const
) {
  Deno.test(`recogniseDiff is not confident about ${what}`, () => {
    assert.ok(recogniseDiff(text) < 0.8, `${recogniseDiff(text)}`);
  });
}

Deno.test("recogniseDiff knows word diffs by their hunks, but no text around one", () => {
  const wordDiff =
    "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\none\ntwo [-2-]{+three+}\nfour\nfive\n";
  assert.ok(recogniseDiff(wordDiff) >= 0.8);
  const prose = "A sentence about what comes below.\n".repeat(20);
  assert.ok(recogniseDiff(prose + wordDiff + prose) < 0.8);
});
