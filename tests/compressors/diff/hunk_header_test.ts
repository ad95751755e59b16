import assert from "node:assert/strict";
import {
  countLine,
  firstLines,
  formatHunkHeader,
  isChanged,
  isRemark,
  isRemoved,
  parseHunkHeader,
} from "../../../src/compressors/diff/hunk_header.ts";

Deno.test("parseHunkHeader reads counts, left-out counts and the heading", () => {
  assert.deepEqual(parseHunkHeader("@@ -3,7 +4 @@ def f(x): @@"), {
    sides: [{ start: 3, count: 7 }, { start: 4, count: 1 }],
    heading: " def f(x): @@",
  });
  assert.deepEqual(parseHunkHeader("@@ -1 +1 @@\r")?.heading, "\r");
});

Deno.test("parseHunkHeader reads combined headers", () => {
  assert.deepEqual(parseHunkHeader("@@@ -1,2 -3 +4,5 @@@")?.sides, [
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
  Deno.test(`parseHunkHeader refuses ${line}`, () => {
    assert.equal(parseHunkHeader(line), undefined);
  });
}

Deno.test("formatHunkHeader writes what parseHunkHeader reads, as git does", () => {
  for (
    const line of [
      "@@ -3,7 +4 @@ def f(x):",
      "@@ -0,0 +1,12 @@",
      "@@ -12 +11,0 @@",
      "@@@ -1,2 -3 +4,5 @@@ x",
    ]
  ) {
    const header = parseHunkHeader(line)!;
    const counts = header.sides.map((side) => side.count);
    assert.equal(
      formatHunkHeader(firstLines(header), counts, header.heading),
      line,
    );
  }
});

Deno.test("countLine counts each side that a line stands on", () => {
  const counts = [0, 0];
  for (const line of [" a", "-b", "+c", "+d", "", "\\ No newline"]) {
    assert.equal(countLine(line, counts, 1), true);
  }
  assert.deepEqual(counts, [3, 4]);
  assert.equal(countLine("diff", counts, 1), false);
  assert.deepEqual(counts, [3, 4]);
});

Deno.test("countLine counts the parents of a combined diff", () => {
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
    assert.equal(countLine(line, counts, 1), true);
    assert.deepEqual(counts, expected, line);
  }
  assert.equal(countLine(" x", [0, 0, 0], 1), false);
});

Deno.test("isChanged and isRemoved look at the prefix columns only", () => {
  assert.equal(isChanged("+a", 1), true);
  assert.equal(isChanged(" +a", 1), false);
  assert.equal(isChanged(" +a", 2), true);
  assert.equal(isRemoved(" -a", 2), true);
  assert.equal(isRemoved("+-a", 1), false);
  assert.equal(isRemark("\\ No newline at end of file"), true);
  assert.equal(isRemark(" \\ x"), false);
});
