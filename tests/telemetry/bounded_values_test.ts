import assert from "node:assert/strict";
import { boundedValues } from "../../src/telemetry/bounded_values.ts";

Deno.test("boundedValues lets the first values pass, ever again, and calls later ones other", () => {
  const bounded = boundedValues(2);
  assert.deepEqual(
    ["a", "b", "c", "a", "c", "other"].map(bounded),
    ["a", "b", "other", "a", "other", "other"],
  );
});

Deno.test("boundedValues calls what is no name other", () => {
  const bounded = boundedValues(9);
  assert.deepEqual(["", " ", "a\nb", "ü"].map(bounded), [
    "other",
    "other",
    "other",
    "other",
  ]);
});
