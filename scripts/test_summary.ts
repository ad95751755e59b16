/** Reads the closing lines of `deno test`. @module */

/** How many tests ended how. */
export interface TestCounts {
  /** Tests that held. */
  readonly passed: number;
  /** Tests that did not hold, files that did not load included. */
  readonly failed: number;
  /** Tests that were not run. */
  readonly skipped: number;
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored(?: \([^)]*\))?)?/;

/**
 * Finds the summary in the output of one run of `deno test`, colours off.
 *
 * @returns `undefined` when there is none: the run broke down before its end.
 */
export function testCounts(output: string): TestCounts | undefined {
  const match = output.split("\n").findLast((line) => SUMMARY.test(line))
    ?.match(SUMMARY);
  if (!match) return undefined;
  return {
    passed: Number(match[1]),
    failed: Number(match[2]),
    skipped: Number(match[3] ?? 0),
  };
}

/** Adds up several runs; one without a summary counts as one failure. */
export function sumCounts(
  runs: readonly (TestCounts | undefined)[],
): TestCounts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const run of runs) {
    sum.passed += run?.passed ?? 0;
    sum.failed += run?.failed ?? 1;
    sum.skipped += run?.skipped ?? 0;
  }
  return sum;
}

/** The last line of a whole test run: `12 passed, 0 failed`. */
export function closingLine({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
