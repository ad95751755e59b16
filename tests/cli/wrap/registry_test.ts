import assert from "node:assert/strict";
import { userAddresses } from "../../../src/cli/wrap/agent.ts";
import { WRAPPED } from "../../../src/cli/wrap/registry.ts";
import type { KnownId } from "../../../src/cli/agents/agent.ts";
import golden from "../../golden/wrap/pointings.json" with { type: "json" };
import { CliFailure } from "../../../src/cli/failure.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const USER_ADDRESS_BASE = "http://127.0.0.1:8787/p/shop";
const found = (text: string | undefined, form: "root" | "v1" = "root") =>
  userAddresses(USER_ADDRESS_BASE, [{
    text,
    from: "X in y",
    upstream: "chat",
    form,
  }]);

Deno.test("userAddresses has none for what is not set and for the proxy itself", () => {
  for (
    const text of [
      undefined,
      "",
      " ",
      USER_ADDRESS_BASE,
      "http://localhost:8787",
    ]
  ) {
    assert.deepEqual(found(text), []);
  }
});

Deno.test("userAddresses takes off what clients append", () => {
  assert.equal(found("https://gw.example/a/")[0]?.url, "https://gw.example/a");
  assert.equal(
    found("https://gw.example/a/v1/", "v1")[0]?.url,
    "https://gw.example/a",
  );
  assert.equal(
    found("http://127.0.0.1:4000/v1", "v1")[0]?.url,
    "http://127.0.0.1:4000",
  );
});

