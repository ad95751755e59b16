import assert from "node:assert/strict";
import { tapeOf } from "../../../src/text/json/scan.ts";
import {
  ARRAY,
  ESCAPED,
  FALSE,
  NULL,
  NUMBER,
  OBJECT,
  ROOT,
  STRING,
  type Tape,
  TapeWriter,
  TRUE,
} from "../../../src/text/json/tape.ts";

function scanned(text: string): Tape {
  const tape = tapeOf(text);
  assert.ok(tape !== undefined);
  return tape;
}

Deno.test("Tape has a kind for each value", () => {
  const tape = scanned('[{},"a","\\n",1,true,false,null]');
  const kinds = Array.from({ length: tape.length }, (_, i) => tape.kind(i));
  assert.deepEqual(kinds, [
    ROOT,
    ARRAY,
    OBJECT,
    STRING,
    ESCAPED,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
  ]);
  assert.deepEqual([1, 2, 3].map((node) => tape.isContainer(node)), [
    true,
    true,
    false,
  ]);
  assert.deepEqual([2, 3, 4].map((node) => tape.isString(node)), [
    false,
    true,
    true,
  ]);
});

Deno.test("Tape.key reads raw keys, whatever white space is around the colon", () => {
  const tape = scanned('{"a":1,"b\\"" \n:\t 2,"":[3]}');
  const keys = [...tape.children(1)].map((node) => tape.key(node));
  assert.deepEqual(keys, ["a", 'b\\"', ""]);
  assert.equal(tape.key(5), "");
  assert.equal(tape.keyStart(5), -1);
});

Deno.test("Tape.member finds the last of several members, and only whole keys", () => {
  const tape = scanned('{"a":1,"ab":2,"a":3}');
  assert.equal(tape.raw(tape.member(1, "a")), "3");
  assert.equal(tape.raw(tape.member(1, "ab")), "2");
  assert.equal(tape.member(1, "b"), 0);
  assert.equal(tape.member(2, "a"), 0);
});

Deno.test("Tape.at finds the innermost value that starts at or before an offset", () => {
  const text = '{"a": [10, "b"], "c": 2}';
  const tape = scanned(text);
  assert.equal(tape.raw(tape.at(text.indexOf("10") + 1)), "10");
  assert.equal(tape.raw(tape.at(text.indexOf("b"))), '"b"');
  assert.equal(tape.raw(tape.at(text.length)), "2");
  assert.equal(tape.at(0), 1);
});

Deno.test("Tape says nothing about nodes that are not there", () => {
  const tape = scanned("[1]");
  assert.deepEqual([tape.kind(99), tape.size(99), tape.count(99)], [0, 0, 0]);
  assert.equal(tape.next(99), tape.length);
});

Deno.test("TapeWriter grows and closes containers where they end", () => {
  const writer = new TapeWriter(1);
  writer.open = writer.push(ARRAY, 0, -1);
  for (let i = 0; i < 100; i++) {
    writer.finish(writer.push(NUMBER, i, -1), i + 1);
  }
  assert.deepEqual([writer.kind, writer.count], [ARRAY, 100]);
  writer.close(200);
  const tape = writer.tape("x".repeat(200));
  assert.deepEqual([tape.count(1), tape.next(1), tape.size(1)], [
    100,
    tape.length,
    200,
  ]);
  assert.equal(tape.parent(50), 1);
});
