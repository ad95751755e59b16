import assert from "node:assert/strict";
import { percentOf } from "../../../src/cli/perf/report.ts";

Deno.test("percentOf has two decimals, and is 0 of nothing", () => {
  assert.equal(percentOf(1, 3), 33.33);
  assert.equal(percentOf(-1, 4), -25);
  assert.equal(percentOf(1, 0), 0);
});
