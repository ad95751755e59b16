import assert from "node:assert/strict";
import {
  ARRAY,
  childrenOf,
  isContainer,
  keyOf,
  NULL,
  NUMBER,
  OBJECT,
  rawOf,
  STRING,
  TapeWriter,
} from "../../../src/compressors/json/tape.ts";
import { tapeOf } from "./tapes.ts";

Deno.test("childrenOf, keyOf and rawOf give the members of an object in order", () => {
  const tape = tapeOf('{"a":{"x":[1,2]},"b":null,"c":"s"}');
  const children = [...childrenOf(tape, 1)];
  assert.deepEqual(children.map((node) => keyOf(tape, node)), ["a", "b", "c"]);
  assert.deepEqual(children.map((node) => rawOf(tape, node)), [
    '{"x":[1,2]}',
    "null",
    '"s"',
  ]);
  assert.deepEqual(children.map((node) => tape.kind[node]), [
    OBJECT,
    NULL,
    STRING,
  ]);
});

Deno.test("isContainer holds for objects and arrays", () => {
  assert.deepEqual([OBJECT, ARRAY, STRING, NUMBER].map(isContainer), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("TapeWriter keeps its nodes when it grows", () => {
  const nodes = new TapeWriter(2);
  for (let i = 0; i < 9; i++) nodes.push(NUMBER, i, i + 1, 0);
  assert.equal(nodes.length, 9);
  assert.deepEqual([...nodes.start.subarray(0, 9)], [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
  ]);
  assert.deepEqual([...nodes.next.subarray(0, 9)], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
