import assert from "node:assert/strict";
import fc from "fast-check";
import {
  keyOf,
  readConfig,
  valueOf,
  viewOf,
} from "../../../src/compressors/config/parse.ts";
import type { RowKind } from "../../../src/compressors/config/row.ts";
import { goldensIn, inputOf } from "../goldens.ts";

const LINES: Record<string, readonly [RowKind, key?: string, value?: string]> =
  {
    "": ["blank"],
    "  \t": ["blank"],
    "# a: b": ["comment"],
    "; a = b": ["comment"],
    "// a": ["comment"],
    "/* a */": ["comment"],
    "---": ["rule"],
    "--- # a": ["rule"],
    "{{- if .Values.a }}": ["rule"],
    "[a]": ["section"],
    "[[a.b]]": ["section"],
    '[branch "main"] # x': ["section"],
    "[1, 2]": ["text"],
    '["a"]': ["text"],
    "a: b": ["key", "a", "b"],
    'a: "b"': ["key", "a", "b"],
    "a:b: c": ["key", "a:b", "c"],
    "http://a/b": ["text"],
    "a:": ["open", "a", ""],
    "a: # why": ["open", "a"],
    "a: {": ["open", "a"],
    "- a: b": ["key", "a", "b"],
    "- - a: b": ["key", "a", "b"],
    "- a": ["item"],
    "-a: b": ["key", "-a", "b"],
    "a=b": ["key", "a", "b"],
    "a =": ["key", "a", ""],
    "a == b": ["text"],
    "a => b": ["text"],
    "a += b": ["text"],
    "a!=b": ["text"],
    '"a b": "c",': ["key", "a b", "c"],
    '"a":1,': ["key", "a", "1"],
    "'a': [": ["open", "a"],
    "server {": ["open", "server "],
    "listen 80;": ["key", "listen", "80"],
    "return;": ["text"],
    "},": ["close"],
    "]": ["close"],
    "} else": ["text"],
    "some words": ["text"],
  };

for (const [line, [kind, key = "", value]] of Object.entries(LINES)) {
  Deno.test(`readConfig reads ${JSON.stringify(line)}`, () => {
    for (const end of ["\n", "\r\n"]) {
      const view = readConfig(`  ${line}${end}`);
      const [row] = view.rows;
      assert.ok(row !== undefined);
      assert.equal(row.kind, kind);
      if (kind !== "item" && kind !== "text") {
        assert.equal(keyOf(view, row), key);
      }
      if (value !== undefined) assert.equal(valueOf(view, row), value);
    }
  });
}

/** `line: parent`, lines counted from 1, 0 for none. */
function parentsOf(text: string): number[] {
  return readConfig(text).rows.map(({ parent }) => (parent?.line ?? -1) + 1);
}

Deno.test("readConfig puts lists, maps, blocks and sections below what they belong to", () => {
  assert.deepEqual(parentsOf("a:\n- b: 1\n  c: 2\n- d\ne: 3\n"), [
    0,
    1,
    2,
    1,
    0,
  ]);
  assert.deepEqual(parentsOf("a {\n  b {\n    c 1;\n  }\n}\n"), [
    0,
    1,
    2,
    2,
    1,
  ]);
  assert.deepEqual(parentsOf("[a]\nb = 1\n[c]\nd = [\n  1,\n]\n"), [
    0,
    1,
    0,
    3,
    4,
    4,
  ]);
});

Deno.test("readConfig takes the text of a value for no keys", () => {
  const texts = [
    "a: |\n  b: c\n\n  - d\ne: f\n",
    "- a: >-\n    b: c\n\n    - d\n  e: f\n",
    'a = """\nb: c\n\nd = 1 """\ne = 2\n',
    "a: { b: c,\n  d: e,\n\n  f: g }\nh: i\n",
  ];
  for (const text of texts) {
    const kinds = readConfig(text).rows.map(({ kind }) => kind);
    const [first, ...others] = kinds;
    assert.equal(first, "key");
    assert.deepEqual(
      others.filter((kind) => kind !== "blank").slice(0, 2),
      ["text", "text"],
      text,
    );
    assert.equal(kinds.at(-1), "key", text);
  }
});

Deno.test("readConfig nests any text: parents are earlier and end after what is below them", () => {
  const lines = fc.constantFrom(...Object.keys(LINES));
  const text = fc.array(fc.tuple(fc.nat(6), lines), { maxLength: 30 })
    .map((all) => all.map(([n, line]) => " ".repeat(n) + line).join("\n"));
  fc.assert(fc.property(text, (text) => {
    for (const { line, end, parent } of readConfig(text).rows) {
      assert.ok(end > line);
      if (parent === undefined) continue;
      assert.ok(parent.line < line && parent.end >= end);
    }
  }));
});

Deno.test("viewOf reads only the packages of what is little else", () => {
  const lock = viewOf(inputOf("config/cargo_lock"));
  assert.ok(lock.lock !== undefined);
  assert.equal(lock.rows.length, 0);
  for (const { name, input } of goldensIn("config")) {
    if (!/lock|sum/.test(name)) assert.equal(viewOf(input).lock, undefined);
  }
});
