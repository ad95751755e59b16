import assert from "node:assert/strict";
import {
  clipped,
  counted,
  grouped,
} from "../../../src/compressors/html/text_size.ts";

Deno.test("grouped puts commas between groups of three digits", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), [
    "0",
    "999",
    "1,000",
    "1,234,567",
  ]);
});

Deno.test("counted puts the noun in the plural unless there is one", () => {
  assert.deepEqual([1, 2, 0].map((n) => counted(n, "link")), [
    "1 link",
    "2 links",
    "0 links",
  ]);
});

Deno.test("clipped cuts visibly and never through a character", () => {
  assert.equal(clipped("abcdef", 6), "abcdef");
  assert.equal(clipped("abc def", 4), "abc…");
  assert.equal(clipped("ab😀cd", 3), "ab…");
});
