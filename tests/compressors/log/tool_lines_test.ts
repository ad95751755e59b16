import assert from "node:assert/strict";
import {
  isToolEnd,
  isToolLine,
  toolForms,
} from "../../../src/compressors/log/tool_lines.ts";
import { TOOL_OUTPUTS } from "./tool_samples.ts";

Deno.test("isToolLine knows most lines of each tool", () => {
  for (const [tool, text] of Object.entries(TOOL_OUTPUTS)) {
    // Levels begin its lines.
    if (tool === "maven") continue;
    const forms = toolForms(text);
    const lines = text.split("\n").filter((line) => line !== "");
    const known = lines.filter((line) => isToolLine(line, forms));
    assert.ok(known.length * 5 >= lines.length, `${tool}: ${known.length}`);
  }
});

Deno.test("isToolLine leaves sentences, code and data alone", () => {
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
  ) assert.ok(!isToolLine(line, toolForms(line)), line);
});

Deno.test("toolForms chooses the forms that begin with anything by what the text holds", () => {
  assert.equal(toolForms("nothing here").length, 1);
  const line = "src/a.c:1:2: warning: unused";
  assert.ok(isToolLine(line, toolForms(line)));
  assert.ok(!isToolLine(line, toolForms("")));
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
