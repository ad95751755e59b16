import assert from "node:assert/strict";
import {
  isToolEnd,
  toolLinesOf,
  type Wording,
  wordingOf,
} from "../../../src/compressors/log/tool_lines.ts";
import { TOOL_OUTPUTS } from "./tool_samples.ts";

Deno.test("toolLinesOf knows most lines of each tool", () => {
  for (const [tool, text] of Object.entries(TOOL_OUTPUTS)) {
    // Levels begin its lines.
    if (tool === "maven") continue;
    const lines = text.split("\n").filter((line) => line !== "");
    const known = lines.filter(toolLinesOf(text));
    assert.ok(known.length * 5 >= lines.length, `${tool}: ${known.length}`);
  }
});

Deno.test("toolLinesOf leaves sentences, code and data alone", () => {
  for (
    const line of [
      "",
      "A sentence of words.",
      "Building on this, we looked again.",
      "const a = load(3);",
      "name: value",
      "src/a.ts",
      "| a | b |",
      "Refused: see below",
    ]
  ) assert.ok(!toolLinesOf(line)(line), line);
});

Deno.test("toolLinesOf tries the forms that begin with anything by what the text holds", () => {
  const line = "src/a.c:1:2: warning: unused";
  assert.ok(toolLinesOf(line)(line));
  assert.ok(!toolLinesOf("")(line));
});

Deno.test("isToolEnd knows the words that tools begin and end with", () => {
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
      "Plan: 1 to add, 0 to change, 0 to destroy.",
    ]
  ) assert.ok(isToolEnd(line), line);
  for (const line of ["", "a", "FAIL x", "2 errors were found", "Running"]) {
    assert.ok(!isToolEnd(line), line);
  }
});

const WORDINGS: Readonly<Record<Wording, readonly string[]>> = {
  step: [
    "Get:3 http://deb.debian.org/debian bookworm/main amd64 tree",
    "#5 2.000 Get:1 http://deb.debian.org/debian bookworm/main",
    "Unpacking tree (2.1.0-1) ...",
    "[INFO] Downloading from central: https://repo.example/x",
    "[INFO] --- maven-compiler-plugin:3.1:compile (default-compile) @ shop ---",
    "  Downloading six-1.17.0-py2.py3-none-any.whl (11 kB)",
    "Collecting six>=1.5 (from python-dateutil)",
    "   Compiling serde v1.0.200",
    "=== RUN   TestSum",
    "> Task :compileJava UP-TO-DATE",
    "[ 12%] Building CXX object a.o",
    "gcc -O2 -c -o a.o a.c",
    "npm http fetch GET 200 https://registry.example/x 9ms",
    "   ━━━━━━━━━━ 135.7/135.7 kB",
    "[=====>    ] 3/9",
    " 45%|████      | 9/20",
    "make[1]: Entering directory '/home/dev'",
    "aws_vpc.main: Still creating... [10s elapsed]",
  ],
  lack: [
    "-- Looking for sys/event.h - not found",
    "-- Performing Test HAVE_FOO - Failed",
    "checking for strlcpy... no",
    "checking for pthread.h... (cached) no",
  ],
  passed: [
    "--- PASS: TestSum (0.00s)",
    "PASS src/a.test.ts",
    "PASS",
    " ✓ adds (3 ms)",
    "ok 3 - adds",
    "splice keeps every byte ... ok (28ms)",
    "2/6 Test #2: mesh.weld ...................   Passed    0.00 sec",
  ],
  nothing: [
    "",
    "   ",
    "-----",
    "[INFO] ",
    "[ERROR] ",
    "[INFO] ------",
    "npm error",
    "npm error 404",
    "====\r",
    "[ERROR] Re-run Maven using the -X switch to enable full debug logging.",
  ],
  outcome: [
    "Successfully installed six-1.17.0",
    "Setting up ripgrep (13.0.0-4+b2) ...",
    "0 upgraded, 10 newly installed, 0 to remove and 136 not upgraded.",
    "Need to get 3405 kB of archives.",
    "collecting ... collected 52 items",
    "[INFO] BUILD FAILURE",
    "[INFO] Total time:  2.032 s",
    "TOTAL                  251     74",
    "ok  \texample.com/kvd/wal\t0.011s",
    "3 errors",
  ],
  detail: [
    "a.cpp:9:33: note: constraints not satisfied",
    "a.cpp:9:33:   required from here",
    "In file included from a.cpp:4:",
    "a.hpp: In instantiation of ‘T f()’:",
  ],
};

for (const [wording, lines] of Object.entries(WORDINGS)) {
  Deno.test(`wordingOf knows a line that is ${wording}`, () => {
    for (const line of lines) assert.equal(wordingOf(line), wording, line);
  });
}

Deno.test("wordingOf says nothing of failures, of what was done and of sentences", () => {
  for (
    const line of [
      "[INFO] Compiling 3 source files to /home/dev/target/classes",
      "[INFO] Running dev.sched.SchedulerTest",
      "gcc: fatal error: no input files",
      "> Task :test FAILED",
      "Collection of errors",
      "The download is done",
      "--- FAIL: TestSum (0.00s)",
      "PASSWORD",
      "✕ adds",
      "ok 4 - writes # SKIP no disk",
      "splice keeps ... FAILED (2ms)",
      "... ok (2 of 3)",
      "[INFO] x",
      "--- a ---",
      "      |   ^^^^",
      "}",
      "npm error x",
      "[ERROR] Failed to execute goal",
      "total",
      "30 errors were found there",
      "Setting x",
      "a.cpp:9:33: error: no match",
      "a == b",
      "50% done",
    ]
  ) assert.equal(wordingOf(line), undefined, line);
});
