import assert from "node:assert/strict";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const point = (env: Record<string, string>, more: Circumstances = {}) =>
  pointed(WRAP_CLAUDE, { ...more, env });

Deno.test("CHOSEN points Vertex by its own variable", async () => {
  const { variables, addresses, upstreams } = await point({
    CLAUDE_CODE_USE_VERTEX: "1",
    ANTHROPIC_VERTEX_BASE_URL: "https://vertex.example/v1",
  });
  assert.equal(variables["ANTHROPIC_VERTEX_BASE_URL"], `${BASE}/v1`);
  assert.equal(variables["ANTHROPIC_BASE_URL"], undefined);
  assert.equal(addresses[0]?.url, "https://vertex.example");
  assert.deepEqual(upstreams, ["vertex"]);
});

Deno.test("CHOSEN keeps the path of a Foundry address", async () => {
  const { variables, addresses, upstreams } = await point({
    CLAUDE_CODE_USE_FOUNDRY: "true",
    ANTHROPIC_FOUNDRY_BASE_URL: "https://me.example/models/anthropic/",
  });
  assert.deepEqual(variables, {
    ANTHROPIC_FOUNDRY_BASE_URL: `${BASE}/models/anthropic`,
    ENABLE_TOOL_SEARCH: "true",
  });
  assert.equal(addresses[0]?.url, "https://me.example");
  assert.deepEqual(upstreams, ["foundry"]);
});

Deno.test("CHOSEN takes the address of a Foundry resource, and takes the resource away", async () => {
  const env = {
    CLAUDE_CODE_USE_FOUNDRY: "1",
    ANTHROPIC_FOUNDRY_RESOURCE: "me",
  };
  const { variables, addresses } = await point(env);
  assert.equal(variables["ANTHROPIC_FOUNDRY_BASE_URL"], `${BASE}/anthropic`);
  assert.equal(variables["ANTHROPIC_FOUNDRY_RESOURCE"], "");
  assert.deepEqual(addresses, [{
    upstream: "foundry",
    url: "https://me.services.ai.azure.com",
    from: "ANTHROPIC_FOUNDRY_RESOURCE in the environment",
  }]);
  const files = { ".claude/settings.json": JSON.stringify({ env }) };
  const { args } = await point({}, { files });
  assert.deepEqual(JSON.parse(args[1]!), {
    env: { ANTHROPIC_FOUNDRY_RESOURCE: "" },
  });
});

Deno.test("DIRECT is what is used where nothing is chosen", async () => {
  const { variables } = await point({ CLAUDE_CODE_USE_FOUNDRY: "0" });
  assert.equal(variables["ANTHROPIC_BASE_URL"], BASE);
});
