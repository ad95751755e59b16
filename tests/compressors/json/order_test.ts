import assert from "node:assert/strict";
import fc from "fast-check";
import {
  lowerBound,
  lowered,
  nodeAt,
} from "../../../src/compressors/json/order.ts";
import { tapeOfValue } from "./tapes.ts";

Deno.test("lowerBound is the first index with at least the value", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.nat(31), (values, value) => {
      const sorted = Int32Array.from(values).sort();
      const found = sorted.findIndex((one) => one >= value);
      assert.equal(
        lowerBound(sorted, value),
        found < 0 ? sorted.length : found,
      );
    }),
  );
});

Deno.test("nodeAt is the last node that starts at or before an offset, from any earlier node", () => {
  const tape = tapeOfValue([1, [22, { a: 333, b: [] }], "four", [[5]]]);
  for (let offset = 0; offset < tape.text.length; offset++) {
    let expected = 0;
    for (let i = 0; i < tape.length; i++) {
      if (tape.start[i]! <= offset) expected = i;
    }
    for (let from = 0; from <= expected; from++) {
      assert.equal(nodeAt(tape, offset, from), expected, `${offset} ${from}`);
    }
  }
});

Deno.test("lowered keeps every offset", () => {
  assert.equal(lowered("ABC é É"), "abc é é");
  assert.equal(lowered("A\u0130"), "A\u0130");
});
