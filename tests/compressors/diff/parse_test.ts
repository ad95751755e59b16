import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDiff, pathOf } from "../../../src/compressors/diff/parse.ts";
import { applyPatch, diffLine, madeDiff } from "./make_diff.ts";

/** Line spans of files and hunks. */
function outline(text: string) {
  return (parseDiff(text)?.files ?? []).map((file) => ({
    at: [file.start, file.headerEnd, file.end],
    names: file.names,
    hunks: file.hunks.map((hunk) => [hunk.start, hunk.end, hunk.isComplete]),
  }));
}

Deno.test("parseDiff finds header, names and hunks of git's format", () => {
  const text = [
    "commit 1234567",
    "",
    "    Message",
    "",
    "diff --git a/x b/y",
    "similarity index 90%",
    "rename from x",
    "rename to y",
    "index 1..2 100644",
    "--- a/x",
    "+++ b/y",
    "@@ -1,2 +1,2 @@",
    " a",
    "-b",
    "+c",
    "@@ -9 +9 @@ f()",
    "-d",
    "\\ No newline at end of file",
    "+e",
    "\\ No newline at end of file",
    "after",
  ].join("\n");
  assert.deepEqual(outline(text), [
    { at: [4, 11, 20], names: 9, hunks: [[11, 15, true], [15, 20, true]] },
  ]);
});

Deno.test("parseDiff takes sections without hunks and leaves a lone diff line", () => {
  const text =
    "diff --git a/x b/x\nold mode 100644\nnew mode 100755\ndiff --git a/p b/p\nBinary files a/p and b/p differ\ndiff --git a/q b/q\n";
  assert.deepEqual(outline(text), [
    { at: [0, 3, 3], names: -1, hunks: [] },
    { at: [3, 5, 5], names: -1, hunks: [] },
  ]);
});

Deno.test("parseDiff takes plain and svn headers with any file name", () => {
  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  assert.deepEqual(outline(`--- old name\t2024\n+++ C:\\new\n${hunk}`), [
    { at: [0, 2, 5], names: 0, hunks: [[2, 5, true]] },
  ]);
  assert.deepEqual(
    outline(`Index: f\n${"=".repeat(67)}\n--- f\t(r1)\n+++ f\t(copy)\n${hunk}`),
    [{ at: [0, 4, 7], names: 2, hunks: [[4, 7, true]] }],
  );
  assert.deepEqual(outline("--- a\n+++ b\ntext"), []);
  assert.deepEqual(outline("Index: of things\n"), []);
});

Deno.test("parseDiff takes a removed line that looks like a header for a line", () => {
  const text =
    "--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- a\n-diff --git a b\n+++ b\n+@@\n";
  assert.deepEqual(outline(text)[0]?.hunks, [[2, 7, true]]);
});

Deno.test("parseDiff counts a blank line without its space as context", () => {
  const text = "--- a\n+++ b\n@@ -1,3 +1,2 @@\n a\n\n-b\n";
  assert.deepEqual(outline(text)[0]?.hunks, [[2, 6, true]]);
});

Deno.test("parseDiff says which hunk does not have the lines that it counts", () => {
  for (
    const body of [
      " a\n",
      " a\n... 3 lines truncated ...\n b\n",
      " a\n+b\n+c\n d\n",
    ]
  ) {
    const view = parseDiff(`--- a\n+++ b\n@@ -1,9 +1,2 @@\n${body}`);
    assert.equal(view?.files[0]?.hunks[0]?.isComplete, false, body);
  }
});

Deno.test("parseDiff takes encoded binary data for a part of the header", () => {
  const data = `z${"A1b2".repeat(10)}`;
  const text =
    `diff --git a/p b/p\nindex 1..2\nGIT binary patch\nliteral 9\n${data}\n${data}\n\ndelta 3\n${data}\n\ndiff --git a/q b/q\nnew file mode 100644\n`;
  assert.deepEqual(outline(text).map(({ at }) => at), [[0, 10, 10], [
    10,
    12,
    12,
  ]]);
});

Deno.test("parseDiff reads what a diff program writes", () => {
  fc.assert(fc.property(madeDiff, ({ old, added, text }) => {
    const view = parseDiff(text);
    assert(view !== undefined);
    const { lines, files } = view;
    assert.equal(files.length, 1);
    assert.ok(files[0]!.hunks.every((hunk) => hunk.isComplete));
    assert.deepEqual(applyPatch(old, lines, files[0]!), added);
  }));
});

Deno.test("parseDiff covers the lines in order and never throws", () => {
  fc.assert(
    fc.property(fc.array(diffLine, { maxLength: 40, size: "max" }), (parts) => {
      const text = parts.join("\n");
      let at = 0;
      for (const file of parseDiff(text)?.files ?? []) {
        assert.ok(file.start >= at && file.end > file.start);
        at = file.headerEnd;
        for (const hunk of file.hunks) {
          assert.equal(hunk.start, at);
          assert.ok(hunk.end > hunk.start);
          at = hunk.end;
        }
        assert.equal(at, file.end);
      }
      assert.ok(at <= text.split("\n").length);
    }),
  );
});

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
  Deno.test(`parseDiff knows ${what}`, () => {
    assert.notEqual(parseDiff(text), undefined);
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
  Deno.test(`parseDiff leaves ${what}`, () => {
    assert.equal(parseDiff(text), undefined);
  });
}

Deno.test("parseDiff knows word diffs by their hunks, but no text around one", () => {
  const wordDiff =
    "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\none\ntwo [-2-]{+three+}\nfour\nfive\n";
  assert.notEqual(parseDiff(wordDiff), undefined);
  const prose = "A sentence about what comes below.\n".repeat(20);
  assert.equal(parseDiff(prose + wordDiff + prose), undefined);
});

Deno.test("pathOf is the new name, or the old one of a file that is gone", () => {
  const paths = (text: string) => {
    const view = parseDiff(text);
    return view?.files.map((file) => pathOf(view.lines, file));
  };
  assert.deepEqual(paths(`--- a/old.ts\n+++ b/new.ts\t2024\n${HUNK}`), [
    "new.ts",
  ]);
  assert.deepEqual(paths(`--- a/old.ts\n+++ /dev/null\n${HUNK}`), ["old.ts"]);
  assert.deepEqual(paths(`diff --git a/x b/y\nindex 1..2\n${HUNK}`), ["y"]);
  assert.deepEqual(
    paths(`--- "a/\\303.ts"\n+++ "b/\\303.ts"\n${HUNK}`),
    ["a/\\303.ts"].map((p) => p.slice(2)),
  );
});
