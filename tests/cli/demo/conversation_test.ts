import assert from "node:assert/strict";
import { demoSteps } from "../../../src/cli/demo/conversation.ts";

Deno.test("demoSteps gives the same long texts on every call, each under its own call", () => {
  const steps = demoSteps();
  assert.deepEqual(steps, demoSteps());
  assert(steps.length >= 5);
  for (const { output, title } of steps) assert(output.length > 1000, title);
  assert.equal(new Set(steps.map(({ output }) => output)).size, steps.length);
});
