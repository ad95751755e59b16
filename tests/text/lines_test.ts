import assert from "node:assert/strict";
import fc from "fast-check";
import {
  codesOf,
  endsWithNewline,
  indexLines,
  lineAt,
  lineAtOffset,
  lineEnd,
  lineHeads,
  lineLength,
  lineStart,
} from "../../src/text/lines.ts";

const texts = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", " ") });

Deno.test("indexLines gives the lines of split, without an empty one after a final newline", () => {
  fc.assert(fc.property(texts, (text) => {
    const expected = text.split("\n");
    if (expected.at(-1) === "") expected.pop();
    const lines = indexLines(text);
    const found = Array.from(
      { length: lines.count },
      (_, i) => lineAt(lines, i),
    );
    assert.deepEqual(found, expected);
    assert.equal(endsWithNewline(lines), text.endsWith("\n"));
  }));
});

Deno.test("indexLines knows the lines of the last two texts again, not those of a huge one", () => {
  const [a, b, c] = ["a\n", "b\n", "c\n"].map((line) => line.repeat(400));
  const known = [indexLines(a!), indexLines(b!)];
  assert.equal(indexLines("a\n".repeat(400)), known[0]);
  assert.equal(indexLines(b!), known[1]);
  indexLines(c!);
  assert.equal(indexLines(b!), known[1]);
  assert.notEqual(indexLines(a!), known[0]);
  assert.deepEqual(indexLines(a!), known[0]);
  const huge = "a\n".repeat(1e6);
  assert.notEqual(indexLines(huge), indexLines(huge));
});

Deno.test("indexLines grows beyond its first guess", () => {
  assert.equal(indexLines("\n".repeat(100_000)).count, 100_000);
});

Deno.test("codesOf gives one byte per UTF-16 unit, ASCII as it is", () => {
  assert.deepEqual([...codesOf("a\n~")], [97, 10, 126]);
  const codes = codesOf("a✓😀b\ud800");
  assert.equal(codes.length, 6);
  assert.equal(codes[4], 98);
  assert.ok([1, 2, 3, 5].every((i) => codes[i]! > 127));
});

Deno.test("lineHeads takes every line of a short text, cut to a width", () => {
  assert.deepEqual(lineHeads("abc\n\ndefgh\n", 2, 3), ["abc", "", "def"]);
  assert.deepEqual(lineHeads("", 2, 3), []);
});

Deno.test("lineHeads takes the first lines, those from the middle on and the last of a long text", () => {
  const text = Array.from({ length: 100 }, (_, i) => `${i}`).join("\n");
  const heads = lineHeads(text, 2, 9);
  assert.equal(heads.length, 6);
  assert.deepEqual(heads.slice(0, 2), ["0", "1"]);
  assert.deepEqual(heads.slice(4), ["98", "99"]);
  assert.ok(Number(heads[2]) > 40 && Number(heads[2]) < 60);
});

Deno.test("lineAtOffset finds the line of every offset", () => {
  const lines = indexLines("ab\n\nc");
  const found = [0, 1, 2, 3, 4, 5].map((at) => lineAtOffset(lines, at));
  assert.deepEqual(found, [0, 0, 0, 1, 2, 2]);
  assert.equal(lineAtOffset(indexLines("a\n"), 2), 1);
});

Deno.test("lineStart, lineEnd and lineLength agree with lineAt", () => {
  const lines = indexLines("ab\r\n\nc");
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i);
    const end = lineEnd(lines, i);
    assert.equal(lines.text.slice(lineStart(lines, i), end), line);
    assert.equal(lineLength(lines, i), line.length);
  }
});
