import assert from "node:assert/strict";
import {
  firstLines,
  headerOfKept,
  headerText,
  hunkAt,
  isRemark,
  passLine,
  signOf,
} from "../../../src/compressors/diff/hunk.ts";

/** The hunk with this header and body. */
function hunkOf(header: string, body = "", isWords = false) {
  return hunkAt([header, ...body.split("\n"), ""], 0, isWords);
}

Deno.test("hunkAt reads counts, left-out counts and the heading", () => {
  const hunk = hunkOf("@@ -3,7 +4 @@ def f(x): @@");
  assert.deepEqual(hunk?.sides, [{ start: 3, count: 7 }, {
    start: 4,
    count: 1,
  }]);
  assert.equal(hunk?.heading, " def f(x): @@");
  assert.equal(hunkOf("@@ -1 +1 @@\r")?.heading, "\r");
});

Deno.test("hunkAt reads combined headers", () => {
  assert.deepEqual(hunkOf("@@@ -1,2 -3 +4,5 @@@")?.sides, [
    { start: 1, count: 2 },
    { start: 3, count: 1 },
    { start: 4, count: 5 },
  ]);
});

for (
  const line of [
    "@@",
    "@@ -1 @@",
    "@@ +1 -1 @@",
    "@@@ -1 +1 @@@",
    "@@ -1 -2 +3 @@",
    "@@ -1 +1 @@@",
    "@@ -1,x +1 @@",
    " @@ -1 +1 @@",
    "@@ -12345678901 +1 @@",
  ]
) {
  Deno.test(`hunkAt refuses ${line}`, () => {
    assert.equal(hunkOf(line), undefined);
  });
}

Deno.test("hunkAt ends where all counts are used up, or where no body goes on", () => {
  const end = (header: string, body: string) => {
    const { end, isComplete } = hunkOf(header, body)!;
    return [end, isComplete];
  };
  assert.deepEqual(end("@@ -1,2 +1,2 @@", "--- a\n b\n+++ c\n+x"), [4, true]);
  assert.deepEqual(end("@@ -1 +1 @@", "-a\n+b\n\\ No newline"), [4, true]);
  assert.deepEqual(end("@@ -1,9 +1,2 @@", " a\n... cut ...\n b"), [2, false]);
  assert.deepEqual(end("@@ -1,9 +1,2 @@", " a\n+b\n+c\n d"), [3, false]);
  assert.deepEqual(end("@@ -1,3 +1,2 @@", " a\n\n-b"), [4, true]);
});

Deno.test("hunkAt counts the lines of a word diff by marks around all of them", () => {
  const body = "a [-b-]{+c+}\n{+new+}\n[-old-]\n[-x-]\nd\ndiff --git a/y b/y";
  const { end, isComplete } = hunkOf("@@ -1,4 +1,3 @@", body, true)!;
  assert.deepEqual([end, isComplete], [6, true]);
});

Deno.test("headerText writes what hunkAt reads, as git does", () => {
  for (
    const line of [
      "@@ -3,7 +4 @@ def f(x):",
      "@@ -0,0 +1,12 @@",
      "@@ -12 +11,0 @@",
      "@@@ -1,2 -3 +4,5 @@@ x",
    ]
  ) {
    const hunk = hunkOf(line)!;
    const counts = hunk.sides.map((side) => side.count);
    assert.equal(headerText(firstLines(hunk), counts, hunk.heading), line);
  }
});

const SIMPLE = hunkOf("@@ -1 +1 @@")!;
const MERGE = hunkOf("@@@ -1 -1 +1 @@@")!;

Deno.test("passLine counts each side that a line is on", () => {
  const counts = [0, 0];
  for (const line of [" a", "-b", "+c", "+d", "", "\\ No newline"]) {
    assert.equal(passLine(SIMPLE, line, counts), true);
  }
  assert.deepEqual(counts, [3, 4]);
  assert.equal(passLine(SIMPLE, "diff", counts), false);
  assert.deepEqual(counts, [3, 4]);
});

Deno.test("passLine counts the parents of a combined diff", () => {
  for (
    const [line, expected] of [
      ["  a", [1, 1, 1]],
      ["++a", [0, 0, 1]],
      ["+ a", [0, 1, 1]],
      ["- a", [1, 0, 0]],
      ["--a", [1, 1, 0]],
      [" -a", [0, 1, 0]],
    ] as const
  ) {
    const counts = [0, 0, 0];
    assert.equal(passLine(MERGE, line, counts), true);
    assert.deepEqual(counts, expected, line);
  }
  assert.equal(passLine(MERGE, " x", [0, 0, 0]), false);
});

Deno.test("signOf looks at the columns of signs only", () => {
  assert.equal(signOf(SIMPLE, "+a"), "+");
  assert.equal(signOf(SIMPLE, " +a"), " ");
  assert.equal(signOf(MERGE, " +a"), "+");
  assert.equal(signOf(MERGE, " -a"), "-");
  const words = { ...SIMPLE, isWords: true };
  assert.equal(signOf(words, "a [-b-]"), "~");
  assert.equal(signOf(words, "a {+ b"), " ");
  assert.equal(isRemark("\\ No newline at end of file"), true);
  assert.equal(isRemark(" \\ x"), false);
});

Deno.test("headerOfKept ends a heading behind the name of its function, or behind a word", () => {
  const cases = [
    ["export function readAll(a: string, b: number) {", "function readAll("],
    [
      "func (s *Server) Handle(w io.Writer, r *Request) error {",
      "func (s *Server) Handle(",
    ],
    [
      "public static interface RequestRecordOfTheLedger {",
      "interface RequestRecordOfTheLedger",
    ],
    [
      "retrieved originals, of which each has several parts",
      "retrieved originals,",
    ],
    ["class Inventory:", "class Inventory:"],
  ];
  for (const [heading = "", said = ""] of cases) {
    const lines = [`@@ -1,2 +1,2 @@ ${heading}`, " a", "-b", "+c", ""];
    const hunk = hunkAt(lines, 0, false);
    assert(hunk !== undefined);
    const kept = Uint8Array.of(1, 0, 1, 1);
    const isChange = (line: number) => line > 1;
    assert.equal(
      headerOfKept(lines, hunk, { kept, isChange }),
      `@@ -2 +2 @@ ${said} … 1 unchanged`,
    );
  }
});
