import assert from "node:assert/strict";
import {
  headerOf,
  MAX_HEADER,
  readHeader,
} from "../../../src/compressors/json/header.ts";
import { layOut } from "../../../src/compressors/json/layout.ts";
import { print, STYLES } from "./json_text.ts";
import { tapeOf } from "./tapes.ts";

const VALUE = { members: [['"a"', ["1", "2"]]] } as const;
const MINIFIED = '{"a":[1,2]}';

Deno.test("headerOf names a layout in a line that readHeader reads", () => {
  for (const style of Object.values(STYLES)) {
    for (const newline of ["\n", "\r\n"]) {
      for (const lines of [1, 2]) {
        for (const isFile of [true, false]) {
          const printed = Array(lines).fill(print(VALUE, style)).join("\n")
            .replaceAll("\n", newline);
          const { layout } = tapeOf(printed);
          assert.ok(layout);
          const header = headerOf({ layout, mixed: undefined }, isFile);
          assert.ok(header.length <= MAX_HEADER);
          const read = readHeader(header + MINIFIED);
          assert.equal(read.length, header.length);
          const minified = Array(lines).fill(MINIFIED).join("\n");
          assert.equal(layOut(minified, read.layout), printed, header);
        }
      }
    }
  }
});

Deno.test("headerOf tells how containers on one line are known", () => {
  const { layout } = tapeOf(print(VALUE, STYLES.two!));
  assert.ok(layout);
  for (const lone of [true, false]) {
    for (const isFile of [true, false]) {
      const header = headerOf({ layout, mixed: { lone } }, isFile);
      assert.match(header, /^\/\/ .*except in brackets with spaces/);
      const read = readHeader(header + MINIFIED);
      assert.deepEqual(read.mixed, { lone });
      assert.equal(layOut(MINIFIED, read.layout), layOut(MINIFIED, layout));
      assert.equal(read.length, header.length);
    }
  }
});

Deno.test("headerOf says how the lines of a file stand", () => {
  const { layout } = tapeOf(print(VALUE, STYLES.two!));
  assert.equal(
    headerOf({ layout: layout!, mixed: undefined }, true),
    "// minified JSON, the file has indent 2, one item per line\n",
  );
});

Deno.test("headerOf says nothing about one minified value", () => {
  const { layout } = tapeOf(MINIFIED);
  assert.equal(headerOf({ layout: layout!, mixed: undefined }), "");
  assert.equal(readHeader(MINIFIED).length, 0);
});
