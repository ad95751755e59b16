import assert from "node:assert/strict";
import {
  keepFailures,
  raiseBelow,
} from "../../../src/compressors/log/failures.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { weigh } from "../../../src/compressors/log/weights.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { serviceLines } from "./samples.ts";

/** The lines that stay whatever the budget; `padding` lines of a service are around them. */
function staying(lines: readonly string[], query = ""): string[] {
  const around = serviceLines(80);
  const text = [...around.slice(0, 40), ...lines, ...around.slice(40)];
  const weights = weigh(viewLog(text.join("\n")), query);
  return lines.filter((_, i) => weights[40 + i] === STAYS);
}

function weightOf(lines: readonly string[], line: string): number {
  return weigh(viewLog(lines.join("\n")), "")[lines.indexOf(line)] ?? -1;
}

Deno.test("weigh keeps the user's frames and leaves those of libraries with their source out", () => {
  const lines = [
    "12:00:00 INFO start of it all",
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.11/site-packages/flask/app.py", line 917, in run',
    "    rv = self.dispatch_request()",
    "         ^^^^^^^^^^^^^^^^^^^^^^^",
    '  File "/home/dev/orders/api.py", line 54, in advance',
    "    order.advance(Status(step))",
    '  File "/usr/lib/python3.11/enum.py", line 712, in __call__',
    "    return cls.__new__(cls, value)",
    "           ^^^^^^^^^^^^^^^^^^^^^^^",
    "ValueError: 'lost' is not a valid Status",
  ];
  assert.deepEqual(
    staying(lines),
    lines.filter((_, i) => [0, 1, 5, 6, 10].includes(i)),
  );
});

Deno.test("weigh keeps short notes of a compiler, and the source below the error only", () => {
  const lines = [
    "a.cpp:9:33: error: no match for f",
    "    9 |   f(words);",
    "      |     ^",
    "a.hpp:61:7: note: candidate: f(int)",
    "   61 | void f(int);",
    "      |      ^",
    `a.hpp:61:7: note: candidate: ${"long ".repeat(60)}`,
    "a.cpp:9:33:   required from here",
    "a.cpp:10:1: error: no match for g",
    "   10 |   g(words);",
  ];
  assert.deepEqual(
    staying(lines),
    lines.filter((_, i) => [0, 1, 2, 3, 8, 9].includes(i)),
  );
});

Deno.test("weigh keeps no tests that passed next to one that failed", () => {
  const lines = Array.from(
    { length: 20 },
    (_, i) => `tests/a.py::test_${i} ${i === 9 ? "FAILED" : "PASSED"}`,
  );
  assert.deepEqual(staying(lines), [lines[9]]);
});

Deno.test("weigh keeps what is indented below an error, over a blank line", () => {
  const message = [
    "● cart › applies the discount",
    "",
    "    Expected: 90",
    "    Received: 81",
  ];
  assert.deepEqual(staying(message), message.filter((line) => line !== ""));
});

Deno.test("weigh keeps frames of the user's code in Rust and in Go, with their places", () => {
  const rust = [
    "thread 'main' panicked at src/parcel.rs:17:26:",
    "stack backtrace:",
    "   0: rust_begin_unwind",
    "             at /rustc/1a2b/library/std/src/panicking.rs:645:5",
    "   1: courier::parcel::price",
    "             at ./src/parcel.rs:17:26",
    "   2: core::ops::function::FnOnce::call_once",
    "             at /rustc/1a2b/library/core/src/ops/function.rs:250:5",
  ];
  assert.deepEqual(
    rust.filter((line) => weightOf(rust.concat(serviceLines(40)), line) >= 200),
    rust.filter((_, i) => [0, 1, 4, 5].includes(i)),
  );
  const go = [
    "goroutine 18 [running]:",
    "example.com/fleetd/store.Take(0x3b)",
    "\t/home/dev/fleetd/store/store.go:18 +0x7c",
    "testing.tRunner(0x3b, 0x59)",
    "\t/usr/local/go/src/testing/testing.go:2036 +0xea",
  ];
  const text = serviceLines(40).concat(go, serviceLines(40));
  for (const [i, line] of go.entries()) {
    if (i > 0) assert.equal(weightOf(text, line) >= 200, i < 3, line);
  }
});

