import assert from "node:assert/strict";
import {
  WRAP_AIDER,
  WRAP_COPILOT,
  WRAP_CORTEX,
  WRAP_CURSOR,
  WRAP_GOOSE,
  WRAP_OPENHANDS,
} from "../../../src/cli/wrap/variables.ts";
import type { WrapAgent } from "../../../src/cli/wrap/agent.ts";
import { BASE, pointed } from "./pointed.ts";

const V1 = `${BASE}/v1`;

Deno.test("Agents by variables get the address in the form that each variable has", async () => {
  const cases: [WrapAgent, Record<string, string>][] = [
    [WRAP_AIDER, {
      ANTHROPIC_BASE_URL: BASE,
      ANTHROPIC_API_BASE: BASE,
      OPENAI_API_BASE: V1,
      OPENAI_BASE_URL: V1,
    }],
    [WRAP_GOOSE, {
      ANTHROPIC_HOST: BASE,
      OPENAI_HOST: BASE,
      OPENAI_BASE_URL: V1,
    }],
    [WRAP_CORTEX, { OPENAI_BASE_URL: V1 }],
  ];
  for (const [agent, variables] of cases) {
    const pointing = await pointed(agent);
    assert.deepEqual(pointing.variables, variables);
    assert.deepEqual([pointing.args, pointing.addresses], [[], []]);
  }
});

Deno.test("WRAP_AIDER makes the user's addresses upstreams", async () => {
  const env = {
    OPENAI_API_BASE: "https://gw.example/openai/v1",
    ANTHROPIC_API_BASE: "https://gw.example/anthropic",
  };
  const { addresses } = await pointed(WRAP_AIDER, { env });
  assert.deepEqual(addresses.map(({ upstream, url }) => [upstream, url]), [
    ["messages", "https://gw.example/anthropic"],
    ["chat", "https://gw.example/openai"],
  ]);
});

Deno.test("WRAP_OPENHANDS follows the model, and says what it needs", async () => {
  const point = (LLM_MODEL: string, args: string[] = []) =>
    pointed(WRAP_OPENHANDS, { env: { LLM_MODEL }, args });
  const claude = await point("anthropic/claude-sonnet-4-5");
  assert.deepEqual(claude.variables, { LLM_BASE_URL: BASE });
  assert.deepEqual(claude.args, ["--override-with-envs"]);
  const other = await point("openai/gpt-5", ["--override-with-envs"]);
  assert.deepEqual(other.variables, { LLM_BASE_URL: V1 });
  assert.deepEqual(other.args, []);
  await assert.rejects(point(""), /LLM_MODEL is not set/);
});

Deno.test("WRAP_COPILOT uses the key or the provider that is there, and nothing of GitHub", async () => {
  const claude = await pointed(WRAP_COPILOT, {
    env: { ANTHROPIC_API_KEY: "k", COPILOT_MODEL: "claude-sonnet-4-5" },
  });
  assert.deepEqual(claude.variables, {
    COPILOT_PROVIDER_TYPE: "anthropic",
    COPILOT_PROVIDER_BASE_URL: BASE,
    COPILOT_PROVIDER_API_KEY: "k",
  });
  assert.deepEqual(claude.secrets, ["COPILOT_PROVIDER_API_KEY"]);
  assert.equal(claude.notes, undefined);
  const own = await pointed(WRAP_COPILOT, {
    env: {
      COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:11434/v1",
      COPILOT_PROVIDER_BEARER_TOKEN: "t",
      OPENAI_API_KEY: "k",
    },
  });
  assert.deepEqual(own.variables, {
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_BASE_URL: V1,
  });
  assert.equal(own.addresses[0]?.url, "http://127.0.0.1:11434");
  assert.match(own.notes![0]!, /set COPILOT_MODEL/);
  await assert.rejects(pointed(WRAP_COPILOT), /it talks to GitHub/);
  const env = { COPILOT_PROVIDER_TYPE: "azure" };
  await assert.rejects(pointed(WRAP_COPILOT, { env }), /TYPE is azure/);
});

Deno.test("WRAP_CURSOR is refused with the reason", async () => {
  await assert.rejects(
    async () => await pointed(WRAP_CURSOR),
    /from its own servers, which cannot reach this machine/,
  );
});
