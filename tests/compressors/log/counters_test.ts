import assert from "node:assert/strict";
import { counterJumps } from "../../../src/compressors/log/counters.ts";
import { indexLines } from "../../../src/text/lines.ts";

function jumpsIn(value: (i: number) => number, key = "seq="): number[] {
  const lines = Array.from(
    { length: 200 },
    (_, i) => `node=n${i % 7} ${key}${value(i)} load=0.${10 + i % 80}`,
  );
  return [...counterJumps(indexLines(lines.join("\n")))];
}

Deno.test("counterJumps finds where a counter leaves numbers out, repeats one or begins again", () => {
  for (const key of ["seq=", "offset: ", '"id":']) {
    assert.deepEqual(jumpsIn((i) => i + (i > 120 ? 55 : 0), key), [120, 121]);
  }
  assert.deepEqual(jumpsIn((i) => 8 * (i < 150 ? i : i - 150)), [149, 150]);
  assert.deepEqual(jumpsIn((i) => i - (i > 99 ? 1 : 0)), [99, 100]);
});

Deno.test("counterJumps finds nothing in steady counters, other numbers and constants", () => {
  assert.deepEqual(jumpsIn((i) => i), []);
  assert.deepEqual(jumpsIn((i) => (i * 37) % 101), []);
  assert.deepEqual(jumpsIn((i) => (i > 120 ? 9 : 3)), []);
  assert.deepEqual(jumpsIn((i) => i + Math.floor(i / 10)), []);
});
