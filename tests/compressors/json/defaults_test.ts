import assert from "node:assert/strict";
import * as defaults from "../../../src/compressors/json/defaults.ts";

Deno.test("defaults are the documented limits", () => {
  const {
    MIN_TOKENS,
    MAX_ITEMS,
    FIRST_FRACTION,
    LAST_FRACTION,
    OUTLIER_SIGMA,
  } = defaults;
  assert.deepEqual(
    { MIN_TOKENS, MAX_ITEMS, FIRST_FRACTION, LAST_FRACTION, OUTLIER_SIGMA },
    {
      MIN_TOKENS: 60,
      MAX_ITEMS: 15,
      FIRST_FRACTION: 0.3,
      LAST_FRACTION: 0.15,
      OUTLIER_SIGMA: 2,
    },
  );
});

Deno.test("defaults of long strings do not contradict each other", () => {
  assert.ok(defaults.LONG_STRING < defaults.LONE_STRING);
  assert.ok(defaults.LONE_STRING <= defaults.STRING_BUDGET);
});
