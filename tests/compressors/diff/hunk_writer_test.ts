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
  const writer = new HunkWriter(lines, hunk, "x.ts");
  const out: string[] = [];
  writer.write(pieces, out);
  return { out, omitted: writer.omitted };
}

Deno.test("HunkWriter recounts headers and names the context that is gone", () => {
  assert.deepEqual(
    written([{ start: 5, end: 7 }, { start: 10, end: 12 }]),
    {
      out: [
        "@@ -12 +12 @@ function inner() { … context 10-11 omitted",
        "-two",
        "+2",
        "@@ -16 +16 @@ … context 13-15,17-18 omitted",
        "-six",
        "+6",
      ],
      omitted: 7,
    },
  );
});

Deno.test("HunkWriter keeps the heading of the hunk where no context line replaces it", () => {
  assert.equal(
    written([{ start: 3, end: 14 }]).out[0],
    "@@ -10,9 +10,9 @@ outer()",
  );
  assert.equal(
    written([{ start: 4, end: 14 }]).out[0],
    "@@ -11,8 +11,8 @@ outer() … context 10 omitted",
  );
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
  const opening = new HunkWriter(lines, first!, "b");
  opening.open({ start: 3, end: 4 }, out);
  const closing = new HunkWriter(lines, third!, "b");
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
