import assert from "node:assert/strict";
import { OncePerName } from "../../src/core/once_per_name.ts";

Deno.test("OncePerName says each name once, then once that there are too many", () => {
  const once = new OncePerName(2);
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
