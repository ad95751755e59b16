import assert from "node:assert/strict";
import { runProgram } from "../../src/cli/run_program.ts";

Deno.test("runProgram gives the exit code and all that a program wrote", async () => {
  const script = "console.log('out'); console.error('err'); Deno.exit(3)";
  const command = [Deno.execPath(), "eval", "--quiet", script];
  const result = await runProgram(command);
  assert.deepEqual(result, { code: 3, text: "out\nerr\n" });
});

Deno.test("runProgram gives nothing for a program that is not there", async () => {
  assert.equal(await runProgram(["svc-no-such-program"]), undefined);
});
