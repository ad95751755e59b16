import assert from "node:assert/strict";
import {
  ERROR,
  FAILED,
  PASSED,
  severities,
  severityOf,
  SUMMARY,
  WARNING,
} from "../../src/text/severity.ts";
import { indexLines } from "../../src/text/lines.ts";

const CASES: readonly (readonly [string, number])[] = [
  ["all good", 0],
  ["ERROR: disk is full", ERROR],
  ["ValueError: bad value", ERROR],
  ["java.io.IOException: closed", ERROR],
  ["raise ValueError('x')", ERROR],
  ["Failed to connect", ERROR],
  ["level=error msg=x", ERROR],
  ["npm ERR! code E404", ERROR],
  ["0 errors", SUMMARY],
  ["3 errors", SUMMARY | ERROR],
  ["errors: 0", SUMMARY],
  ["failures=0", SUMMARY],
  ["error_count: 0", SUMMARY],
  ["error_count: 4", SUMMARY | ERROR],
  ["error=null", SUMMARY],
  ["err=nil", SUMMARY],
  ["no errors found", 0],
  ["done without error", 0],
  ["Error: 0x1f", ERROR],
  ["GET /api/error/12", 0],
  ["Compiling thiserror v1.0.40", 0],
  ["tests/test_errors.py::test_error_x PASSED", PASSED],
  ["test errors::parse ... ok", PASSED],
  ["GET /x HTTP/1.1 500 12", ERROR],
  ["GET /x HTTP/1.1 200 500", ERROR],
  ["GET /x 200 503 ms", 0],
  ["GET /x 200 504 kB", 0],
  ["exit code 0", SUMMARY],
  ["exited with status 137", SUMMARY | ERROR],
  ["FAILED tests/a.py::x", ERROR | FAILED],
  ["--- FAIL: TestX (0.00s)", ERROR | FAILED],
  ["Tests:       2 failed, 40 passed, 42 total", SUMMARY | ERROR],
  ["warning: unused variable", WARNING],
  ["0 warnings", SUMMARY],
];

Deno.test("severityOf tells failures from words that only look like one", () => {
  for (const [line, expected] of CASES) {
    const kept = severityOf(line) & ~(line.includes("passed") ? PASSED : 0);
    assert.equal(kept, expected, line);
  }
});

Deno.test("severities gives each line the flags that severityOf gives it alone", () => {
  const text = CASES.map(([line]) => line).join("\n\n");
  const expected = CASES.flatMap(([line]) => [severityOf(line), 0]).slice(
    0,
    -1,
  );
  assert.deepEqual([...severities(indexLines(text))], expected);
});
