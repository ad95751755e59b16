import assert from "node:assert/strict";
import fc from "fast-check";
import {
  headerOf,
  layOut,
  readHeader,
  skipSpace,
} from "../../../src/compressors/json/layout.ts";
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
      '{\r\n  "a": 1\r\n}',
      "[ 1, 2 ]",
      '{\n  "list": ["a", "b"]\n}',
    ]
  ) assert.equal(tapeOf(text).layout, undefined, text);
});

Deno.test("headerOf names a layout in a line that readHeader reads", () => {
  const text = '{"a":[1,2]}';
  for (const style of Object.values(STYLES)) {
    const value = { members: [['"a"', ["1", "2"]]] } as const;
    for (const lines of [1, 2]) {
      const printed = Array(lines).fill(print(value, style)).join("\n");
      const { layout } = tapeOf(printed);
      assert.ok(layout);
      const header = headerOf(layout);
      const read = readHeader(header + text);
      assert.equal(read.length, header.length);
      const minified = Array(lines).fill(text).join("\n");
      assert.equal(layOut(minified, read.layout), printed);
    }
  }
});

Deno.test("headerOf says nothing about one minified value", () => {
  assert.equal(headerOf(tapeOf('{"a":[1,2]}').layout!), "");
});

Deno.test("skipSpace stops at the first character that is not JSON white space", () => {
  assert.equal(skipSpace(" \t\r\n\u00a0", 0), 4);
  assert.equal(skipSpace("\v1", 0), 0);
  assert.equal(skipSpace("  ", 0), 2);
});
