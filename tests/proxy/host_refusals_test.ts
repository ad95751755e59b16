import assert from "node:assert/strict";
import { HostRefusals } from "../../src/proxy/host_refusals.ts";

Deno.test("HostRefusals remembers the tool by host and model, usage by host", () => {
  const refusals = new HostRefusals();
  refusals.add("h", "tool", "m");
  assert(refusals.has("h", "tool", "m"));
  assert(!refusals.has("h", "tool", "other"));
  assert(!refusals.has("other", "tool", "m"));
  assert(!refusals.has("h", "usage"));
  refusals.add("other", "usage");
  assert(refusals.has("other", "usage"));
  assert(!refusals.has("other", "tool"));
  assert(!refusals.has("other", "tool", "usage"));
});

Deno.test("HostRefusals forgets the oldest beyond its bound", () => {
  const refusals = new HostRefusals();
  for (let i = 0; i <= 1000; i++) refusals.add("h", "tool", `m${i}`);
  assert(!refusals.has("h", "tool", "m0"));
  assert(refusals.has("h", "tool", "m1"));
  assert(refusals.has("h", "tool", "m1000"));
});

Deno.test("HostRefusals keeps what is known of usage by host and model, within its bound", () => {
  const refusals = new HostRefusals();
  refusals.noteUsage("h", "m", "in_doubt");
  assert.equal(refusals.usage("h", "m"), "in_doubt");
  assert.equal(refusals.usage("h", "other"), undefined);
  assert.equal(refusals.usage("other", "m"), undefined);
  refusals.noteUsage("h", "m", undefined);
  assert.equal(refusals.usage("h", "m"), undefined);
  for (let i = 0; i <= 1000; i++) refusals.noteUsage("h", `m${i}`, "taken");
  assert.equal(refusals.usage("h", "m0"), undefined);
  assert.equal(refusals.usage("h", "m1"), "taken");
});
