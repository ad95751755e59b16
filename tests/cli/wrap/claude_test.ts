import assert from "node:assert/strict";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";

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

const claudePoint = (circumstances?: Circumstances) =>
  pointed(WRAP_CLAUDE, circumstances);

const SETTINGS = ".claude/settings.json";
const elsewhere = JSON.stringify({
  env: { ANTHROPIC_BASE_URL: "https://gw.example/anthropic" },
});

Deno.test("WRAP_CLAUDE sets the address, and nothing else", async () => {
  assert.deepEqual(await claudePoint(), {
    variables: { ANTHROPIC_BASE_URL: BASE },
    args: [],
    addresses: [],
    upstreams: ["messages"],
  });
});

Deno.test("WRAP_CLAUDE sets the tool search where the proxy defers no definitions", async () => {
  for (
    const env of [
      { ANTHROPIC_BASE_URL: "https://gw.example/" },
      { MSG_TARGET_API_URL: "https://gw.example/" },
      { SVC_TOOL_DEFERRAL: "off" },
    ]
  ) {
    const { variables } = await claudePoint({ env });
    assert.equal(variables["ENABLE_TOOL_SEARCH"], "true");
  }
});

Deno.test("WRAP_CLAUDE leaves a tool search that the user has set", async () => {
  const { variables } = await claudePoint({
    env: { ENABLE_TOOL_SEARCH: "auto:5", SVC_TOOL_DEFERRAL: "off" },
  });
  assert.deepEqual(variables, { ANTHROPIC_BASE_URL: BASE });
  const files = { [SETTINGS]: '{"env":{"ENABLE_TOOL_SEARCH":"false"}}' };
  assert.deepEqual((await claudePoint({ files })).variables, variables);
});

Deno.test("WRAP_CLAUDE makes an address of the environment the upstream", async () => {
  const { addresses, args } = await claudePoint({
    env: { ANTHROPIC_BASE_URL: "https://gw.example/" },
  });
  assert.deepEqual(addresses, [{
    upstream: "messages",
    url: "https://gw.example",
    from: "ANTHROPIC_BASE_URL in the environment",
  }]);
  assert.deepEqual(args, []);
});

Deno.test("WRAP_CLAUDE overrules an address of a settings file, which becomes the upstream", async () => {
  const local = "shop/.claude/settings.local.json";
  for (const file of [SETTINGS, "shop/.claude/settings.json", local]) {
    const { addresses, args } = await claudePoint({
      files: { [file]: elsewhere },
    });
    assert.deepEqual(addresses, [{
      upstream: "messages",
      url: "https://gw.example/anthropic",
      from: `ANTHROPIC_BASE_URL in ~/${file}`,
    }]);
    assert.deepEqual(args, [
      "--settings",
      JSON.stringify({ env: { ANTHROPIC_BASE_URL: BASE } }),
    ]);
  }
});

Deno.test("WRAP_CLAUDE takes an address that svc wrote for the proxy's, whatever its port", async () => {
  const files = {
    [SETTINGS]: '{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:9000"}}',
  };
  assert.equal((await claudePoint({ files })).addresses.length, 1);
  const kept = await claudePoint({ files, kept: [SETTINGS] });
  assert.deepEqual(kept.addresses, []);
  assert.equal(kept.args[0], "--settings");
});

Deno.test("WRAP_CLAUDE refuses what it cannot overrule, and services that svc does not serve", async () => {
  await assert.rejects(
    claudePoint({
      files: { [SETTINGS]: elsewhere },
      args: ["--settings", "mine.json"],
    }),
    /Cannot overrule ANTHROPIC_BASE_URL in ~\/.claude\/settings.json: your/,
  );
  await assert.rejects(
    claudePoint({ env: { CLAUDE_CODE_USE_BEDROCK: "1" } }),
    /CLAUDE_CODE_USE_BEDROCK in the environment selects Bedrock/,
  );
});

Deno.test("WRAP_CLAUDE leaves a settings file that cannot be parsed, and says so", async () => {
  const { variables, notes } = await claudePoint({
    files: { [SETTINGS]: '{"env":' },
  });
  assert.equal(variables["ANTHROPIC_BASE_URL"], BASE);
  assert.match(notes![0]!, /settings\.json cannot be read .* left as it is/);
});

