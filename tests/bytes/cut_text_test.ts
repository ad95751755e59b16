import assert from "node:assert/strict";
import { cutText } from "../../src/bytes/cut_text.ts";

Deno.test("cutText gives a short text as it is, and the beginning of a long one", () => {
  assert.equal(cutText("", 3), "");
  assert.equal(cutText("aé😀", 4), "aé😀");
  assert.equal(cutText("\ufeffabcd", 3), "\ufeffab");
});

Deno.test("cutText leaves no half of a character", () => {
  assert.equal(cutText("ab😀", 3), "ab\ufffd");
  assert.equal(cutText("a\ud800", 9), "a\ufffd");
});