Deno.test("weigh keeps the heads of threads and the user's frames of a dump, each frame once", () => {
  const dump = [
    "panic: test timed out after 2s",
    "",
    "goroutine 1 [chan receive]:",
    "testing.(*T).Run(0x3bb3)",
    "\t/usr/local/go/src/testing/testing.go:2109 +0x4e5",
    "",
    "goroutine 18 [sync.Cond.Wait]:",
    "example.com/fleetd/store.Take(0x3bb3)",
    "\t/home/dev/fleetd/store/store.go:18 +0x7c",
    "",
    "goroutine 19 [sync.Cond.Wait]:",
    "example.com/fleetd/store.Take(0x3bb3)",
    "\t/home/dev/fleetd/store/store.go:18 +0x7c",
  ];
  assert.deepEqual(
    staying(dump),
    dump.filter((_, i) => [0, 6, 7, 8].includes(i)),
  );
});

Deno.test("weigh keeps the place of each finding, and no source around it", () => {
  const found = (line: number) => [
    "F401 [*] `os` imported but unused",
    ` --> app/cart.py:${line}:8`,
    "   |",
    "11 | import re",
    `${line} | import os`,
    "   |        ^^",
    "13 | import sys",
  ];
  const lines = [12, 40, 55, 70].flatMap(found);
  const text = lines.concat(serviceLines(200)).join("\n");
  const weights = weigh(viewLog(text), "");
  for (const [i, line] of lines.entries()) {
    if (/F401|-->/.test(line)) assert.equal(weights[i], STAYS, line);
    if (/import (?:re|sys)$/.test(line)) assert.notEqual(weights[i], STAYS);
  }
});

Deno.test("weigh sees marks, frames and indentation behind the prefix of a CI step", () => {
  const steps = (lines: readonly string[]) =>
    lines.map((line) =>
      `build\tRun tests\t2026-02-02T10:00:00.1234567Z ${line}`
    );
  const failure = steps([
    "  \u25cf cart > applies the discount",
    "    Expected: 90",
    "    Received: 81",
    "      at Object.toBe (test/cart.test.js:42:22)",
    "      at run (node_modules/jest/build/run.js:1:2)",
  ]);
  const around = steps(serviceLines(60));
  const weights = weigh(viewLog(around.concat(failure, around).join("\n")), "");
  assert.deepEqual(
    failure.filter((_, i) => weights[60 + i] === STAYS),
    failure.slice(0, 4),
  );
});

Deno.test("weigh leaves out neighbours of a failure that fail like others", () => {
  const lines = serviceLines(100).map((line, i) =>
    i % 2 === 0 ? line : `2026-02-02T10:00:00Z ERROR [db] lost ${i} rows`
  );
  const weights = weigh(viewLog(lines.join("\n")), "");
  const failing = lines.filter((line, i) =>
    line.includes("ERROR") && weights[i] === STAYS
  );
  assert.ok(failing.length <= 6, `${failing.length}`);
});

Deno.test("keepFailures weighs nothing of a log without failures", () => {
  const view = viewLog(serviceLines(50).join("\n"));
  const weights = new Uint8Array(50);
  keepFailures(view, weights);
  assert.ok(weights.every((weight) => weight === 0));
});

Deno.test("raiseBelow stops at its limit and at a line that is not indented deeper", () => {
  const view = viewLog("warning: x\n  a\n  b\n  c\nnext\n  d");
  const below = (limit: number) => {
    const weights = new Uint8Array(6);
    raiseBelow(view, weights, { from: 0, limit, weight: 9 });
    return [...weights];
  };
  assert.deepEqual(below(2), [0, 9, 9, 0, 0, 0]);
  assert.deepEqual(below(9), [0, 9, 9, 9, 0, 0]);
});

Deno.test("raiseBelow leaves out steps and calls of the runtime that are indented below a failure", () => {
  const lines = [
    "not ok 3 - parsePoint of nothing",
    "  duration_ms: 0.173582",
    "  location: '/home/dev/atlas/test/nodetest.mjs:9:1'",
    "  stack: |-",
    "    TestContext.<anonymous> (file:///home/dev/atlas/test/nodetest.mjs:9:44)",
    "    Test.run (node:internal/test_runner/test:796:25)",
  ];
  const weights = new Uint8Array(lines.length);
  const view = viewLog(lines.join("\n"));
  raiseBelow(view, weights, { from: 0, limit: 9, weight: 9 });
  assert.deepEqual([...weights], [0, 0, 9, 9, 9, 0]);
});

