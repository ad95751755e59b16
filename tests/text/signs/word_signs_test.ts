import assert from "node:assert/strict";
import { indexLines } from "../../../src/text/lines.ts";
import { ERROR, REFUSED } from "../../../src/text/signs/flags.ts";
import { VOCABULARY } from "../../../src/text/signs/vocabulary.ts";
import { WordSigns } from "../../../src/text/signs/word_signs.ts";

function flagsOf(text: string, inCells = false) {
  const lines = indexLines(text);
  const signs = new WordSigns(lines, inCells);
  VOCABULARY.find(
    lines.codes,
    (word, part, stop) => signs.add(word, part, stop),
  );
  return { flags: [...signs.flags()], countsFailing: signs.countsFailing };
}

Deno.test("WordSigns takes a bare state for a failure in cells only", () => {
  assert.deepEqual(flagsOf("web down 4", true).flags, [ERROR]);
  assert.deepEqual(flagsOf("web down 4").flags, [0]);
  assert.deepEqual(flagsOf("state=down").flags, [ERROR]);
});

Deno.test("WordSigns tells a refused request from a failure that is said", () => {
  assert.deepEqual(flagsOf("GET /a HTTP/1.1 404 12").flags, [ERROR | REFUSED]);
  assert.deepEqual(flagsOf("error GET /a HTTP/1.1 404 12").flags, [ERROR]);
  assert.deepEqual(flagsOf("GET /a HTTP/1.1 503 12").flags, [ERROR]);
});

Deno.test("WordSigns takes the status with a key before a number behind a path", () => {
  assert.deepEqual(flagsOf("GET /a 404 status=200").flags, [0]);
});

Deno.test("WordSigns notices counts of failing tests", () => {
  assert.ok(flagsOf("  2 failing").countsFailing);
  assert.ok(!flagsOf("  2 passing").countsFailing);
});
