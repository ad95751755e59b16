import assert from "node:assert/strict";
import { indexLines } from "../../../src/text/lines.ts";
import {
  ERROR,
  FAILED,
  SUMMARY,
  WARNING,
} from "../../../src/text/signs/flags.ts";
import { readHeads } from "../../../src/text/signs/heads.ts";

function headsOf(text: string, countsFailing = false): number[] {
  const lines = indexLines(text);
  const flags = new Uint8Array(lines.count);
  readHeads(lines, flags, countsFailing);
  return [...flags];
}

Deno.test("readHeads reads levels of one letter where lines have them", () => {
  const lines = ["I", "W", "E", "F"].map((level) =>
    `${level}0301 10:06:11.100371 1 a.go:1] x`
  );
  assert.deepEqual(headsOf(lines.join("\n")), [0, WARNING, ERROR, ERROR]);
  const android = ["I", "E"].map((level) =>
    `03-17 16:13:46.389  1702  2395 ${level} Tag: x`
  );
  assert.deepEqual(headsOf(android.join("\n")), [0, ERROR]);
  assert.deepEqual(headsOf("error E0301: x\nPlan E is good"), [0, 0]);
});

Deno.test("readHeads reads marks, results and priorities", () => {
  assert.deepEqual(
    headsOf("  ✗ a\nnot ok 1\nnot ok 2 # TODO x\n<3>x\n<4>x\n<6>x\n  ○ b"),
    [
      ERROR | FAILED,
      ERROR | FAILED,
      SUMMARY,
      ERROR,
      WARNING,
      0,
      SUMMARY,
    ],
  );
});

Deno.test("readHeads takes numbered names for failures only where failures are counted", () => {
  const text = "  1) rounds\n  - waits";
  assert.deepEqual(headsOf(text, true), [ERROR | FAILED, SUMMARY]);
  assert.deepEqual(headsOf(text), [0, 0]);
});

Deno.test("readHeads reads the results of ctest, and what a panic of Rust says", () => {
  assert.deepEqual(
    headsOf(
      "1/3 Test #1: a ....***Timeout\n2/3 Test #2: b ....***Skipped\na ***b*** Test",
    ),
    [ERROR | FAILED, SUMMARY, 0],
  );
  const panic = "thread 'main' panicked at src/a.rs:4:5";
  assert.deepEqual(headsOf(`${panic}:\nno quince\nnote`), [0, ERROR, 0]);
  assert.deepEqual(headsOf(`${panic}\nno quince\n${panic}:`), [0, 0, 0]);
});
