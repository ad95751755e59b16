import assert from "node:assert/strict";
import {
  innerForms,
  isFirstOrLast,
  weightOf,
} from "../../../src/compressors/log/line_forms.ts";

/** Weight of a line in a text of its own. */
const weightAlone = (line: string) => weightOf(line, innerForms(line));

Deno.test("weightOf knows lines of logs whatever they start with", () => {
  for (
    const line of [
      "2026-02-02T10:00:00Z INFO x",
      "[2026-02-02 10:00:00] x",
      "10:00:00.123 x",
      "Feb  2 10:00:00 host x",
      "[Mon Feb  2 10:00:00 2026] x",
      "12:M 02 Mar 2026 10:00:00.123 * x",
      "I0202 10:00:00.123 x",
      "[    1.123456] x",
      '10.0.0.1 - - [02/Feb/2026:10:00:00 +0000] "GET /"',
      "  WARN x",
      "[error] x",
      "!ERROR x",
      "ts=1 level=info x",
      'x lvl="warn" y',
      "tests/a.py::b PASSED",
      "FAILED tests/a.py::b",
      "test a ... ok",
      "--- FAIL: TestA",
      "=== RUN   TestA",
      "=========== FAILURES ===========",
      "____ test_a ____",
      " FAIL  src/a.test.ts",
      "ok  \tpkg\t0.1s",
      "not ok 1 - adds 2",
      "  ✓ adds",
      "E   assert 1",
      "Traceback (most recent call last):",
      '  File "a.py", line 3, in f',
      "    at f (a.js:1:2)",
      "thread 'main' panicked at a.rs",
      "tests/a.py ..F   [ 50%]",
      "npm WARN x",
      "   Compiling a v1",
      "Setting up tree",
      "#7 [2/3] RUN x",
      "Step 1/3 : FROM x",
      " ---> 123",
      "make[1]: Entering",
      "gcc -c a.c",
      "/usr/bin/gcc -c a.c",
      "[ 50%] Building",
      "src/a.c:1:2: warning: x",
      "src/a.c:1: error: x",
      "src/a.c:1: note: x",
      "a.ts(1,2): error TS1: x",
      "warning[E1]: x",
      " --> src/a.rs:1:2",
      "12 | let a",
      " = help: x",
      "> Task :build",
      "[INFO] x",
      "##[group]x",
      "::group::x",
      "TS2322 [ERROR]: x",
      "  3:7  error  x",
      "Fetched 3 kB",
      "go: downloading x",
      "?   \tpkg\t[no test files]",
      "Pulling x",
    ]
  ) assert.equal(weightAlone(line), 1, line);
});

Deno.test("weightOf counts lines of documents and data against a log, and those of code half", () => {
  const against: Record<string, number> = {
    "# Title": -1,
    "- item": -1,
    "```ts": -1,
    "3. third": -1,
    "> quoted": -1,
    "| a | b |": -1,
    '  "a": 1': -1,
    "    12\tx": -1,
    "-rw-r--r-- 1 root": -1,
    "a,b,c": -1,
    "<div>": -1,
    "key: value": -1,
    "_key: value": -1,
    "import x from y": -0.5,
    "  return x": -0.5,
    "call(x);": -0.5,
    "// why": -0.5,
    "#include <a.h>": -0.5,
    "a sentence of words": 0,
    "": 0,
  };
  for (const [line, weight] of Object.entries(against)) {
    assert.equal(weightAlone(line), weight, line);
  }
});

Deno.test("isFirstOrLast knows the words that tools begin and end with", () => {
  for (
    const line of [
      "=========== test session starts ===========",
      "==== 1 failed, 2 passed in 0.1s ====",
      "test result: FAILED. 1 passed",
      "Tests:       1 failed, 2 total",
      " Test Files  1 failed",
      "ok | 3 passed",
      "FAIL",
      "ok  \tpkg\t0.1s",
      "error: could not compile `a`",
      "    Finished `dev` profile",
      "added 3 packages in 1s",
      "make: *** [all] Error 2",
      "BUILD FAILED in 1s",
      "[INFO] BUILD SUCCESS",
      "Ran 2 tests in 0.1s",
      "Process completed with exit code 1.",
      "  3 passing (1s)",
      "2 errors",
      "✖ 2 problems (1 error, 1 warning)",
    ]
  ) assert.ok(isFirstOrLast(line), line);
  for (const line of ["", "a", "FAIL x", "2 errors were found", "Running"]) {
    assert.ok(!isFirstOrLast(line), line);
  }
});
