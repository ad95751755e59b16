import assert from "node:assert/strict";
import { logOf, type Problem } from "../../src/sdk/problems.ts";

Deno.test("logOf tells the stage and the reason, by the event where a record names no stage", () => {
  const problems: Problem[] = [];
  const log = logOf((problem) => problems.push(problem));
  log("warn", "stage_failed", { stage: "scan", reason: "no role" });
  log("warn", "ccr_touch_failed", { reason: "full" });
  log("error", "odd");
  assert.deepEqual(problems, [
    { stage: "scan", reason: "no role" },
    { stage: "ccr_touch_failed", reason: "full" },
    { stage: "odd", reason: "" },
  ]);
});
