import assert from "node:assert/strict";
import {
  isAdvice,
  isBar,
  isDetail,
  isEmpty,
  isOutcome,
  isPass,
  isStep,
  isVerdict,
  wordingsOf,
} from "../../../src/compressors/log/quiet.ts";

type Test = (text: string, at: number, end: number) => boolean;

/** Each line of either kind, alone and between other lines. */
function assertTells(
  test: Test,
  yes: readonly string[],
  no: readonly string[],
) {
  for (const [lines, wanted] of [[yes, true], [no, false]] as const) {
    for (const line of lines) {
      assert.equal(test(line, 0, line.length), wanted, line);
      const text = `make: a\n${line}\n== b ==`;
      assert.equal(test(text, 8, 8 + line.length), wanted, line);
    }
  }
}

Deno.test("isStep knows downloads, unpacking, compiling and test starts", () => {
  assertTells(isStep, [
    "Get:3 http://deb.debian.org/debian bookworm/main amd64 tree",
    "#5 2.000 Get:1 http://deb.debian.org/debian bookworm/main",
    "Unpacking tree (2.1.0-1) ...",
    "[INFO] Downloading from central: https://repo.maven.apache.org/x",
    "[INFO] --- maven-compiler-plugin:3.1:compile (default-compile) @ shop ---",
    "  Downloading six-1.17.0-py2.py3-none-any.whl (11 kB)",
    "Collecting six>=1.5 (from python-dateutil)",
    "   Compiling serde v1.0.200",
    "=== RUN   TestSum",
    "> Task :compileJava UP-TO-DATE",
    "[ 12%] Building CXX object a.o",
    "gcc -O2 -c -o a.o a.c",
    "npm http fetch GET 200 https://registry.npmjs.org/x 9ms",
  ], [
    "Setting up tree (2.1.0-1) ...",
    "[INFO] Compiling 3 source files to /home/dev/target/classes",
    "[INFO] BUILD SUCCESS",
    "[INFO] Running dev.sched.SchedulerTest",
    "gcc: fatal error: no input files",
    "> Task :test FAILED",
    "Collection of errors",
    "The download is done",
  ]);
});

Deno.test("isPass knows tests that passed", () => {
  assertTells(
    isPass,
    [
      "--- PASS: TestSum (0.00s)",
      "PASS src/a.test.ts",
      "PASS",
      " ✓ adds (3 ms)",
    ],
    ["--- FAIL: TestSum (0.00s)", "PASSWORD", "✕ adds", "FAIL"],
  );
});

Deno.test("isEmpty knows rules, levels alone and blanks, not source or marks below it", () => {
  assertTells(
    isEmpty,
    [
      "",
      "   ",
      "-----",
      "[INFO] ",
      "[ERROR] ",
      "[INFO] ------",
      "npm error",
      "====\r",
    ],
    [
      "[INFO] x",
      "--- a ---",
      "      |   ^^^^",
      "    ~~~^~~",
      "}",
      "npm error x",
    ],
  );
});

Deno.test("isAdvice knows what Maven says below every failure", () => {
  assertTells(
    isAdvice,
    ["[ERROR] Re-run Maven using the -X switch to enable full debug logging."],
    [
      "[ERROR] Failed to execute goal",
      "[ERROR] Please refer to /home/dev/reports",
    ],
  );
});

Deno.test("isOutcome knows totals, versions and times", () => {
  assertTells(isOutcome, [
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
  ], ["total", "30 errors were found there", "ok", "Setting x"]);
});

Deno.test("isDetail knows what follows the message of a compiler", () => {
  assertTells(isDetail, [
    "a.cpp:9:33: note: constraints not satisfied",
    "a.cpp:9:33:   required from here",
    "In file included from a.cpp:4:",
    "a.hpp: In instantiation of ‘T f()’:",
  ], ["a.cpp:9:33: error: no match", "note: run with", "In file x"]);
});

Deno.test("isBar knows bars of something under way", () => {
  assertTells(
    isBar,
    [
      "   ━━━━━━━━━━ 135.7/135.7 kB",
      "[=====>    ] 3/9",
      " 45%|████      | 9/20",
    ],
    ["a == b", "[INFO]", "50% done"],
  );
});

Deno.test("wordingsOf says which rare wordings a text holds", () => {
  assert.deepEqual(wordingsOf("a\nb"), {
    hasBars: false,
    hasDetails: false,
    hasVerdicts: false,
  });
  assert.deepEqual(wordingsOf("a\n━━━━━ 1\nx:1: note: y"), {
    hasBars: true,
    hasDetails: true,
    hasVerdicts: false,
  });
  assert.ok(wordingsOf("a ... ok (1ms)").hasVerdicts);
});

Deno.test("isVerdict knows a test that passed by what stands behind its name", () => {
  assertTells(
    isVerdict,
    ["splice keeps every byte ... ok (28ms)", "x ... ok (164µs)"],
    ["splice keeps ... FAILED (2ms)", "... ok (2 of 3)", "it is ... ok"],
  );
});
