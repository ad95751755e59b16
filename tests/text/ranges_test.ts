import assert from "node:assert/strict";
import { counted, withRanges } from "../../src/text/ranges.ts";

Deno.test("withRanges writes names that count up as a range", () => {
  assert.deepEqual(
    withRanges(["m-008", "m-009", "m-010", "m-012", "m-013", "x"]),
    ["m-008..010", "m-012", "m-013", "x"],
  );
  assert.deepEqual(withRanges(["a8", "a9", "a10"]), ["a8..10"]);
  assert.deepEqual(withRanges(["1.2.3", "1.2.4", "1.2.5"]), [
    "1.2.3",
    "1.2.4",
    "1.2.5",
  ]);
  assert.deepEqual(withRanges([]), []);
});

Deno.test("counted keeps the width of a number that starts with a zero", () => {
  assert.equal(counted("099", 1), "100");
  assert.equal(counted("007", 5), "012");
  assert.equal(counted("9", 1), "10");
});
