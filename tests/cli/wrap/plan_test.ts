import assert from "node:assert/strict";
import { CliFailure } from "../../../src/cli/failure.ts";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { WRAP_AIDER } from "../../../src/cli/wrap/variables.ts";
import { WRAP_VIBE } from "../../../src/cli/wrap/vibe.ts";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { fakeIo } from "../fake_io.ts";

function plan(
  env: Record<string, string> = {},
  { flags = {}, cwd = "/work/my shop", large = false, agent = WRAP_CLAUDE } =
    {},
) {
  const io = fakeIo({ env: { HOME: "/home/a", ...env }, cwd });
  return planWrap(io, { agent, args: ["-p"], flags, large });
}

Deno.test("planWrap names the project by the directory, and none in the root", async () => {
  const address = async (cwd: string) =>
    (await plan({}, { cwd })).env["ANTHROPIC_BASE_URL"];
  assert.equal(
    await address("/work/my shop"),
    "http://127.0.0.1:8787/p/my%20shop",
  );
  assert.equal(await address("/"), "http://127.0.0.1:8787");
});

Deno.test("planWrap makes an address of the user the upstream of the proxy", async () => {
  const address = "https://gw.example/a";
  const { wish } = await plan({ ANTHROPIC_BASE_URL: address });
  assert.equal(wish.config.upstreams.messages, address);
  assert.deepEqual(wish.variables, { MSG_TARGET_API_URL: address });
});

Deno.test("planWrap refuses to choose between two upstreams, and names both", async () => {
  const env = {
    ANTHROPIC_BASE_URL: "https://gw.example/secret",
    MSG_TARGET_API_URL: "https://other.example",
  };
  await assert.rejects(plan(env), (error: unknown) => {
    assert.ok(error instanceof CliFailure);
    assert.equal(
      error.message,
      "Cannot choose between two upstreams: MSG_TARGET_API_URL is https://other.example, ANTHROPIC_BASE_URL in the environment is https://gw.example. Take one of them out",
    );
    return true;
  });
});

Deno.test("planWrap gives the chat upstream of the command line to the proxy", async () => {
  const url = "http://127.0.0.1:11434";
  const { wish, args } = await plan({}, {
    flags: { "chat-api-url": url, port: "9000" },
    agent: WRAP_CODEX,
  });
  assert.equal(wish.config.upstreams.chat, url);
  assert.equal(wish.variables["CHAT_TARGET_API_URL"], url);
  assert.equal(wish.config.port, 9000);
  assert.equal(args.at(-1), "-p");
});

Deno.test("planWrap keeps requests to the proxy from a proxy of the network", async () => {
  assert.equal((await plan()).env["NO_PROXY"], undefined);
  const routed = { https_proxy: "http://p:1", NO_PROXY: "a.example" };
  assert.equal((await plan(routed)).env["NO_PROXY"], "a.example,127.0.0.1");
});

Deno.test("planWrap makes places absolute for a proxy that starts elsewhere", async () => {
  const { wish } = await plan({
    SVC_WORKSPACE_DIR: "ws",
    SVC_CONFIG_DIR: "/c",
  });
  assert.deepEqual(wish.variables, { SVC_WORKSPACE_DIR: "/work/my shop/ws" });
});

Deno.test("planWrap takes the large model of SVC_1M_MODEL", async () => {
  const model = async (large: boolean) =>
    (await plan({ SVC_1M_MODEL: "opus" }, { large })).env["ANTHROPIC_MODEL"];
  assert.deepEqual([await model(true), await model(false)], [
    "opus[1m]",
    undefined,
  ]);
});

Deno.test("planWrap lets a setting win over the agent's own default upstream", async () => {
  const chat = async (env: Record<string, string>) => {
    const { wish, adopted } = await plan(env, { agent: WRAP_VIBE });
    return [wish.config.upstreams.chat, adopted.length];
  };
  assert.deepEqual(await chat({}), ["https://api.mistral.ai", 1]);
  const given = { CHAT_TARGET_API_URL: "https://gw.example" };
  assert.deepEqual(await chat(given), ["https://gw.example", 0]);
});

Deno.test("planWrap refuses two addresses of an agent for one upstream", async () => {
  const env = {
    OPENAI_API_BASE: "https://a.example/v1",
    OPENAI_BASE_URL: "https://b.example/v1",
  };
  await assert.rejects(
    plan(env, { agent: WRAP_AIDER }),
    /OPENAI_API_BASE in the environment is https:\/\/a\.example, OPENAI_BASE_URL/,
  );
});

Deno.test("planWrap refuses a port that nobody can know", async () => {
  await assert.rejects(plan({ SVC_PORT: "0" }), /give one with --port/);
});
