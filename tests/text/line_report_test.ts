import assert from "node:assert/strict";
import fc from "fast-check";
import { lineReport } from "../../src/text/line_report.ts";

const LOG = [
  "start",
  "\x1b[31mERROR worker 7 failed: timeout\x1b[0m",
  "ok 1",
  "ok 2",
  "",
  "WARN retry 3",
  "ERROR worker 9 failed: timeout",
  "3 passed, 2 failed",
  "end",
].join("\n");

Deno.test("lineReport finds what stayed, and what became of lines that report something", () => {
  const shorter = [
    "start",
    "ERROR worker 7 failed: timeout",
    "… lines 3-5 omitted",
    "worker 9: ERROR, timeout, failed",
    "end",
    "[9 lines compressed to 4. Retrieve more: hash=7caf42733975058b8cd44e2b]",
  ].join("\n");
  const { lines, unchanged, reported, isCut } = lineReport(LOG, shorter, false);
  assert.equal(lines, 9);
  assert.deepEqual(unchanged, [[1, 2], [9, 9]]);
  assert.deepEqual(
    reported.map(({ line, what, shown }) => [line, what, shown]),
    [
      [2, "failure", "unchanged"],
      [6, "warning", "omitted"],
      [7, "failure", "rewritten"],
      [8, "failure", "omitted"],
    ],
  );
  assert.equal(reported[0]!.text, "ERROR worker 7 failed: timeout");
  assert.equal(isCut, false);
});

Deno.test("lineReport looks for fields of records anywhere, and calls none a total", () => {
  const json = JSON.stringify(
    [{ state: "failed", error: null }, { state: "done", error: null }],
    null,
    2,
  );
  const table = "rows of 2: state,error\nfailed,null\ndone,null";
  const { reported } = lineReport(json, table, true);
  assert.deepEqual(
    reported.map(({ line, what, shown }) => [line, what, shown]),
    [[3, "failure", "rewritten"]],
  );
  assert.equal(lineReport(json, table, false).reported[0]!.shown, "omitted");
});

Deno.test("lineReport is bounded where everything fails", () => {
  const text = Array.from({ length: 3000 }, (_, i) => `ERROR ${i}`).join("\n");
  const { reported, isCut } = lineReport(text, "ERROR 1", false);
  assert.equal(reported.length, 500);
  assert.equal(isCut, true);
});

Deno.test("lineReport finds all of a text in the text itself", () => {
  const line = fc.constantFrom("ok", "ERROR x", "", "WARN 3", "a\tb");
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const text = lines.join("\n");
      const report = lineReport(text, text, false);
      assert(report.reported.every(({ shown }) => shown === "unchanged"));
      const first = lines.findIndex((one) => one !== "");
      assert.deepEqual(
        report.unchanged,
        first < 0 ? [] : [[first + 1, report.lines]],
      );
    }),
  );
});
