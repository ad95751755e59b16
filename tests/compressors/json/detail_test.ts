import assert from "node:assert/strict";
import { detailsFor } from "../../../src/compressors/json/detail.ts";

Deno.test("detailsFor starts with all and shows less of larger texts", () => {
  const full = { brief: false, depth: Infinity };
  assert.deepEqual(detailsFor(2_000, false), [full]);
  assert.deepEqual(detailsFor(5_000, false)[1], {
    brief: true,
    depth: Infinity,
  });
  const depths = detailsFor(50_000, false).map(({ depth }) => depth);
  assert.ok(depths.length > 2);
  assert.deepEqual(depths, depths.toSorted((a, b) => b - a));
});

Deno.test("detailsFor is brief earlier where digests are left out", () => {
  assert.deepEqual(detailsFor(3_000, true).map(({ brief }) => brief), [
    false,
    true,
  ]);
  assert.equal(detailsFor(3_000, false).length, 1);
  assert.equal(detailsFor(1_000, true).length, 1);
});
