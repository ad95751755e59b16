import assert from "node:assert/strict";
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

Deno.test("weigh keeps both ends and an example of every kind, the last of alike ones less", () => {
  const lines = serviceLines(300);
  const weights = weigh(viewLog(lines.join("\n")), "");
  assert.ok([...weights.subarray(0, 3)].every((weight) => weight > 100));
  assert.ok([...weights.subarray(-6)].every((weight) => weight === STAYS));
  for (const kind of ["/health", "/v1/users", "hit ratio", "stored"]) {
    const first = lines.findIndex((line) => line.includes(kind));
    assert.ok((weights[first] ?? 0) >= 80, kind);
  }
  assert.ok(weights.filter((weight) => weight > 0).length < 30);
});

Deno.test("weigh keeps first and last of alike warnings, and what answers the question", () => {
  const lines = serviceLines(300);
  for (const i of [40, 80, 120, 160]) lines[i] = `WARN slow query took ${i} ms`;
  lines[200] = "2026-02-02T02:40:00.000Z INFO  [http-3] GET /v1/kiwi 200 9ms";
  const weights = weigh(viewLog(lines.join("\n")), "what about the kiwi?");
  const staying = lines.filter((_, i) => weights[i] === STAYS);
  assert.deepEqual(staying.filter((line) => line.startsWith("WARN")), [
    "WARN slow query took 40 ms",
    "WARN slow query took 160 ms",
  ]);
  assert.ok(staying.some((line) => line.includes("kiwi")));
});
