import assert from "node:assert/strict";
import fc from "fast-check";
import { diffCompressor } from "../../../src/compressors/diff/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextWith, madeDiff } from "./make_diff.ts";

/** A diff of `files` files, each with one change between wide context. */
function wideDiff(files: number): string {
  const body = Array.from(
    { length: 20 },
    (_, i) => i === 10 ? "-old\n+new\n" : ` context line number ${i}\n`,
  ).join("");
  return Array.from(
    { length: files },
    (_, i) =>
      `diff --git a/src/f${i}.ts b/src/f${i}.ts\nindex 1..2 100644\n--- a/src/f${i}.ts\n+++ b/src/f${i}.ts\n@@ -1,20 +1,20 @@\n${body}`,
  )
    .join("");
}

Deno.test("diffCompressor elides context where it may", () => {
  const text = wideDiff(3);
  const outcome = diffCompressor.compress(text, contextWith(true));
  assert(outcome.type === "elided");
  assert.deepEqual(outcome.omitted, {
    count: 3 * (1 + 17),
    total: 3 * 26,
    unit: "lines",
  });
  assert.ok(outcome.text.includes(
    "--- a/src/f2.ts\n+++ b/src/f2.ts\n@@ -10,3 +10,3 @@ … context 1-9,13-20 omitted\n",
  ));
});

Deno.test("diffCompressor only folds names where it may not elide", () => {
  const text = wideDiff(3);
  const outcome = diffCompressor.compress(text, contextWith(false));
  assert(outcome.type === "reformatted");
  assert.equal(outcome.text, text.replace(/^(---|\+\+\+) .*\n/gm, ""));
  assert.equal(diffCompressor.restore!(outcome.text), text);
});

Deno.test("diffCompressor prefers the fold to a small gain", () => {
  const text =
    "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";
  const outcome = diffCompressor.compress(text, contextWith(true));
  assert.equal(outcome.type, "reformatted");
});

Deno.test("diffCompressor leaves alone what is no diff, was compressed or does not fold", () => {
  for (
    const [text, reason] of [
      ["hello\n", "no_diff"],
      ["", "no_diff"],
      [`${wideDiff(2)}[9 lines. Retrieve more: hash=0]`, "already_compressed"],
      [`${wideDiff(2)}<<ccr:0123>>`, "already_compressed"],
      ["--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", "nothing_to_fold"],
      [
        "diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n",
        "nothing_to_fold",
      ],
    ] as const
  ) {
    assert.deepEqual(diffCompressor.compress(text, contextWith(true)), {
      type: "unchanged",
      reason,
    });
  }
});

Deno.test("diffCompressor folds no diff whose fold has no exact inverse", () => {
  // The second file has no name lines to begin with; the inverse would add them.
  const text = `${
    wideDiff(1)
  }diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n`;
  assert.deepEqual(diffCompressor.compress(text, contextWith(false)), {
    type: "unchanged",
    reason: "nothing_to_fold",
  });
});

Deno.test("diffCompressor does not look like a patch in its notes", () => {
  fc.assert(fc.property(madeDiff, ({ text }) => {
    const outcome = diffCompressor.compress(text, {
      ...contextWith(true),
      countTokens: (t) => 100 * t.length,
    });
    if (outcome.type !== "elided") return;
    const original = new Set(text.split("\n"));
    for (const line of outcome.text.split("\n")) {
      if (original.has(line)) continue;
      assert.match(line, /^(?:@@ -\d|… )/);
    }
  }));
});

testCompressor(diffCompressor, [
  wideDiff(1),
  wideDiff(8),
  wideDiff(2).replaceAll("\n", "\r\n"),
  wideDiff(2).slice(0, -100),
  `--- /dev/null\n+++ b/x\n@@ -0,0 +1,400 @@\n${"+a line\n".repeat(400)}`,
  `--- a/yarn.lock\n+++ /dev/null\n@@ -1,400 +0,0 @@\n${"-x\n".repeat(400)}`,
]);
