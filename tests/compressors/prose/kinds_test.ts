import assert from "node:assert/strict";
import * as kinds from "../../../src/compressors/prose/kinds.ts";

Deno.test("the kinds of lines are different small numbers", () => {
  const values = Object.values(kinds);
  assert.equal(new Set(values).size, values.length);
  assert.ok(values.every((value) => value >= 0 && value < 256));
});
