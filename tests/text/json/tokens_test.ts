import assert from "node:assert/strict";
import fc from "fast-check";
import {
  endOfNumber,
  endOfString,
  escapeLength,
  skipSpace,
  stringEnd,
} from "../../../src/text/json/tokens.ts";

Deno.test("endOfString finds the closing quote of any string", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (content) => {
    const literal = JSON.stringify(content);
    assert.equal(Math.abs(endOfString(`${literal},"x"`, 0)), literal.length);
    assert.equal(endOfString(literal, 0) < 0, literal.includes("\\"));
    assert.equal(endOfString(literal.slice(0, -1), 0), 0);
  }));
});

Deno.test("endOfString refuses control characters and unknown escapes", () => {
  for (const text of ['"a\nb"', '"\\x"', '"\\u12g4"', '"\\u12', '"\\']) {
    assert.equal(endOfString(text, 0), 0, text);
  }
});

Deno.test("stringEnd throws where there is no string", () => {
  assert.equal(stringEnd('"a\\n"', 0), 5);
  assert.throws(() => stringEnd('"a', 0), SyntaxError);
});

Deno.test("escapeLength tells how much follows a backslash", () => {
  assert.deepEqual(
    ["n", "u00e9", "u00", "x"].map((text) => escapeLength(text, 0)),
    [1, 5, 0, 0],
  );
});

Deno.test("endOfNumber accepts exactly JSON numbers", () => {
  for (const text of ["0", "-0", "10", "1.0", "1e5", "1E+5", "-1.5e-7"]) {
    assert.equal(endOfNumber(`${text},`, 0), text.length, text);
  }
  for (const text of ["-", ".5", "1.", "1e", "1e+", "+1", "x"]) {
    assert.equal(endOfNumber(text, 0), 0, text);
  }
  assert.equal(endOfNumber("01", 0), 1);
});

Deno.test("skipSpace skips what JSON calls white space, and nothing else", () => {
  assert.equal(skipSpace(" \t\r\n\f", 0), 4);
  assert.equal(skipSpace("x", 0), 0);
  assert.equal(skipSpace("  ", 1), 2);
});
