import assert from "node:assert/strict";
import {
  isErrorLevel,
  isFailingStatus,
  isRefusal,
  isStatus,
  isWarningLevel,
  rankOfPriority,
} from "../../../src/text/signs/status.ts";

Deno.test("isFailingStatus and isRefusal know the classes of a status", () => {
  assert.deepEqual([99, 100, 599, 600].map(isStatus), [
    false,
    true,
    true,
    false,
  ]);
  assert.deepEqual([200, 399, 400, 503, 599, 600].map(isFailingStatus), [
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
  assert.deepEqual([399, 400, 499, 500].map(isRefusal), [
    false,
    true,
    true,
    false,
  ]);
});

Deno.test("levels and priorities are read as their programs number them", () => {
  assert.deepEqual([30, 40, 50, 60].map(isErrorLevel), [
    false,
    false,
    true,
    true,
  ]);
  assert.deepEqual([30, 40, 50].map(isWarningLevel), [false, true, false]);
  assert.deepEqual([0, 3, 4, 6, 11, 12, 14, 191, 200].map(rankOfPriority), [
    2,
    2,
    1,
    0,
    2,
    1,
    0,
    0,
    0,
  ]);
});
