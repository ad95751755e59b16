import assert from "node:assert/strict";
import { AGENTS, isAgentId } from "../../../src/cli/agents/registry.ts";

Deno.test("AGENTS has every agent under its own name", () => {
  for (const [id, agent] of Object.entries(AGENTS)) assert.equal(agent.id, id);
});

Deno.test("isAgentId knows the names of agents and nothing else", () => {
  assert.equal(isAgentId("codex"), true);
  for (const word of ["Codex", "toString", "", 1]) {
    assert.equal(isAgentId(word), false);
  }
});
