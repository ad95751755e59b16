import assert from "node:assert/strict";
import {
  bounded,
  HARD,
  HEADS,
  MOST,
} from "../../../src/compressors/prose/points.ts";

Deno.test("bounded gives whole points between 1 and the most, below those of headings and of what must stay", () => {
  assert.deepEqual([-5, 0, 41.6, 400].map(bounded), [1, 1, 42, MOST]);
  assert.ok(MOST < HEADS && HEADS < HARD);
});
