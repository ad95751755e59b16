import assert from "node:assert/strict";
import { SYSTEM_CLOCK } from "../src/system_clock.ts";

Deno.test("SYSTEM_CLOCK tells the time of day, and one that never goes back", () => {
  const before = Date.now();
  const at = SYSTEM_CLOCK.now();
  assert.ok(before <= at && at <= Date.now());
  const [first, second] = [SYSTEM_CLOCK.monotonic(), SYSTEM_CLOCK.monotonic()];
  assert.ok(first <= second && second <= performance.now());
});
