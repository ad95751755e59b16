import assert from "node:assert/strict";
import { restartsItself } from "../../src/core/deployment.ts";

Deno.test("restartsItself is true for a service outside a container only", () => {
  const facts = { profile: "a", preset: "b", supervisor: "c", scope: "user" };
  assert.ok(restartsItself({ ...facts, runtime: "deno" }));
  assert.ok(!restartsItself({ ...facts, runtime: "docker" }));
  assert.ok(!restartsItself(undefined));
});