Deno.test("weigh keeps the place of a failure that only a line below it names", () => {
  const lines = [
    " FAIL  test/board.test.js > Board > keeps a card",
    "AssertionError: expected undefined to be 'todo'",
    "",
    "- Expected:",
    '"todo"',
    "",
    " ❯ test/board.test.js:30:44",
    "     28|     board.move();",
    "",
    " FAIL  test/report.test.js > lists cards",
    "Error: no cards",
  ];
  assert.ok(staying(lines).includes(" ❯ test/board.test.js:30:44"));
  const next = [
    "E   assert 3 == 4",
    "____________________ test_next ____________________",
    "tests/test_bills.py:31: in test_next",
    // More than a few lines that are like no other stay for no other reason.
    "collected (some)",
    "rootdir [here]",
    "plugins <many>",
    "cachedir {there}",
  ];
  assert.ok(!staying(next).includes(next[2] ?? ""));
});

Deno.test("weigh keeps each frame in the user's code once, and of very many the first", () => {
  const frame = (i: number) => `    at load (/home/dev/app/src/a${i}.ts:7:3)`;
  const lines = ["Thread main:", frame(0), "Thread next:", frame(0)];
  assert.deepEqual(staying(lines).filter((line) => line.includes(" at ")), [
    frame(0),
  ]);
  const many = Array.from({ length: 300 }, (_, i) => frame(i));
  assert.deepEqual(staying(["Threads:", ...many]).slice(0, 201), [
    "Threads:",
    ...many.slice(0, 200),
  ]);
});

Deno.test("keepFailures keeps the name of each test that failed for the same reason", () => {
  const names = Array.from({ length: 24 }, (_, i) => `test_case_${i}`);
  const lines = [
    "=========== short test summary info ===========",
    ...names.map((name) =>
      `ERROR tests/test_a.py::TestA::${name} - OSError: disk is full`
    ),
    "========= 375 passed, 24 errors in 3.71s ==========",
  ];
  const weights = weigh(viewLog(lines.join("\n")), "");
  assert.ok(lines.every((_, i) => weights[i] === STAYS));
});

Deno.test("keepFailures keeps the ruled heading above a failure, though no other heading is of its form", () => {
  const report = (name: string, at: number) => [
    `______________ ${name} ______________`,
    "",
    "self = <tests.test_a.TestA object>",
    "",
    "    def test(self):",
    `>       self.assertTrue(False)  # ${at}`,
    `E       AssertionError: ${name} is not true`,
    "",
    `tests/test_a.py:${at}: AssertionError`,
  ];
  const lines = [
    ...Array.from({ length: 20 }, (_, i) => `tests/test_${i}.py::test ok`),
    "=================== FAILURES ===================",
    ...report("Route.test_other", 99),
    ...Array.from({ length: 45 }, (_, i) => report(`Case.test_${i}`, i)).flat(),
    "========= 46 failed in 3.71s ==========",
  ];
  const weights = weigh(viewLog(lines.join("\n")), "");
  const heading = lines.findIndex((line) => line.includes(" Route."));
  assert.equal(weights[heading], STAYS);
});

Deno.test("weigh keeps the finding above a part of it that stays", () => {
  const finding = (i: number, type: string) => [
    `j/C${i}.java:5: warning: [rawtypes] found raw type: ${type}`,
    `  ${type} raw = new Array${type}();`,
    "  ^",
    `  missing type arguments for generic class ${type}<E>`,
    "  where E is a type-variable:",
  ];
  const lines = Array.from({ length: 30 }, (_, i) => [
    ...finding(i, "List"),
    ...finding(i, "Set"),
    `j/C${i}.java:6: warning: [deprecation] stop() has been deprecated`,
    "   Thread.currentThread().stop();",
    "                         ^",
  ]).flat();
  const weights = weigh(viewLog([...lines, "90 warnings"].join("\n")), "");
  const kept = [...lines.keys()].filter((i) =>
    lines[i]?.startsWith("  missing") && weights[i] === STAYS
  );
  assert.ok(kept.length > 2);
  for (const i of kept) assert.equal(weights[i - 3], STAYS, `${i}`);
});
