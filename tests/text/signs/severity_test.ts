import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ERROR,
  FAILED,
  PASSED,
  REFUSED,
  SUMMARY,
  WARNING,
} from "../../../src/text/signs/flags.ts";
import {
  cellSeverities,
  excuseRefused,
  severities,
  severityOf,
} from "../../../src/text/signs/severity.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { assertLinear } from "../../cpu_time.ts";
import { FAILING, HARMLESS } from "./spellings.ts";

const CASES: readonly (readonly [string, number])[] = [
  ["all good", 0],
  ["ERROR: disk is full", ERROR],
  ["ValueError: bad value", ERROR],
  ["java.io.IOException: closed", ERROR],
  ["raise ValueError('x')", ERROR],
  ["Failed to connect", ERROR],
  ["level=error msg=x", ERROR],
  ["npm ERR! code E404", ERROR],
  ["0 errors", 0],
  ["3 errors", SUMMARY | ERROR],
  ["errors: 0", 0],
  ["failures=0", 0],
  ["error_count: 0", 0],
  ["error_count: 4", SUMMARY | ERROR],
  ["error=null", 0],
  ["err=nil", 0],
  ["no errors found", 0],
  ["done without error", 0],
  ["Error: 0x1f", ERROR],
  ["GET /api/error/12", 0],
  ["Compiling thiserror v1.0.40", 0],
  ["tests/test_errors.py::test_error_x PASSED", PASSED],
  ["test errors::parse ... ok", PASSED],
  ["GET /x HTTP/1.1 500 12", ERROR],
  ["GET /x HTTP/1.1 200 500", 0],
  ["GET /x 200 503 ms", 0],
  ["GET /x 200 504 kB", 0],
  ["exit code 0", SUMMARY],
  ["exited with status 137", SUMMARY | ERROR],
  ["FAILED tests/a.py::x", ERROR | FAILED],
  ["--- FAIL: TestX (0.00s)", ERROR | FAILED],
  ["Tests:       2 failed, 40 passed, 42 total", SUMMARY | ERROR],
  ["warning: unused variable", WARNING],
  ["0 warnings", 0],
  ["0 failed, 3 passed", SUMMARY],
  ["sent in stage 3 failed=false", 0],
  ["took 12 errors=0", 0],
  ["took 0 errors=12", SUMMARY | ERROR],
  ["2026-03-02 10:00:12,791 WARNING x", WARNING],
  ["1,204 warnings", SUMMARY | WARNING],
  [" 4/6 Test #4: a.b ....***Timeout   5.00 sec", ERROR | FAILED],
  [" 7/7 Test #7: a.b ....***Skipped   0.00 sec", SUMMARY],
  ["> Task :app:lint SKIPPED", 0],
  ["LedgerTest > rounds() SKIPPED", SUMMARY],
  ["[XPASS(strict)] rounds half to even", SUMMARY],
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

Deno.test("severityOf finds the failure in each of many spellings, and none in lines that only look so", () => {
  for (const line of FAILING) {
    assert.equal(severityOf(line) & ERROR, ERROR, line);
    assert.equal(severityOf(`api-1  | ${line.trim()}`) & ERROR, ERROR, line);
  }
  for (const line of HARMLESS) assert.equal(severityOf(line) & ERROR, 0, line);
});

Deno.test("severities takes no usual value of a field for a failure but in the first lines and the last", () => {
  for (const field of ["status=404", "code=503", "rc=1", "result=FAIL"]) {
    const text = Array.from({ length: 60 }, (_, i) => `probe ${i} ${field}`);
    const flags = severities(indexLines(text.join("\n")));
    const failing = [...flags.keys()].filter((i) => flags[i]! & ERROR);
    assert.deepEqual(failing, [0, 1, 59], field);
  }
});

Deno.test("severities keeps a failing value of a field that usually has another", () => {
  const text = Array.from(
    { length: 60 },
    (_, i) => `probe ${i} status=${i % 3 ? 200 : 503}`,
  );
  const flags = severities(indexLines(text.join("\n")));
  assert.equal(flags.filter((flag) => flag & ERROR).length, 20);
});

Deno.test("excuseRefused takes the failure from refused requests only where they are many", () => {
  const lineOf = (status: number) => `GET /a HTTP/1.1 ${status} 12`;
  const few = severities(indexLines(`${lineOf(200)}\n${lineOf(404)}\n`));
  excuseRefused(few);
  assert.deepEqual([...few], [0, ERROR | REFUSED]);
  const statuses = [
    ...Array.from({ length: 30 }, () => 200),
    ...Array.from({ length: 9 }, () => 404),
    503,
  ];
  const many = severities(indexLines(statuses.map(lineOf).join("\n")));
  excuseRefused(many);
  assert.deepEqual([...many.subarray(30, 39)], Array(9).fill(REFUSED));
  assert.equal(many[39], ERROR);
});

Deno.test("severityOf throws for no text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    severityOf(text);
    cellSeverities(indexLines(text));
  }));
  const pieces = fc.constantFrom(
    "status",
    "=",
    ": ",
    "503",
    " ",
    "exit",
    "code",
    "errno",
    "0x",
    "-",
    '"',
    "GET /",
    "HTTP/",
    "\n",
    "E",
    "[",
    "<3>",
    "not ok",
    "1) a",
    "2 failing",
  );
  fc.assert(fc.property(fc.array(pieces), (parts) => {
    severities(indexLines(parts.join("")));
  }));
});

Deno.test("severities takes time in proportion to the text, also on hostile ones", async () => {
  const hostile = [
    "status ",
    "GET /",
    "HTTP/1.1 ",
    "exit ",
    "exit with code ",
    "CrashLoopBackOff",
    "code=",
    "E/a ",
    "\nE ",
    "no error ",
    "1 failed ",
    "status=503 ",
    "GET /a 200 ",
  ];
  for (const piece of hostile) {
    await assertLinear(piece, {
      make: (size) => piece.repeat(size),
      work: (text) => severities(indexLines(text)),
      sizes: [2_000, 32_000],
    });
  }
});
