import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isOpening,
  kindAt,
  memberValue,
  scalarEnd,
  skipSpace,
  stringEnd,
} from "../../../src/ccr/parts/json_tokens.ts";

Deno.test("scalarEnd finds the end of every string, number and word", () => {
  const scalars = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
  );
  fc.assert(fc.property(scalars, (value) => {
    const json = JSON.stringify(value);
    assert.equal(scalarEnd(`[${json},1]`, 1), 1 + json.length);
  }));
  assert.equal(scalarEnd("nul", 0), -1);
  assert.equal(scalarEnd("[1]", 0), -1);
});

Deno.test("stringEnd is -1 for a string that a line end or the end of the text cuts off", () => {
  assert.equal(stringEnd('"a\n"', 0), -1);
  assert.equal(stringEnd('"a\\"', 0), -1);
  assert.equal(stringEnd('"a\\\\"x', 0), 5);
});

Deno.test("memberValue steps over a key and a colon", () => {
  assert.equal(memberValue('{"a" : 1}', 1), 7);
  assert.ok(memberValue('{"a" 1}', 1) < 0);
  assert.ok(memberValue("{a:1}", 1) < 0);
});

Deno.test("skipSpace and isOpening look at one place", () => {
  assert.equal(skipSpace(" \t\r\n1", 0), 4);
  assert.equal(skipSpace("  ", 0), 2);
  assert.deepEqual([..."[{]}"].map((sign) => isOpening(sign.charCodeAt(0))), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("kindAt tells values apart by their first character", () => {
  assert.deepEqual(
    ["{}", "[]", '""', "1", "null"].map((json) => kindAt(json, 0)),
    ["object", "array", "string", "scalar", "scalar"],
  );
});
