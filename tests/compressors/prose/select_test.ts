import assert from "node:assert/strict";
import { HARD, HEADS } from "../../../src/compressors/prose/points.ts";
import { gapsOf } from "../../../src/compressors/prose/select.ts";

function gaps(
  points: readonly number[],
  tokens: readonly number[],
  aim: number,
) {
  return gapsOf({
    points: Uint8Array.from(points),
    tokens: Float64Array.from(tokens),
    sections: [],
  }, aim).map(({ from, to }) => [from, to]);
}

Deno.test("gapsOf leaves out what has fewest points, no more than is aimed at", () => {
  const points = [HARD, 30, HARD, 50, HARD, 70];
  const tokens = [20, 60, 20, 60, 20, 60];
  assert.deepEqual(gaps(points, tokens, 40), [[1, 2]]);
  assert.deepEqual(gaps(points, tokens, 80), [[1, 2], [3, 4]]);
});

Deno.test("gapsOf leaves out the last ones of many with as many points", () => {
  assert.deepEqual(
    gaps(Array(20).fill(40), Array(20).fill(10), 60),
    [[12, 20]],
  );
});

Deno.test("gapsOf never leaves out what must stay, and leaves out what says nothing in any case", () => {
  assert.deepEqual(gaps([HARD, HARD], [90, 90], 100), []);
  assert.deepEqual(
    gaps([0, HARD, 60, 0], [50, 90, 90, 50], 1),
    [[0, 1], [3, 4]],
  );
});

Deno.test("gapsOf leaves out nothing that a note would not pay for, and joins gaps over little", () => {
  assert.deepEqual(gaps([HARD, 1, HARD], [50, 12, 50], 100), []);
  assert.deepEqual(
    gaps([HARD, 20, 90, 20, HARD], [50, 60, 5, 60, 50], 90),
    [[1, 4]],
  );
});

Deno.test("gapsOf leaves out the heading of a member with all that stands below it, of no other section", () => {
  const section = { role: 0, parent: -1, isDetail: false, level: 4 };
  const two = (isMember: boolean) =>
    gapsOf({
      points: Uint8Array.of(HEADS, 90, HEADS, 20),
      tokens: Float64Array.of(5, 80, 5, 80),
      sections: [
        { ...section, from: 0, to: 2, isMember },
        { ...section, from: 2, to: 4, isMember },
      ],
    }, 40);
  assert.deepEqual(two(true), [{ from: 2, to: 4 }]);
  assert.deepEqual(two(false), [{ from: 3, to: 4 }]);
});
