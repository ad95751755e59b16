import assert from "node:assert/strict";
import {
  guessLayout,
  headerOf,
  layOut,
  minified,
  readHeader,
} from "../../../src/text/json/layout.ts";
import { scanJson, tapeOf } from "../../../src/text/json/scan.ts";
import type { Tape } from "../../../src/text/json/tape.ts";

function scanned(text: string): Tape {
  const tape = tapeOf(text);
  assert.ok(tape !== undefined, text);
  return tape;
}

/** The line that names the layout of a text, after the text has been made from it again. */
function named(text: string): string | undefined {
  const { tape } = scanJson(text);
  const layout = guessLayout(tape);
  const short = minified(tape, layout);
  const header = headerOf(layout);
  const read = readHeader(header + short);
  assert.deepEqual([read.layout, read.length], [layout, header.length]);
  return layOut(scanned(short), layout) === text ? header : undefined;
}

const VALUE = { a: [1, "x y"], b: { c: [], d: {} }, e: [{ f: 1 }, { f: 2 }] };

Deno.test("guessLayout finds how usual programs print JSON", () => {
  const two = JSON.stringify(VALUE, null, 2);
  const layouts: Readonly<Record<string, string>> = {
    "": JSON.stringify(VALUE),
    "indent 2": two,
    "indent 1 tab": JSON.stringify(VALUE, null, "\t"),
    "indent 2 CRLF": two.replaceAll("\n", "\r\n"),
    "indent 2 with },{": two.replace(/\},\s+\{/g, "},{"),
    spaced: '{"a": [1, "x"], "b": {}}',
    "spaced after colons": '{"a": [1,"x"],"b": {}}',
    'items parted by ",\\n"': '[{"a":1},\n{"a":2},\n{"a":3}]',
    'items parted by ", \\n "': '[{"a":1}, \n {"a":2}]',
    "indent 2 except in brackets with spaces":
      '{\n  "a": ["x", "y"],\n  "b": { "c": 1 },\n  "d": {\n    "e": []\n  }\n}',
    "indent 2 except in brackets with spaces or one item":
      '{\n  "a": ["x"],\n  "b": ["x", "y"]\n}',
  };
  for (const [style, text] of Object.entries(layouts)) {
    const header = style === "" ? "" : `// minified JSON, was ${style}\n`;
    assert.equal(named(text), header, text);
  }
  assert.equal(named('{"a":1}\n{"a":2}'), "// JSON Lines\n");
  assert.equal(
    named('{"a": 1}\r\n{"a": 2}'),
    "// JSON Lines, was spaced after colons CRLF\n",
  );
});

Deno.test("layOut does not give back a text with irregular white space", () => {
  for (const text of ['{"a": 1,"b":2}', "[1,\n 2, 3]", '{\n  "a": 1\n }']) {
    assert.equal(named(text), undefined, text);
  }
});

Deno.test("layOut gives the text back that needs no white space", () => {
  const { layout } = readHeader("");
  assert.equal(layOut(scanned('{"a":[1]}'), layout), '{"a":[1]}');
});

Deno.test("readHeader reads nothing where no header is", () => {
  assert.equal(readHeader('{"a":1}').length, 0);
  assert.equal(readHeader("// a comment\n{}").length, 0);
});
