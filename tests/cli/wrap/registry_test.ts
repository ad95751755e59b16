import assert from "node:assert/strict";
import { userAddresses, type WrapAgent } from "../../../src/cli/wrap/agent.ts";
import {
  WRAP_AIDER,
  WRAP_COPILOT,
  WRAP_CORTEX,
  WRAP_CURSOR,
  WRAP_GEMINI,
  WRAP_GOOSE,
  WRAP_OPENHANDS,
} from "../../../src/cli/wrap/registry.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";
import {
  WRAP_CLINE,
  WRAP_CONTINUE,
  WRAP_OPENCLAW,
} from "../../../src/cli/wrap/by_file.ts";

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

const FILE = ".gemini/settings.json";
const login = (type: string) =>
  JSON.stringify({ security: { auth: { selectedType: type } } });
const point = (circumstances?: Circumstances) =>
  pointed(WRAP_GEMINI, circumstances);

Deno.test("WRAP_GEMINI sets the address, and says what it does not do", async () => {
  const files = { [FILE]: login("gemini-api-key") };
  const { variables, notes } = await point({ files });
  assert.deepEqual(variables, { GOOGLE_GEMINI_BASE_URL: BASE });
  assert.deepEqual(notes, [
    "Gemini's requests are forwarded and counted, not compressed",
  ]);
  assert.match((await point()).notes![1]!, /no login selected/);
});

Deno.test("WRAP_GEMINI refuses a login whose service svc does not serve, that of the project first", async () => {
  const files = {
    [FILE]: login("gemini-api-key"),
    [`shop/${FILE}`]: login("oauth-personal"),
  };
  await assert.rejects(
    point({ files }),
    /~\/shop\/\.gemini\/settings\.json selects the login oauth-personal/,
  );
});

Deno.test("WRAP_GEMINI refuses another address than Google's", async () => {
  const set = (GOOGLE_GEMINI_BASE_URL: string) =>
    point({ env: { GOOGLE_GEMINI_BASE_URL } });
  await assert.rejects(set("https://gw.example/key"), /to Google only/);
  assert.deepEqual((await set(BASE)).args, []);
});

const CLINE_FILE = ".cline/data/settings/providers.json";

/** Cline's file with one provider. */
function providers(name: string, baseUrl?: string): Record<string, string> {
  const settings = { provider: name, apiKey: "k", baseUrl };
  return {
    [CLINE_FILE]: JSON.stringify({
      lastUsedProvider: name,
      providers: { [name]: { settings } },
    }),
  };
}

const clinePoint = (circumstances: Circumstances) =>
  pointed(WRAP_CLINE, circumstances);

Deno.test("WRAP_CLINE edits its file, and makes an address in it the upstream", async () => {
  const plain = await clinePoint({ files: providers("anthropic") });
  assert.equal(plain.edit?.id, "cline");
  assert.deepEqual([plain.addresses, plain.variables], [[], {}]);
  const files = providers("openai-compatible", "https://gw.example/v1");
  assert.deepEqual((await clinePoint({ files })).addresses, [{
    upstream: "chat",
    url: "https://gw.example",
    from: `providers.openai-compatible.settings.baseUrl in ~/${CLINE_FILE}`,
  }]);
  assert.deepEqual(
    (await clinePoint({ files, kept: [CLINE_FILE] })).addresses,
    [],
  );
});

Deno.test("WRAP_CLINE refuses a provider that svc does not serve, a file that is not there, and one that cannot be parsed", async () => {
  const cases: [Circumstances, RegExp][] = [
    [{ files: providers("cline") }, /its provider is cline, and svc serves/],
    [{}, /its provider is not set/],
    [
      { files: { [CLINE_FILE]: "{" } },
      /providers\.json:1 of Cline: it is not valid/,
    ],
    [
      { files: providers("anthropic"), args: ["-P", "gemini"] },
      /its provider is gemini/,
    ],
  ];
  for (const [circumstances, said] of cases) {
    await assert.rejects(async () => await clinePoint(circumstances), said);
  }
});

Deno.test("WRAP_OPENCLAW edits both providers in the form that each has", async () => {
  const { edit, addresses } = await pointed(WRAP_OPENCLAW, {
    files: {
      ".openclaw/openclaw.json":
        '{ // mine\n"models":{"providers":{"openai":{"baseUrl":"https://gw.example/v1","models":[]}}}}',
    },
  });
  assert.equal(edit?.id, "openclaw");
  assert.deepEqual(addresses.map(({ url }) => url), ["https://gw.example"]);
  await assert.rejects(
    pointed(WRAP_OPENCLAW, { files: { ".openclaw/openclaw.json": "{a:'b'}" } }),
    /openclaw\.json:1 of OpenClaw: it is not valid JSON/,
  );
  assert.ok(BASE);
});

const CONTINUE_FILE = ".continue/config.yaml";
const continuePoint = (text: string | undefined, more: Circumstances = {}) =>
  pointed(WRAP_CONTINUE, {
    ...more,
    files: text === undefined ? {} : { [CONTINUE_FILE]: text },
  });

const TEXT = [
  "name: Mine",
  "models:",
  "  - name: Sonnet # the good one",
  "    provider: anthropic",
  "    apiKey: k",
  "  - name: Local",
  "    provider: ollama",
  "",
].join("\n");

Deno.test("WRAP_CONTINUE gives the agent a copy of its file in which its models lead to the proxy", async () => {
  const { scratch, notes, addresses } = await continuePoint(TEXT);
  assert.equal(
    scratch?.text,
    TEXT.replace("apiKey: k\n", `apiKey: k\n    apiBase: ${BASE}/v1/\n`),
  );
  assert.equal(scratch?.option, "--config");
  assert.equal(scratch?.from, `~/${CONTINUE_FILE}`);
  assert.deepEqual(scratch?.changes, [`apiBase of Sonnet: ${BASE}/v1/`]);
  assert.deepEqual(notes, ["Requests to Local do not go through the proxy"]);
  assert.deepEqual(addresses, []);
});

Deno.test("WRAP_CONTINUE makes an address the upstream where no model of the provider does without one", async () => {
  const own = TEXT.replace("apiKey: k", "apiBase: https://gw.example/v1/");
  assert.equal(
    (await continuePoint(own)).addresses[0]?.url,
    "https://gw.example",
  );
  const mixed = `${own}  - name: Opus\n    provider: anthropic\n`;
  const { addresses, notes, scratch } = await continuePoint(mixed);
  assert.deepEqual(addresses, []);
  assert.match(notes![0]!, /^Requests to Sonnet, Local do not/);
  assert.equal(scratch?.changes.length, 1);
});

Deno.test("WRAP_CONTINUE refuses what it cannot continuePoint, and leaves it", async () => {
  const cases: [string | undefined, RegExp, string[]?][] = [
    [undefined, /there is no ~\/\.continue\/config\.yaml/],
    ["models: [", /config\.yaml:1 of Continue: it is not valid YAML/],
    ["models: []", /no model in .* has provider anthropic or openai/],
    [TEXT, /your arguments have --config already/, ["--config", "x"]],
  ];
  for (const [text, said, args = []] of cases) {
    await assert.rejects(continuePoint(text, { args }), said);
  }
});
