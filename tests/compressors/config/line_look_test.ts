import assert from "node:assert/strict";
import {
  endsAsCode,
  isKey,
  isSentence,
  lastOf,
} from "../../../src/compressors/config/line_look.ts";
import {
  newScan,
  scanLine,
} from "../../../src/compressors/config/scan_line.ts";
import { indexLines } from "../../../src/text/lines.ts";

function keyIn(text: string): boolean {
  const lines = indexLines(text);
  const scan = newScan();
  scanLine(lines, { line: 0, equals: false }, scan);
  return isKey(lines, scan);
}

Deno.test("isKey knows keys of configurations from words of a sentence", () => {
  assert.ok(keyIn("app.kubernetes.io/name: x"));
  assert.ok(keyIn('"any thing": x'));
  assert.ok(keyIn("/users/{id}:"));
  assert.ok(!keyIn("def f(x):"));
  assert.ok(!keyIn("for all of them: x"));
});

Deno.test("endsAsCode and lastOf look at the last character", () => {
  assert.ok(endsAsCode(indexLines("let x = 1;  "), 0));
  assert.ok(endsAsCode(indexLines("name: string,\r"), 0));
  assert.ok(!endsAsCode(indexLines("a: 1"), 0));
  assert.equal(lastOf(indexLines("ab \n"), 0), "b".charCodeAt(0));
  assert.equal(lastOf(indexLines("  \n"), 0), 0);
});

Deno.test("isSentence counts words outside quotes", () => {
  const says = (text: string) =>
    isSentence(indexLines(text).codes, 0, text.length);
  assert.ok(says("this is a sentence of more than nine words indeed"));
  assert.ok(!says("postgres://parcel@db:5432/tracking"));
  assert.ok(!says('"this is a sentence of more than nine words indeed"'));
});