Deno.test("userAddresses refuses what cannot be an upstream, without secrets in what it says", () => {
  const cases: [string, RegExp, ("root" | "v1")?][] = [
    [
      "gw.example",
      /^Cannot replace X in y: it is no http or https URL \(10 characters that begin with "gw\.e"\)\. Take it out for this run$/,
    ],
    ["me:key@gw.example", /\(17 characters that begin with "me:k"\)/],
    ["http://h:pwkey", /no http or https URL \(14 characters/],
    ["none", /no http or https URL \("none"\)/],
    ["https://gw.example/?a=key", /a query in it cannot .* \(https:\/\/gw/],
    [
      "https://me:key@gw.example",
      /a user name in it cannot be kept \(https:\/\/gw\.example\)/,
    ],
    [
      "https://gw.example/key/v4",
      /does not end in \/v1.*\(https:\/\/gw\.example\)/,
      "v1",
    ],
  ];
  for (const [text, said, form] of cases) {
    assert.throws(() => found(text, form), (error: Error) => {
      assert.match(error.message, said);
      assert.doesNotMatch(error.message, /key/);
      return true;
    });
  }
});

const env = (env: Readonly<Record<string, string>>): Circumstances => ({ env });
const file = (name: string, text: string, more: Circumstances = {}) => ({
  ...more,
  files: { [name]: text, ...more.files },
});

const SETTINGS = ".claude/settings.json";
const settings = (
  env: Readonly<Record<string, string>>,
  more: Circumstances = {},
) => file(SETTINGS, JSON.stringify({ env }), more);
const elsewhere = { ANTHROPIC_BASE_URL: "https://gw.example/anthropic" };
const FOUNDRY = {
  CLAUDE_CODE_USE_FOUNDRY: "1",
  ANTHROPIC_FOUNDRY_RESOURCE: "me",
};
const earlier = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9000" };

const CONFIG = ".codex/config.toml";
const KEY = { OPENAI_API_KEY: "k" };
const PROVIDERS =
  '[model_providers.corp]\nbase_url = "https://gw.example/llm/v1"\n';
const CORP = `model_provider = "corp"\n${PROVIDERS}`;
const PROFILE = `${PROVIDERS}[profiles.work]\nmodel_provider = "corp"\n`;

const CONTENT = "OPENCODE_CONFIG_CONTENT";
const OPENCODE_FILE = ".config/opencode/opencode.jsonc";
const opencode = (host: string) =>
  `{ // mine\n"provider":{"anthropic":{"options":{"baseURL":"https://${host}/v1"}}}}`;
const MISTRAL = { name: "mistral", api_base: "https://gw.example/v1" };
const LOCAL = { name: "local", api_base: "http://127.0.0.1:1/v1" };

const GEMINI_FILE = ".gemini/settings.json";
const login = (selectedType: string) =>
  JSON.stringify({ security: { auth: { selectedType } } });
const gemini = (GOOGLE_GEMINI_BASE_URL: string) =>
  env({ GOOGLE_GEMINI_BASE_URL });
const CLINE_FILE = ".cline/data/settings/providers.json";
const cline = (name: string, more: Circumstances = {}, baseUrl?: string) => {
  const settings = { provider: name, apiKey: "k", baseUrl };
  const providers = { [name]: { settings } };
  const text = JSON.stringify({ lastUsedProvider: name, providers });
  return file(CLINE_FILE, text, more);
};
const GATEWAY = "https://gw.example/v1";
const OPENCLAW_FILE = ".openclaw/openclaw.json";
const CONTINUE_FILE = ".continue/config.yaml";
const TEXT =
  "name: Mine\nmodels:\n  - name: Sonnet # the good one\n    provider: anthropic\n    apiKey: k\n  - name: Local\n    provider: ollama\n";
const OWN = TEXT.replace("apiKey: k", `apiBase: ${GATEWAY}/`);

/** Agents in some circumstances, in words; what they are given there is in the golden file. */
const CASES: Readonly<
  Record<KnownId, Readonly<Record<string, Circumstances>>>
> = {
  claude: {
    "the address, and nothing else": {},
    "Vertex by its own variable": env({
      CLAUDE_CODE_USE_VERTEX: "1",
      ANTHROPIC_VERTEX_BASE_URL: "https://vertex.example/v1",
    }),
    "Foundry with the path of its address": env({
      CLAUDE_CODE_USE_FOUNDRY: "true",
      ANTHROPIC_FOUNDRY_BASE_URL: "https://me.example/models/anthropic/",
    }),
    "Foundry by a resource, which is taken away": env(FOUNDRY),
    "Foundry by a resource in a file": settings(FOUNDRY),
    "no Foundry": env({ CLAUDE_CODE_USE_FOUNDRY: "0" }),
    "an address of the environment": env(elsewhere),
    "another upstream": env({ MSG_TARGET_API_URL: "https://gw.a/" }),
    "no deferral": env({ SVC_TOOL_DEFERRAL: "off" }),
    "a tool search of the user": env({
      ENABLE_TOOL_SEARCH: "auto:5",
      SVC_TOOL_DEFERRAL: "off",
    }),
    "a tool search in a file": settings({ ENABLE_TOOL_SEARCH: "false" }, {
      env: { SVC_TOOL_DEFERRAL: "off" },
    }),
    "an address in the user's file": settings(elsewhere),
    "an address in the project's file": file(
      "shop/.claude/settings.json",
      JSON.stringify({ env: elsewhere }),
    ),
    "an address in the local file": file(
      "shop/.claude/settings.local.json",
      JSON.stringify({ env: elsewhere }),
    ),
    "an address that leads to another port": settings(earlier),
    "an address that svc wrote": settings(earlier, { kept: [SETTINGS] }),
    "settings among the arguments": settings(elsewhere, {
      args: ["--settings", "mine.json"],
    }),
    "Bedrock": env({ CLAUDE_CODE_USE_BEDROCK: "1" }),
    "a file that cannot be parsed": file(SETTINGS, '{"env":'),
    "a large model": { largeModel: "sonnet" },
    "a large model, named so": { largeModel: "opus[1m]" },
    "a large model of the environment": {
      largeModel: "sonnet",
      env: { ANTHROPIC_MODEL: "opus" },
    },
    "a large model of a file": settings({ ANTHROPIC_MODEL: "opus" }, {
      largeModel: "sonnet",
    }),
    "a model among the arguments": {
      largeModel: "sonnet",
      args: ["--model", "haiku"],
    },
  },
  codex: {
    "another address for its own provider": {},
    "a provider where there is a key and no login": env(KEY),
    "a login": file(".codex/auth.json", "{}", { env: KEY }),
    "a login in a keyring": file(
      CONFIG,
      'cli_auth_credentials_store = "keyring"',
      { env: KEY },
    ),
    "its own key": env({ ...KEY, CODEX_API_KEY: "k" }),
    "a provider of the user": file(CONFIG, CORP),
    "a provider whose name needs quotes": file(
      CONFIG,
      `model_provider = "c p"
[model_providers."c p"]
base_url = "${GATEWAY}"
`,
    ),
    "a provider of an argument": file(CONFIG, PROVIDERS, {
      args: ["-c", 'model_provider="corp"'],
    }),
    "a profile of an argument": file(CONFIG, PROFILE, {
      args: ["--profile", "work"],
    }),
    "a profile of the file": file(CONFIG, `profile = "work"\n${PROFILE}`),
    "its own provider by an argument": file(CONFIG, CORP, {
      args: ["-c", "model_provider=openai"],
    }),
    "an address in the file": file(
      CONFIG,
      'openai_base_url = "https://gw.example/v1"',
    ),
    "an address of the environment": env({
      OPENAI_BASE_URL: "https://gw.example/v1/",
    }),
    "a provider without an address": file(CONFIG, 'model_provider = "bedrock"'),
    "a file that cannot be parsed": file(CONFIG, "model = "),
  },
  opencode: {
    "both providers by its variable": {},
    "what the variable says already": env({
      [CONTENT]:
        '{"model":"x","provider":{"openai":{"options":{"apiKey":"k"}}}}',
    }),
    "addresses, those of the project first": file(
      OPENCODE_FILE,
      opencode("a.example"),
      {
        files: { "shop/opencode.json": opencode("b.example") },
      },
    ),
    "an address that svc wrote": file(OPENCODE_FILE, opencode("a.example"), {
      kept: [OPENCODE_FILE],
    }),
    "other providers": file(
      OPENCODE_FILE,
      '{"provider":{"ollama":{},"openai":{}}}',
    ),
    "a variable that is no configuration": env({ [CONTENT]: "{" }),
  },
  gemini: {
    "a login by key": file(GEMINI_FILE, login("gemini-api-key")),
    "no login": {},
    "another login of the project": file(GEMINI_FILE, login("gemini-api-key"), {
      files: { [`shop/${GEMINI_FILE}`]: login("oauth-personal") },
    }),
    "another address": gemini("https://gw.example/key"),
    "the address of the proxy": gemini(BASE),
  },
  copilot: {
    "a key of Anthropic": env({
      ANTHROPIC_API_KEY: "k",
      COPILOT_MODEL: "claude-sonnet-4-5",
    }),
    "a provider of the user, without a model": env({
      COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:11434/v1",
      COPILOT_PROVIDER_BEARER_TOKEN: "t",
      ...KEY,
    }),
    "nothing of one's own": {},
    "another provider": env({ COPILOT_PROVIDER_TYPE: "azure" }),
  },
  aider: {
    "its variables": {},
    "addresses of the user": env({
      OPENAI_API_BASE: "https://gw.example/openai/v1",
      ANTHROPIC_API_BASE: "https://gw.example/anthropic",
    }),
  },
  goose: {
    "its variables": {},
  },
  cline: {
    "an edit of its file": cline("anthropic"),
    "an address in its file": cline("openai-compatible", {}, GATEWAY),
    "an address that svc wrote": cline("openai-compatible", {
      kept: [CLINE_FILE],
    }, GATEWAY),
    "a provider that svc does not serve": cline("cline"),
    "no file": {},
    "a file that cannot be parsed": file(CLINE_FILE, "{"),
    "a provider of an argument": cline("anthropic", { args: ["-P", "gemini"] }),
  },
  continue: {
    "a copy of its file": file(CONTINUE_FILE, TEXT),
    "an address that all its models have": file(CONTINUE_FILE, OWN),
    "an address that not all have": file(
      CONTINUE_FILE,
      `${OWN}  - name: Opus\n    provider: anthropic\n`,
    ),
    "no file": {},
    "a file that cannot be parsed": file(CONTINUE_FILE, "models: ["),
    "no models": file(CONTINUE_FILE, "models: []"),
    "a file among the arguments": file(CONTINUE_FILE, TEXT, {
      args: ["--config", "x"],
    }),
  },
  cursor: {
    "nothing": {},
  },
  openhands: {
    "a model of Claude": env({ LLM_MODEL: "anthropic/claude-x" }),
    "another model, and its flag": {
      env: { LLM_MODEL: "openai/gpt-5" },
      args: ["--override-with-envs"],
    },
    "no model": {},
  },
  openclaw: {
    "both providers, each in its form": file(
      OPENCLAW_FILE,
      `{ // mine\n"models":{"providers":{"openai":{"baseUrl":"${GATEWAY}","models":[]}}}}`,
    ),
    "a file that cannot be parsed": file(OPENCLAW_FILE, "{a:'b'}"),
  },
  vibe: {
    "its default provider, with its own upstream": {},
    "what the variable says already": env({
      VIBE_PROVIDERS: JSON.stringify([LOCAL, { ...MISTRAL, region: "eu" }]),
    }),
    "an address in its file": file(
      ".vibe/config.toml",
      '[[providers]]\nname = "mistral"\napi_base = "https://file.example/v1"\n',
    ),
    "a variable that is no list": env({ VIBE_PROVIDERS: "{}" }),
  },
  cortex: {
    "its variable": {},
  },
};

/** What an agent is given, or why nothing. */
async function givenTo(
  id: string,
  circumstances: Circumstances,
): Promise<unknown> {
  const agent = WRAPPED.find((agent) => agent.id === id)!;
  try {
    return await pointed(agent, circumstances);
  } catch (error) {
    assert.ok(error instanceof CliFailure, String(error));
    return error.message;
  }
}

for (const [id, cases] of Object.entries(CASES)) {
  Deno.test(`WRAPPED give ${id} what the golden file has, in all circumstances`, async () => {
    const all: Readonly<Record<string, unknown>> = golden;
    const given: Record<string, unknown> = {};
    for (const [says, circumstances] of Object.entries(cases)) {
      given[says] = await givenTo(id, circumstances);
    }
    assert.deepEqual(given, all[id]);
  });
}
