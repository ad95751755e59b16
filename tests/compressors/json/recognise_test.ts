import assert from "node:assert/strict";
import {
  hasBrackets,
  recogniseJson,
} from "../../../src/compressors/json/recognise.ts";

Deno.test("recogniseJson is sure of objects, arrays and JSON Lines", () => {
  for (
    const text of [
      '{"a":1}',
      " [1, 2]\n",
      '{"a":1}\n{"a":2}\n',
      '{"a":1}{"a":2}',
      "[]",
      '{"a":1,"a":2}',
      "[".repeat(500) + "]".repeat(500),
    ]
  ) assert.equal(recogniseJson(text), 1, text);
});

Deno.test("recogniseJson refuses scalars, truncated JSON, wrappers and other text", () => {
  for (
    const text of [
      "",
      " ",
      "1",
      '"a"',
      "null",
      '{"a":1',
      '[{"a":1},{"a"',
      "[INFO] start\n[INFO] end]",
      'result: {"a":1}',
      '{"a":1} ok',
      "{a:1}",
      "[1]\n[2 rows: a\n1\n2\n]",
    ]
  ) assert.equal(recogniseJson(text), 0, text);
});

Deno.test("hasBrackets looks at the first and last character", () => {
  assert.ok(hasBrackets("\n{x}\n"));
  assert.ok(!hasBrackets("{x"));
  assert.ok(!hasBrackets("x}"));
  assert.ok(!hasBrackets("   "));
});