Deno.test("WRAP_CLAUDE sets a model with a large context where no argument names one", async () => {
  const model = async (circumstances: Circumstances) =>
    (await claudePoint({ largeModel: "sonnet", ...circumstances }))
      .variables["ANTHROPIC_MODEL"];
  assert.equal(await model({}), "sonnet[1m]");
  assert.equal(await model({ largeModel: "opus[1m]" }), "opus[1m]");
  assert.equal(await model({ env: { ANTHROPIC_MODEL: "opus" } }), "opus[1m]");
  assert.equal(await model({ args: ["--model", "haiku"] }), undefined);
  const files = { [SETTINGS]: '{"env":{"ANTHROPIC_MODEL":"opus"}}' };
  const { args } = await claudePoint({ largeModel: "sonnet", files });
  assert.deepEqual(args, [
    "--settings",
    '{"env":{"ANTHROPIC_MODEL":"opus[1m]"}}',
  ]);
});

const CONFIG = ".codex/config.toml";
const codexPoint = (circumstances?: Circumstances) =>
  pointed(WRAP_CODEX, circumstances);
const ADDRESS = ["-c", `openai_base_url="${BASE}/v1"`];
const CORP = [
  'model_provider = "corp"',
  "[model_providers.corp]",
  'base_url = "https://gw.example/llm/v1"',
].join("\n");

Deno.test("WRAP_CODEX gives its own provider another address, so that conversations stay visible", async () => {
  assert.deepEqual(await codexPoint(), {
    variables: {},
    args: ADDRESS,
    addresses: [],
  });
});

Deno.test("WRAP_CODEX defines a provider where there is a key and no login", async () => {
  const env = { OPENAI_API_KEY: "k" };
  const { args } = await codexPoint({ env });
  assert.deepEqual(args, [
    ...["-c", "model_provider=svc", "-c"],
    `model_providers.svc={name="svc",base_url="${BASE}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
  ]);
  const logins: Circumstances[] = [
    { env, files: { ".codex/auth.json": "{}" } },
    { env, files: { [CONFIG]: 'cli_auth_credentials_store = "keyring"' } },
    { env: { ...env, CODEX_API_KEY: "k" } },
  ];
  for (const login of logins) {
    assert.deepEqual((await codexPoint(login)).args, ADDRESS);
  }
});

Deno.test("WRAP_CODEX gives the user's provider another address, and its own becomes the upstream", async () => {
  const { args, addresses } = await codexPoint({ files: { [CONFIG]: CORP } });
  assert.deepEqual(args, [
    "-c",
    `model_providers.corp.base_url="${BASE}/v1"`,
  ]);
  assert.deepEqual(addresses, [{
    upstream: "chat",
    url: "https://gw.example/llm",
    from: `model_providers.corp.base_url in ~/${CONFIG}`,
  }]);
});

Deno.test("WRAP_CODEX follows the provider of an argument or a profile", async () => {
  const providers = CORP.replace(/^.*\n/, "");
  const profile = `${providers}\n[profiles.work]\nmodel_provider = "corp"\n`;
  const cases: [string, string[]][] = [
    [providers, ["-c", 'model_provider="corp"']],
    [profile, ["--profile", "work"]],
    [`profile = "work"\n${profile}`, []],
  ];
  for (const [text, args] of cases) {
    const { args: set } = await codexPoint({ files: { [CONFIG]: text }, args });
    assert.match(set[1]!, /^model_providers\.corp\.base_url=/);
  }
  const back = await codexPoint({
    files: { [CONFIG]: CORP },
    args: ["-c", "model_provider=openai"],
  });
  assert.deepEqual(back.args, ADDRESS);
});

Deno.test("WRAP_CODEX makes another address of the default provider the upstream", async () => {
  const files = { [CONFIG]: 'openai_base_url = "https://gw.example/v1"' };
  assert.equal(
    (await codexPoint({ files })).addresses[0]?.url,
    "https://gw.example",
  );
  const env = { OPENAI_BASE_URL: "https://gw.example/v1/" };
  assert.equal(
    (await codexPoint({ env })).addresses[0]?.url,
    "https://gw.example",
  );
});

Deno.test("WRAP_CODEX refuses a provider without an address, and a file that cannot be parsed", async () => {
  await assert.rejects(
    codexPoint({ files: { [CONFIG]: 'model_provider = "bedrock"' } }),
    /it uses the provider "bedrock", which has no base_url in ~/,
  );
  await assert.rejects(
    codexPoint({ files: { [CONFIG]: "model = " } }),
    /config\.toml:1 of Codex: .*not valid TOML.*Codex cannot read it either/,
  );
});
