/** Reads the end of what `deno test` prints: how many tests failed, and which. @module */

/** How many tests ended how. */
export interface TestCounts {
  /** Tests that held. */
  readonly passed: number;
  /** Tests that did not hold, files that did not load included. */
  readonly failed: number;
  /** Tests that were not run. */
  readonly skipped: number;
}

/** One run of `deno test`, or one check. */
export interface TestReport {
  /** Absent when the run broke down before its summary. */
  readonly counts?: TestCounts;
  /** One line for each failure, with file and line where they are known. */
  readonly failures: readonly string[];
}

/** What a finished run printed, colours off. */
export interface TestOutput {
  /** Name of the group, for a run that broke down. */
  readonly name: string;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly err: string;
  /** Exit code. */
  readonly code: number;
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;
const FAILURES = " FAILURES ";
const TEST_FAILED = "error: Test failed";

/** Reads the report of one run. */
export function testReport({ name, out, err, code }: TestOutput): TestReport {
  const lines = out.split("\n");
  const end = lines.findLastIndex((line) => SUMMARY.test(line));
  const [, passed, failed, skipped = 0] = SUMMARY.exec(lines[end] ?? "") ?? [];
  // The runtime's own error is printed last. The summary does not count the test at which the run broke off.
  const error = err.split("\n").findLast((line) => line.startsWith("error: "));
  const isBroken = end < 0 || code !== 0 &&
      (failed === "0" || (error ?? TEST_FAILED) !== TEST_FAILED);
  const last = error ?? lines.findLast((line) => line.trim() !== "");
  const broken = `group ${name}  exit code ${code} before the end: ${
    last ?? "no output"
  }`;
  if (end < 0) return { failures: [broken] };
  const start = lines.lastIndexOf(FAILURES, end);
  const named = start < 0 || failed === "0" ? [] : lines.slice(start + 1, end);
  return {
    counts: {
      passed: Number(passed),
      failed: Number(failed) + Number(isBroken),
      skipped: Number(skipped),
    },
    failures: [
      ...named.filter((line) => line !== "").map(failureLine),
      ...isBroken ? [broken] : [],
    ],
  };
}

/** `name => ./tests/a_test.ts:3:6` as `tests/a_test.ts:3:6  name`; other lines as they are. */
function failureLine(line: string): string {
  return line.replace(/^(.*) => (?:\.\/)?(\S+:\d+:\d+)$/, "$2  $1");
}

/** Adds up several runs; one without a summary counts as one failure. */
export function sumCounts(reports: readonly TestReport[]): TestCounts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { counts } of reports) {
    sum.passed += counts?.passed ?? 0;
    sum.failed += counts?.failed ?? 1;
    sum.skipped += counts?.skipped ?? 0;
  }
  return sum;
}

/** The last lines of a whole test run: every failure, then `12 passed, 0 failed`. */
export function closingLines(reports: readonly TestReport[]): string[] {
  const failures = reports.flatMap((report) => report.failures);
  const { passed, failed, skipped } = sumCounts(reports);
  const last = `${passed} passed, ${failed} failed`;
  return [
    ...failures.length > 0 ? ["Failed:"] : [],
    ...failures.map((failure) => `  ${failure}`),
    skipped > 0 ? `${last}, ${skipped} skipped` : last,
  ];
}
