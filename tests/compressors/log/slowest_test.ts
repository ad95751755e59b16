import assert from "node:assert/strict";
import {
  asksForTime,
  slowestLines,
} from "../../../src/compressors/log/slowest.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { logCompressor } from "../../../src/compressors/log/compressor.ts";
import { unfoldStarts } from "../../../src/compressors/log/starts.ts";
import { contextOf, serviceLines } from "./samples.ts";

Deno.test("slowestLines compares durations across units", () => {
  const lines = [
    "GET /a took=50.644µs",
    "GET /b took=2.35ms",
    "nothing",
    "GET /c took=900ns",
    "GET /d 0.004s in 3 ms",
    "GET /e 1 s",
    "GET /f 3px x12ms 7 seats",
  ];
  assert.deepEqual(slowestLines(indexLines(lines.join("\n"))), [5, 4, 1]);
  assert.deepEqual(slowestLines(indexLines("none\n")), []);
  assert.deepEqual(slowestLines(indexLines("1ms\n1ms\n1ms\n1ms")), [0, 1, 2]);
});

Deno.test("asksForTime knows questions about time", () => {
  for (const query of ["which request is slow?", "p99 latency", "how long"]) {
    assert.ok(asksForTime(query), query);
  }
  for (const query of ["", "why does it fail?", "along the way"]) {
    assert.ok(!asksForTime(query), query);
  }
});

Deno.test("logCompressor keeps the slowest line for who asks for it", () => {
  const lines = serviceLines(600);
  lines[300] = lines[300]!.replace(
    /INFO.*|DEBUG.*/,
    "INFO  [http-3] GET /health 200 7123ms",
  );
  const outcome = logCompressor.compress(
    lines.join("\n"),
    contextOf(true, "which request is slow?"),
  );
  assert(outcome.type === "elided");
  assert.ok(unfoldStarts(outcome.text).includes(lines[300]));
});
