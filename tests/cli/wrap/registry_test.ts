import assert from "node:assert/strict";
import { WRAPPED } from "../../../src/cli/wrap/registry.ts";

Deno.test("WRAPPED has each agent once, with a program and a way to get it", () => {
  const ids = WRAPPED.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { program, install, title } of WRAPPED) {
    assert.match(program, /^[\w-]+$/);
    assert.ok(install && title);
  }
});
