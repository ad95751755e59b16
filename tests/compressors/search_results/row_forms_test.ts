import assert from "node:assert/strict";
import {
  bodyEnd,
  digitsEnd,
  isSeparator,
  matchAt,
  nextContextAt,
} from "../../../src/compressors/search_results/row_forms.ts";
import { codesOf, indexLines } from "../../../src/text/lines.ts";

Deno.test("matchAt gives the offset of the line number", () => {
  assert.equal(matchAt(indexLines("src/a.ts:12:x"), 0), 9);
  assert.equal(matchAt(indexLines("C:\\a.cs:7:x"), 0), 8);
  assert.equal(matchAt(indexLines("src/a.ts:12"), 0), 0);
});

Deno.test("matchAt does not take times and levels for paths", () => {
  const text =
    "2026-02-02T10:00:01: x\n10:00:01: y\n[main]:3:z\nMay 12 10:00:01: w\na=b:3:q";
  const lines = indexLines(text);
  for (let i = 0; i < lines.count; i++) assert.equal(matchAt(lines, i), 0);
});

Deno.test("nextContextAt finds context of the path of the row before", () => {
  const lines = indexLines("a-1-b.ts:3:x\na-1-b.ts-4-y\nc.ts-5-z");
  assert.equal(nextContextAt(lines, 1, 8), 22);
  assert.equal(nextContextAt(lines, 2, 8), 0);
  assert.equal(nextContextAt(lines, 1, 0), 0);
});

Deno.test("bodyEnd, digitsEnd and isSeparator read what they name", () => {
  const lines = indexLines("12:x\n12-y\n12 z\n--\n---");
  assert.deepEqual([0, 1, 2].map((i) => bodyEnd(lines, i, lines.starts[i]!)), [
    3,
    8,
    0,
  ]);
  assert.equal(digitsEnd(codesOf("a12b"), 1, 4), 3);
  assert.deepEqual([3, 4].map((i) => isSeparator(lines, i)), [true, false]);
});
