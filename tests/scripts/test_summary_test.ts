import assert from "node:assert/strict";
import {
  closingLine,
  sumCounts,
  testCounts,
} from "../../scripts/test_summary.ts";

Deno.test("testCounts reads the summary of a run, with and without steps and ignored tests", () => {
  const counts = (passed: number, failed: number, skipped: number) => ({
    passed,
    failed,
    skipped,
  });
  assert.deepEqual(
    testCounts("a ... ok\n\nok | 3 passed | 0 failed (12ms)\n"),
    counts(3, 0, 0),
  );
  assert.deepEqual(
    testCounts(
      "FAILED | 3 passed (4 steps) | 2 failed (1 step) | 5 ignored (1s)",
    ),
    counts(3, 2, 5),
  );
});

Deno.test("testCounts takes the last summary: a test may print one itself", () => {
  const output =
    "ok | 9 passed | 9 failed (1s)\nmore\nok | 1 passed | 0 failed (1s)\n";
  assert.equal(testCounts(output)?.passed, 1);
});

Deno.test("testCounts finds nothing where a run broke down", () => {
  assert.equal(testCounts("error: out of memory"), undefined);
});

Deno.test("sumCounts adds up and counts a run without a summary as one failure", () => {
  const run = { passed: 2, failed: 1, skipped: 3 };
  assert.deepEqual(sumCounts([run, undefined, run]), {
    passed: 4,
    failed: 3,
    skipped: 6,
  });
});

Deno.test("closingLine has the form that other programs read", () => {
  assert.equal(
    closingLine({ passed: 12, failed: 0, skipped: 0 }),
    "12 passed, 0 failed",
  );
  assert.equal(
    closingLine({ passed: 1, failed: 2, skipped: 3 }),
    "1 passed, 2 failed, 3 skipped",
  );
});
