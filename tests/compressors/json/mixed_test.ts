import assert from "node:assert/strict";
import fc from "fast-check";
import { foldMixed, unfoldMixed } from "../../../src/compressors/json/mixed.ts";
import { anyDocument, type Json, type Members } from "./json_text.ts";

/** Prints a value; containers for which `isInline` holds stand on one line, with all that is in them. */
function printMixed(
  value: Json,
  isInline: (text: string) => boolean,
  depth = 0,
): string {
  if (typeof value === "string") return value;
  const line = onOneLine(value);
  if (depth > 0 && isInline(line)) return line;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: Json) => printMixed(item, isInline, depth + 1))
    : (value as Members).members.map(([key, item]) =>
      `${key}: ${printMixed(item, isInline, depth + 1)}`
    );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const start = "\n" + "  ".repeat(depth + 1);
  return open + start + parts.join("," + start) + "\n" + "  ".repeat(depth) +
    close;
}

function onOneLine(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    return `[${value.map((item: Json) => onOneLine(item)).join(", ")}]`;
  }
  const parts = (value as Members).members.map(([key, item]) =>
    `${key}: ${onOneLine(item)}`
  );
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

Deno.test("foldMixed has an exact inverse for texts with containers on one line", () => {
  let folded = 0;
  fc.assert(
    fc.property(anyDocument, fc.integer({ min: 0, max: 80 }), (value, most) => {
      const text = printMixed(value, (line) => line.length <= most);
      const form = foldMixed(text);
      if (form === undefined) return;
      folded++;
      assert.ok(form.body.length <= text.length);
      assert.equal(unfoldMixed(form.body, form.layout, form.mixed!), text);
    }),
    { numRuns: 300 },
  );
  assert.ok(folded > 100, `${folded}`);
});

Deno.test("foldMixed keeps what stands on one line as it is", () => {
  const text =
    '{\r\n\t"files": ["a", "b"],\r\n\t"one": ["a"],\r\n\t"c": { "d": [1, [2]] },\r\n\t"e": {\r\n\t\t"f": [],\r\n\t\t"g": {}\r\n\t}\r\n}\r\n';
  const form = foldMixed(text);
  assert.equal(
    form?.body,
    '{"files":["a", "b"],"one":["a"],"c":{ "d": [1, [2]] },"e":{"f":[],"g":{}}}\r\n',
  );
  assert.deepEqual(form.mixed, { lone: true });
  assert.equal(unfoldMixed(form.body, form.layout, form.mixed!), text);
});

Deno.test("foldMixed knows the line breaks in arrays of one item", () => {
  const text = '{\n  "a": [\n    "x"\n  ],\n  "b": [1, 2]\n}';
  assert.deepEqual(foldMixed(text)?.mixed, { lone: false });
});

Deno.test("foldMixed gives up where arrays of one item stand in both ways, or white space elsewhere", () => {
  for (
    const text of [
      '{\n  "a": ["x"],\n  "b": [\n    "x"\n  ],\n  "c": [1, 2]\n}',
      '{\n  "a":1\n}',
      '{\n  "a": 1,\n\n  "b": 2\n}',
      '{\n  "a": [1,2]\n}',
      '{"a":1}',
      '{\n    "a": 1,\n  "b": 2\n}',
    ]
  ) assert.equal(foldMixed(text), undefined, text);
});
