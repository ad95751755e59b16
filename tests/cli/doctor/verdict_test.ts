import assert from "node:assert/strict";
import {
  failed,
  passed,
  skipped,
  warned,
} from "../../../src/cli/doctor/verdict.ts";

Deno.test("verdicts have a status, and no hint and no details unless given", () => {
  const made = [passed("a"), warned("a"), failed("a"), skipped("a")];
  assert.deepEqual(made.map(({ status }) => status), [
    "pass",
    "warn",
    "fail",
    "skip",
  ]);
  assert.deepEqual(passed("a", { hint: "b", details: { c: 1 } }), {
    status: "pass",
    summary: "a",
    hint: "b",
    details: { c: 1 },
  });
  assert.deepEqual([made[0]!.hint, made[0]!.details], [null, {}]);
});
