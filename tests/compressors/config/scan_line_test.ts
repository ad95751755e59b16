import assert from "node:assert/strict";
import {
  BLANK,
  COMMENT,
  ITEM,
  KEY,
  newScan,
  OPEN,
  scanLine,
  SECTION,
  SEPARATOR,
  TEXT,
} from "../../../src/compressors/config/scan_line.ts";
import { indexLines } from "../../../src/text/lines.ts";

function scan(text: string, equals = false) {
  const found = newScan();
  scanLine(indexLines(text), { line: 0, equals }, found);
  return {
    kind: found.kind,
    dash: found.dash,
    indent: found.indent,
    key: text.slice(found.keyAt, found.keyEnd),
    value: text.slice(found.valueAt).trimEnd(),
  };
}

Deno.test("scanLine reads keys, items and separators of YAML", () => {
  assert.deepEqual(scan("  - image: web:1.2"), {
    kind: KEY,
    dash: true,
    indent: 2,
    key: "image",
    value: "web:1.2",
  });
  assert.equal(scan("spec:").kind, OPEN);
  assert.equal(scan("spec: # why").kind, OPEN);
  assert.equal(scan("spec:\r").kind, OPEN);
  assert.equal(scan('"a: b": 1').key, '"a: b"');
  assert.equal(scan("- http://host:80/x").kind, ITEM);
  assert.equal(scan("- --flag=x").value, "--flag=x");
  assert.equal(scan("---").kind, SEPARATOR);
  assert.equal(scan("[a, b]").kind, TEXT);
  assert.equal(scan("just words").kind, TEXT);
});

Deno.test("scanLine reads keys and sections where = ends a key", () => {
  assert.deepEqual(scan('version = "1: 2"', true), {
    kind: KEY,
    dash: false,
    indent: 0,
    key: "version",
    value: '"1: 2"',
  });
  assert.equal(scan("[[package]]", true).kind, SECTION);
  assert.equal(scan('[a "b"]', true).kind, SECTION);
  assert.equal(scan("KEY=", true).kind, KEY);
  assert.equal(scan("key: value", true).value, "value");
});

Deno.test("scanLine reads comments and blank lines", () => {
  for (const equals of [true, false]) {
    assert.equal(scan("  # x: 1", equals).kind, COMMENT);
    assert.equal(scan("; x = 1", equals).kind, COMMENT);
    assert.equal(scan("   ", equals).kind, BLANK);
  }
});

Deno.test("scanLine looks for a key of bounded length", () => {
  assert.equal(scan(`${"k".repeat(500)}: 1`).kind, TEXT);
});
