import assert from "node:assert/strict";
import * as flags from "../../../src/text/signs/flags.ts";

Deno.test("the flags are different bits of a byte", () => {
  const bits = Object.values(flags);
  for (const bit of bits) assert.ok(bit < 256 && (bit & (bit - 1)) === 0);
  assert.equal(new Set(bits).size, bits.length);
});
