import assert from "node:assert/strict";
import { denoRuntime } from "../../../src/cli/confine/runtime.ts";

Deno.test("denoRuntime knows what this program may do, and its thread's module", async () => {
  const { isAllowed, module } = denoRuntime();
  const { state } = await Deno.permissions.query({ name: "write" });
  assert.equal(isAllowed({ name: "write" }), state === "granted");
  assert.match(await Deno.readTextFile(module), /@module/);
});

Deno.test("denoRuntime asks nobody where nobody could answer", () => {
  const isTerminal = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  // On a terminal it depends on how the tests were started.
  if (!isTerminal) assert.equal(denoRuntime().mayAsk(), false);
});
