import assert from "node:assert/strict";
import { ToolRefusals } from "../../src/proxy/tool_refusals.ts";

Deno.test("ToolRefusals remembers host and model together", () => {
  const refusals = new ToolRefusals();
  refusals.add("h", "m");
  assert(refusals.has("h", "m"));
  assert(!refusals.has("h", "other"));
  assert(!refusals.has("other", "m"));
});

Deno.test("ToolRefusals forgets the oldest beyond its bound", () => {
  const refusals = new ToolRefusals();
  for (let i = 0; i <= 1000; i++) refusals.add("h", `m${i}`);
  assert(!refusals.has("h", "m0"));
  assert(refusals.has("h", "m1"));
  assert(refusals.has("h", "m1000"));
});
