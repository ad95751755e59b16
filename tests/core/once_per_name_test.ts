import assert from "node:assert/strict";
import { BoundedOnce } from "../../src/core/bounded_once.ts";

Deno.test("BoundedOnce says each name once, then once that there are too many", () => {
  const once = new BoundedOnce(2);
  const turns = ["a", "a", "b", "a", "c", "d", "b"].map((name) =>
    once.turn(name)
  );
  assert.deepEqual(turns, [
    "first",
    "silent",
    "first",
    "silent",
    "full",
    "silent",
    "silent",
  ]);
});
