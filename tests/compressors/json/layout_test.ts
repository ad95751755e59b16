import assert from "node:assert/strict";
import fc from "fast-check";
import { layOut, skipSpace } from "../../../src/compressors/json/layout.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";
import { tapeOf } from "./tapes.ts";

Deno.test("layOut prints a minified document in the layout that was found", () => {
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      (value, style) => {
        const text = print(value, style);
        const { layout, text: minified } = tapeOf(text);
        assert.ok(layout, text);
        assert.equal(layOut(minified, layout), text);
      },
    ),
  );
});

Deno.test("LayoutProbe finds no layout in irregular white space", () => {
  for (
    const text of [
      '{"a": 1, "b": [1,2]}',
      '{"a":1 ,"b":2}',
      '{"a": [1, 2],\n "b": 2}',
      '{\n  "a": {\n     "b": 1\n  }\n}',
      '{\n  "a": [\n  ]\n}',
      '{\r\n  "a": 1\n}',
      '{\n  "a": [\n    {\n      "b": 1\n    },{\n      "b": 1\n    },\n    {\n      "b": 1\n    }\n  ]\n}',
      "[ 1, 2 ]",
      '{\n  "list": ["a", "b"]\n}',
    ]
  ) assert.equal(tapeOf(text).layout, undefined, text);
});

Deno.test("skipSpace stops at the first character that is not JSON white space", () => {
  assert.equal(skipSpace(" \t\r\n\u00a0", 0), 4);
  assert.equal(skipSpace("\v1", 0), 0);
  assert.equal(skipSpace("  ", 0), 2);
});

Deno.test("layOut prints Windows line ends and containers that meet in },{", () => {
  const rows = '[\n   {\n      "a": 1\n   },{\n      "a": 2\n   }\n]';
  const windows = '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}';
  for (
    const text of [rows, windows, '{"a": 1}\r\n{"a": 2}\r\n', rows + "\n"]
  ) {
    const { layout, text: minified, after } = tapeOf(text);
    assert.ok(layout, text);
    assert.equal(layOut(minified, layout) + after, text);
  }
});
