import assert from "node:assert/strict";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import {
  insertProperty,
  removeProperty,
  replaceValue,
} from "../../../src/cli/agents/json_edits.ts";

const property = { key: "n", value: { b: [1] } };

function inserted(text: string, path: string[] = []): string {
  const object = findNodeAtLocation(parseTree(text)!, path)!;
  return insertProperty(text, object, property);
}

function removed(text: string, ...path: string[]): string {
  return removeProperty(
    text,
    findNodeAtLocation(parseTree(text)!, path)!.parent!,
  );
}

Deno.test("insertProperty adds a last property in the style of the text", () => {
  const cases = [
    ["{}", '{\n  "n": {\n    "b": [\n      1\n    ]\n  }\n}'],
    ['{"a":1}', '{"a":1,"n": {"b":[1]}}'],
    ['{"a": 1}', '{"a": 1, "n": {"b":[1]}}'],
    [
      '{\n\t"a": {"x":1}\n}\n',
      '{\n\t"a": {"x":1},\n\t"n": {\n\t\t"b": [\n\t\t\t1\n\t\t]\n\t}\n}\n',
    ],
    [
      '{\r\n    "a": 1\r\n}',
      '{\r\n    "a": 1,\r\n    "n": {\r\n        "b": [\r\n            1\r\n        ]\r\n    }\r\n}',
    ],
  ] as const;
  for (const [text, expected] of cases) assert.equal(inserted(text), expected);
});

Deno.test("insertProperty stays behind the comments of the last property", () => {
  assert.equal(
    inserted('{\n  "a": 1 // one, {\n  /* end */\n}'),
    '{\n  "a": 1, // one, {\n  /* end */\n  "n": {\n    "b": [\n      1\n    ]\n  }\n}',
  );
});

Deno.test("insertProperty keeps a comma at the end where there is one", () => {
  assert.equal(
    inserted('{\n  "a": 1, // one\n}'),
    '{\n  "a": 1, // one\n  "n": {\n    "b": [\n      1\n    ]\n  },\n}',
  );
  assert.equal(inserted('{"a":1,}'), '{"a":1,"n": {"b":[1]},}');
});

Deno.test("insertProperty fills an empty object below, its comment first", () => {
  assert.equal(
    inserted('{\n  "m": {}\n}', ["m"]),
    '{\n  "m": {\n    "n": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
  );
  assert.equal(
    inserted('{\n  "m": {\n    // none\n  }\n}', ["m"]),
    '{\n  "m": {\n    // none\n    "n": {\n      "b": [\n        1\n      ]\n    }\n  }\n}',
  );
  assert.equal(
    inserted('{"m":{}}', ["m"]),
    '{"m":{"n": {"b":[1]}}}',
  );
});

Deno.test("replaceValue replaces one value in its place and style", () => {
  const replaced = (text: string) =>
    replaceValue(text, findNodeAtLocation(parseTree(text)!, ["a"])!, [1]);
  assert.equal(replaced('{"a":{"x":2},"b":3}'), '{"a":[1],"b":3}');
  assert.equal(
    replaced('{\n  "a": 2, // c\n  "b": 3\n}'),
    '{\n  "a": [\n    1\n  ], // c\n  "b": 3\n}',
  );
});

Deno.test("removeProperty takes one comma along, wherever the property stands", () => {
  const cases = [
    ['{"a":1}', "{}"],
    ['{\n  "a": 1\n}', "{}"],
    ['{\n  "a": 1, // c\n}', "{ // c\n}"],
    ['{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ['{\n  "b": 2,\n  "a": 1\n}', '{\n  "b": 2\n}'],
    ['{\n  "b": 2, // two\n  "a": 1\n}', '{\n  "b": 2 // two\n}'],
    ['{\n  "b": 2,\n  "a": 1,\n}', '{\n  "b": 2,\n}'],
    ['{"b":2,"a":1,"c":3}', '{"b":2,"c":3}'],
  ] as const;
  for (const [text, expected] of cases) {
    assert.equal(removed(text, "a"), expected, text);
  }
});
