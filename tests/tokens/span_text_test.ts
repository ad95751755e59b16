import assert from "node:assert/strict";
import { spanText } from "../../src/tokens/span_text.ts";

const utf8 = new TextEncoder();
const whole = (bytes: Uint8Array) =>
  spanText(bytes, { start: 0, end: bytes.length });

Deno.test("spanText gives the text a string literal stands for", () => {
  const body = utf8.encode('{"a":"x\\ny","b":12}');
  assert.equal(spanText(body, { start: 5, end: 11 }), "x\ny");
});

Deno.test("spanText gives the raw text of any other value", () => {
  const body = utf8.encode('[{"é": "\\n"}]');
  const span = { start: 1, end: body.length - 1 };
  assert.equal(spanText(body, span), '{"é": "\\n"}');
});

Deno.test("spanText gives raw text when a literal stands for no valid text", () => {
  assert.equal(whole(utf8.encode('"a\\ud800"')), '"a\\ud800"');
  assert.equal(whole(Uint8Array.of(0x22, 0x61, 0xff, 0x22)), '"a\ufffd"');
});

Deno.test("spanText keeps a byte order mark", () => {
  assert.equal(whole(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)), "\ufeff1");
});
