import assert from "node:assert/strict";
import { jsonLine } from "../../src/telemetry/json_line.ts";

Deno.test("jsonLine escapes control characters wherever they stand, and changes no value", () => {
  const text =
    "a\u0000\n\r\u001b[2J\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066é😀";
  const value = { [text]: [text, 1, null, "\ud800"] };
  const line = jsonLine(value);
  assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u);
  assert.deepEqual(JSON.parse(line), value);
  assert.equal(jsonLine("a\u009b"), '"a\\u009b"');
  for (
    const plain of ["", "a b", "~!#[]", '"', "\\", "\u007f", "é", "\ud800"]
  ) {
    assert.equal(JSON.parse(jsonLine(plain)), plain);
  }
});
