import assert from "node:assert/strict";
import { lineNumbers } from "../../../src/ccr/parts/numbered.ts";

/** Numbers of the lines. */
function read(text: string, isCertain = true): number[] | undefined {
  const numbers = lineNumbers(text, isCertain);
  return numbers && [...numbers];
}

Deno.test("lineNumbers reads the numbers that tools write before lines", () => {
  for (const border of ["→", "\t", " | ", "| ", "|", ": ", ":"]) {
    assert.deepEqual(read(`  9${border}a\n 10${border}b\n 11${border}`), [
      9,
      10,
      11,
    ], border);
  }
  assert.deepEqual(read("009\ta\n010\tb"), [9, 10]);
});

Deno.test("lineNumbers gives 0 to lines without a number, and to numbers that do not follow on", () => {
  assert.deepEqual(read("head\n7\ta\n8\tb\n3\tc\n9\td\n10\te\n"), [
    0,
    7,
    8,
    0,
    9,
    10,
  ]);
});

Deno.test("lineNumbers gives nothing where most lines have none", () => {
  assert.equal(read("1\ta\nb\nc\nd"), undefined);
  assert.equal(read(""), undefined);
});

Deno.test("lineNumbers takes rows of a search for numbered only when they are known to be", () => {
  const rows = "1:a\n2:b\n3:c\n";
  assert.deepEqual(read(rows), [1, 2, 3]);
  assert.equal(read(rows, false), undefined);
  assert.deepEqual(read("     1→a\n     2→b\n", false), [1, 2]);
});
