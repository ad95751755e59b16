import assert from "node:assert/strict";
import fc from "fast-check";
import {
  recogniseJson,
  startsWithBracket,
} from "../../../src/compressors/json/recognise.ts";
import { scanJson } from "../../../src/compressors/json/scan.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";

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

Deno.test("recogniseJson knows JSON that breaks off", () => {
  const rows = JSON.stringify(
    Array.from({ length: 30 }, (_, i) => ({ id: i, name: `row ${i}` })),
  );
  for (const end of ["", "...", "\n... [truncated]", "… (output truncated)"]) {
    assert.equal(recogniseJson(rows.slice(0, 600) + end), 0.9, end);
  }
  assert.equal(recogniseJson(`${rows.slice(0, 600)}\nerror: broken pipe`), 0);
});

Deno.test("startsWithBracket looks at the first character", () => {
  assert.ok(startsWithBracket("\n{x}\n"));
  assert.ok(startsWithBracket("[x"));
  assert.ok(!startsWithBracket("x}"));
  assert.ok(!startsWithBracket("   "));
});

Deno.test("recogniseJson agrees with a scan on any text that ends with a bracket", () => {
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      fc.nat(),
      fc.constantFrom("", "x", ",", "\n", "}", '"', "\\", "\ud800", "{}\n"),
      (value, style, seed, extra) => {
        const whole = print(value, style);
        const at = seed % (whole.length + 1);
        const text = whole.slice(0, at) + extra + whole.slice(at);
        if (!startsWithBracket(text) || !/[}\]]\s*$/.test(text)) return;
        const isValid = scanJson(text) !== "invalid_json";
        assert.equal(recogniseJson(text) === 1, isValid, text);
      },
    ),
    { numRuns: 500 },
  );
});
