import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldGitLines,
  foldNames,
  unfoldGitLines,
  unfoldNames,
} from "../../../src/compressors/diff/fold.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { diffLine, madeDiff } from "./make_diff.ts";

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
  const folded = fold(text)!;
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

Deno.test("foldNames gives nothing where there is nothing to fold", () => {
  assert.equal(fold("text\n"), undefined);
  assert.equal(fold("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"), undefined);
});

Deno.test("foldNames gives nothing beside a file that never had names, for its inverse would add them", () => {
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const header = "diff --git a/x b/x\nindex 1..2\n";
  const named = `${header}--- a/x\n+++ b/x\n${hunk}`;
  assert.equal(fold(named), `${header}${hunk}`);
  assert.equal(fold(`${named}${header}${hunk}`), undefined);
});

Deno.test("unfoldNames is the inverse of foldNames for what a diff program writes", () => {
  fc.assert(fc.property(madeDiff, madeDiff, (a, b) => {
    const text = `a message\n\n${a.text}${b.text}`;
    const folded = fold(text)!;
    assert.ok(folded.length < text.length);
    assert.equal(unfoldNames(folded), text);
  }));
});

Deno.test("unfoldNames is the inverse of foldNames for any lines", () => {
  const lines = fc.array(diffLine, { maxLength: 40, size: "max" });
  fc.assert(
    fc.property(lines, (lines) => {
      const text = lines.join("\n");
      const folded = fold(text);
      if (folded !== undefined) assert.equal(unfoldNames(folded), text);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("foldGitLines names a file once where both names are the same, unfoldGitLines twice", () => {
  const text =
    "diff --git a/src/x.ts b/src/x.ts\n-diff --git a/y b/y\ndiff --git a/p b/q\ndiff --git a/a b b/a b";
  const folded = foldGitLines(text);
  assert.equal(
    folded,
    text.replace("a/src/x.ts b/src/x.ts", "src/x.ts"),
  );
  assert.equal(unfoldGitLines(folded), text);
});

Deno.test("foldGitLines leaves a text alone that has such a line already", () => {
  const text = "diff --git a/x b/x\ndiff --git y\n";
  assert.equal(foldGitLines(text), text);
});

Deno.test("unfoldGitLines turns every fold back", () => {
  const line = fc.oneof(
    diffLine,
    fc.constantFrom("diff --git a/b/x b/b/x", "diff --git a/x  b/x"),
  );
  fc.assert(fc.property(fc.array(line), (lines) => {
    const text = lines.join("\n");
    assert.equal(unfoldGitLines(foldGitLines(text)), text);
  }));
});
