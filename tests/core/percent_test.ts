import assert from "node:assert/strict";
import fc from "fast-check";
import { percentDigits } from "../../src/core/percent.ts";

Deno.test("percentDigits has one decimal, half away from zero", () => {
  assert.equal(percentDigits(400, 1000), "40.0");
  assert.equal(percentDigits(8005, 10_000), "80.1");
  assert.equal(percentDigits(-8005, 10_000), "-80.1");
  assert.equal(percentDigits(-31, 1000), "-3.1");
  // 39.946 %, which two decimals would make 39.95 and then 40.0.
  assert.equal(percentDigits(39_946, 100_000), "39.9");
  assert.equal(percentDigits(3, 2), "150.0");
});

Deno.test("percentDigits shows no share of nothing, and no minus before nothing", () => {
  assert.equal(percentDigits(0, 1000), "0.0");
  assert.equal(percentDigits(-5, 0), "0.0");
  assert.equal(percentDigits(-1, 100_000), "0.0");
});

Deno.test("percentDigits is off by half a tenth at most", () => {
  const count = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(
      count,
      fc.integer({ min: 1, max: 1_000_000_000 }),
      (part, whole) => {
        const exact = 100 * part / whole;
        const off = Math.abs(Number(percentDigits(part, whole)) - exact);
        assert.ok(off <= 0.05 + Math.abs(exact) * 1e-9 + 1e-9);
      },
    ),
  );
});
