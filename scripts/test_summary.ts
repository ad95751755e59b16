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
  /** URL of the repository, with a slash at the end. */
  readonly root: string;
}

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored(?: \([^)]*\))?)?/;
const FAILURES = " FAILURES ";
const UNCAUGHT = / \(uncaught error\)$/;

/** Reads the report of one run. */
export function testReport(run: TestOutput): TestReport {
  const lines = run.out.split("\n");
  const end = lines.findLastIndex((line) => SUMMARY.test(line));
  const counts = end < 0 ? undefined : countsIn(lines[end]!);
  const error = runtimeError(run);
  if (counts === undefined || counts.failed === 0 && run.code !== 0) {
    return { failures: [brokenDown(run)] };
  }
  if (counts.failed === 0) return { counts, failures: [] };
  const start = lines.lastIndexOf(FAILURES, end);
  const named = start < 0 ? [] : lines.slice(start + 1, end)
    .filter((line) => line !== "");
  const failures = named.map((line) => failureLine(line, lines, run.root));
  if (error === undefined) return { counts, failures };
  // The summary does not count the test at which the run broke off, nor those behind it.
  return {
    counts: { ...counts, failed: counts.failed + 1 },
    failures: [...failures, brokenDown(run)],
  };
}

function countsIn(line: string): TestCounts {
  const [, passed, failed, skipped = 0] = SUMMARY.exec(line)!;
  return {
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
  };
}

/** `name => ./tests/a_test.ts:3:6` as `tests/a_test.ts:3:6  name`. */
function failureLine(
  line: string,
  lines: readonly string[],
  root: string,
): string {
  const [, name, place] = /^(.*) => (?:\.\/)?(\S+:\d+:\d+)$/.exec(line) ?? [];
  if (name !== undefined) return `${place}  ${name}`;
  if (!UNCAUGHT.test(line)) return line;
  // The place of an error outside of tests is in its stack: the file that is named may only import the others.
  const at = lines.indexOf(line);
  const stack = at < 0 ? [] : lines.slice(at + 1, lines.lastIndexOf(FAILURES));
  const error = stack.find((text) => text.startsWith("error: ")) ?? "";
  const file = line.replace(UNCAUGHT, "").replace(/^\.\//, "");
  return `${placeIn(stack, root) ?? file}  ${error || "uncaught error"}`;
}

function brokenDown(run: TestOutput): string {
  const error = runtimeError(run);
  const place = placeIn(error ?? [], run.root) ?? `group ${run.name}`;
  const last = run.out.split("\n").findLast((line) => line.trim() !== "");
  return `${place}  exit code ${run.code} before the end: ${
    error?.[0] ?? last ?? "no output"
  }`;
}

/** The error, with its stack, by which the runtime itself ended; it is printed last. */
function runtimeError({ err, code }: TestOutput): string[] | undefined {
  const lines = err.split("\n");
  const at = lines.findLastIndex((line) => line.startsWith("error: "));
  const isOne = code !== 0 && at >= 0 && lines[at] !== "error: Test failed";
  return isOne ? lines.slice(at) : undefined;
}

/** The first line of a stack that is in the repository. */
function placeIn(stack: readonly string[], root: string): string | undefined {
  for (const line of stack) {
    const [, url] = /\b(file:\/\/\S+:\d+:\d+)/.exec(line) ?? [];
    if (url?.startsWith(root)) return url.slice(root.length);
  }
  return undefined;
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
  const list = failures.map((failure) => `  ${failure}`);
  return [
    ...list.length > 0 ? ["Failed:", ...list] : [],
    closingLine(sumCounts(reports)),
  ];
}

/** The very last line: `12 passed, 0 failed`. */
function closingLine({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
