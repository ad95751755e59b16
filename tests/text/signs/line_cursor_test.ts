import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  digitsEnd,
  endsNumber,
  isAmount,
  isNothing,
  numberAt,
  valueStart,
} from "../../../src/text/signs/line_cursor.ts";

/** What follows a key, from where its value starts. */
function valueOf(rest: string): string | undefined {
  const at = valueStart(codesOf(rest), 0, rest.length);
  return at < 0 ? undefined : rest.slice(at);
}

Deno.test("valueStart finds the value behind any sign", () => {
  for (
    const rest of [
      "=5",
      ":5",
      ": 5",
      '":5',
      '": "5',
      " = 5",
      "=>5",
      "=(5",
      "='5",
      '\\":5',
    ]
  ) assert.match(valueOf(rest) ?? "", /^5/, rest);
  for (const rest of ["", " 5", ",5", "=", ":"]) {
    assert.equal(valueOf(rest), undefined, rest);
  }
});

Deno.test("endsNumber and isAmount tell whole numbers from parts and amounts", () => {
  const ends = (text: string) => endsNumber(codesOf(text), 3, text.length);
  for (const text of ["503", "503 ", "503,", "503.", '503"', "503: x"]) {
    assert.ok(ends(text), text);
  }
  for (const text of ["503ms", "503.5", "503_a", "503%", "503/2", "503-4"]) {
    assert.ok(!ends(text), text);
  }
  for (const text of ["503 ms", "503 bytes", "503 kB"]) {
    assert.ok(isAmount(text, 3), text);
  }
  for (const text of ["503 ms=4", "503 Service", "503"]) {
    assert.ok(!isAmount(text, 3), text);
  }
});

Deno.test("numberAt reads nine digits at most", () => {
  const codes = codesOf("12345678901 x");
  assert.equal(numberAt(codes, 0, codes.length), 123456789);
  assert.equal(digitsEnd(codes, 0, codes.length), 11);
  assert.equal(numberAt(codes, 12, codes.length), 0);
});

Deno.test("isNothing knows values that say that there was none", () => {
  for (const text of ["null", "<nil>", "None", '""', "false", "[]"]) {
    assert.ok(isNothing(text, 0, text.length), text);
  }
  for (const text of ["nullable", "x", "none-such", ""]) {
    assert.ok(!isNothing(text, 0, text.length), text);
  }
});
