import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanText, safeJson } from "../../src/cli/clean_text.ts";

Deno.test("cleanText shows control characters as signs and keeps tabs and line feeds", () => {
  assert.equal(cleanText("\x1b[31ma\tb\r\n\x7f\x9b"), "␛[31ma\tb␍\n␡\ufffd");
});

Deno.test("cleanText takes away what turns the direction of writing, not the characters of words", () => {
  assert.equal(cleanText("a\u202eb é 👩‍💻 \ud800"), "a\ufffdb é 👩‍💻 \ufffd");
});

Deno.test("cleanText leaves no control character, for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.doesNotMatch(cleanText(text), /(?![\t\n])\p{Cc}/u);
  }));
});

Deno.test("safeJson escapes what a terminal would obey, and means the same", () => {
  const value = { text: "\x1b\x7f\x9b\u202eé" };
  assert.equal(
    safeJson(value),
    '{"text":"\\u001b\\u007f\\u009b\\u202eé"}',
  );
  assert.deepEqual(JSON.parse(safeJson(value, 2)), value);
});
