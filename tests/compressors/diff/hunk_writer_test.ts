import assert from "node:assert/strict";
import {
  HunkWriter,
  type Piece,
} from "../../../src/compressors/diff/hunk_writer.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";

const TEXT = `--- a/x.ts
+++ b/x.ts
@@ -10,9 +10,9 @@ outer()
 one
 function inner() {
-two
+2
 three
 four
 five
-six
+6
 seven
 eight
`;
const { lines, files } = parseDiff(TEXT);
const hunk = files[0]!.hunks[0]!;

function written(pieces: readonly Piece[]) {
  const writer = new HunkWriter(lines, hunk, { path: "x.ts", heading: "" });
  const out: string[] = [];
  writer.write(pieces, out);
  return { out, omitted: writer.omitted };
}

Deno.test("HunkWriter counts the context that is gone, and names what heads the next lines", () => {
  assert.deepEqual(
    written([{ start: 5, end: 7 }, { start: 10, end: 12 }]),
    {
      out: [
        "@@ -12,5 +12,5 @@ function inner() { … 4 context lines",
        "-two",
        "+2",
        "… 3 context lines",
        "-six",
        "+6",
      ],
      omitted: 7,
    },
  );
  assert.deepEqual(
    written([{ start: 3, end: 4 }, { start: 5, end: 14 }]).out.slice(0, 3),
    [
      "@@ -10,9 +10,9 @@ outer()",
      " one",
      "… 1 context line: function inner() {",
    ],
  );
});

Deno.test("HunkWriter starts another header behind a long gap, without the heading that stands above", () => {
  const body = Array.from({ length: 30 }, (_, i) => ` line ${i}`);
  const text = [
    "--- a",
    "+++ b",
    "@@ -1,31 +1,31 @@ outer()",
    "+a",
    ...body,
    "-b",
    "",
  ];
  const { lines, files } = parseDiff(text.join("\n"));
  const out: string[] = [];
  const state = { path: "b", heading: " outer()" };
  new HunkWriter(lines, files[0]!.hunks[0]!, state)
    .write([{ start: 3, end: 4 }, { start: 34, end: 35 }], out);
  assert.deepEqual(out, [
    "@@ -0,0 +1 @@",
    "+a",
    "@@ -31 +31,0 @@ … 30 context lines",
    "-b",
  ]);
});

Deno.test("HunkWriter cuts long headings visibly and drops those that are imports", () => {
  const headed = (heading: string) => {
    const text = `--- a\n+++ b\n@@ -1,2 +1 @@${heading}\n c\n-d\n`;
    const { lines, files } = parseDiff(text);
    const out: string[] = [];
    new HunkWriter(lines, files[0]!.hunks[0]!, { path: "b", heading: "" })
      .write([{ start: 4, end: 5 }], out);
    return out[0]!.slice("@@ -2 +1,0 @@".length, -" … 1 context line".length);
  };
  assert.equal(headed(" class Stock:"), " class Stock:");
  assert.equal(
    headed(" export async function openLibrary(parts: Parts): Promise<void> {"),
    " export async function openLibrary(…",
  );
  assert.equal(
    headed(' test("a name that goes on and on until git cuts it somewhere'),
    ' test("a name that goes on and on until git…',
  );
  assert.equal(headed(' import { a } from "./a.ts";'), "");
});

Deno.test("HunkWriter keeps the heading of the hunk where no context line replaces it", () => {
  assert.equal(
    written([{ start: 3, end: 14 }]).out[0],
    "@@ -10,9 +10,9 @@ outer()",
  );
  assert.equal(
    written([{ start: 4, end: 14 }]).out[0],
    "@@ -11,8 +11,8 @@ outer() … 1 context line",
  );
});

Deno.test("HunkWriter ends with a note where all the rest is cut", () => {
  const rest = { start: hunk.end, end: hunk.end, cut: true } as const;
  assert.deepEqual(written([{ start: 3, end: 4 }, rest]), {
    out: [
      "@@ -10 +10 @@ outer()",
      " one",
      "… x.ts: 10 lines omitted (+2 -2, 6 context), new lines 11-18",
    ],
    omitted: 10,
  });
});

Deno.test("HunkWriter writes a note line where changes are gone", () => {
  assert.deepEqual(
    written([{ start: 3, end: 5 }, { start: 12, end: 14, cut: true }]),
    {
      out: [
        "@@ -10,2 +10,2 @@ outer()",
        " one",
        " function inner() {",
        "… x.ts: 7 lines omitted (+2 -2, 3 context), new lines 12-16",
        "@@ -17,2 +17,2 @@",
        " seven",
        " eight",
      ],
      omitted: 7,
    },
  );
});

Deno.test("HunkWriter bridges hunks with one note", () => {
  const text =
    "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -5 +5 @@\n-d\n+e\n@@ -9,2 +9,2 @@\n f\n-g\n+h\n";
  const { lines, files } = parseDiff(text);
  const [first, second, third] = files[0]!.hunks;
  const out: string[] = [];
  const state = { path: "b", heading: "" };
  const opening = new HunkWriter(lines, first!, state);
  opening.open({ start: 3, end: 4 }, out);
  const closing = new HunkWriter(lines, third!, state);
  closing.closeAfter(opening, [second!], { start: 12, end: 13 }, out);
  assert.deepEqual(out, [
    "@@ -1 +0,0 @@",
    "-a",
    "… b: 6 lines omitted in 3 hunks (+2 -2, 2 context), new lines 1-9",
    "@@ -10,0 +10 @@",
    "+h",
  ]);
  assert.equal(closing.omitted, 6);
});
