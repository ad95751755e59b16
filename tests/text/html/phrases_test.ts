import assert from "node:assert/strict";
import { clipped, counted } from "../../../src/text/html/phrases.ts";

Deno.test("counted and clipped write numbers and long texts", () => {
  assert.equal(counted(1, "link"), "1 link");
  assert.equal(counted(1234567, "link"), "1,234,567 links");
  assert.equal(clipped("abcdef", 6), "abcdef");
  assert.equal(clipped("abcd\ud83d\ude00f", 5), "abcd…");
});
