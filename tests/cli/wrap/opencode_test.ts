import assert from "node:assert/strict";
import { WRAP_OPENCODE, WRAP_VIBE } from "../../../src/cli/wrap/opencode.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const VARIABLE = "OPENCODE_CONFIG_CONTENT";
const FILE = ".config/opencode/opencode.jsonc";
const baseURL = `${BASE}/v1`;

async function point(circumstances?: Circumstances) {
  const pointing = await pointed(WRAP_OPENCODE, circumstances);
  return { ...pointing, content: JSON.parse(pointing.variables[VARIABLE]!) };
}

Deno.test("WRAP_OPENCODE points both providers by its configuration variable", async () => {
  const { content, addresses, args } = await point();
  assert.deepEqual(content, {
    provider: {
      anthropic: { options: { baseURL } },
      openai: { options: { baseURL } },
    },
  });
  assert.deepEqual([addresses, args], [[], []]);
});

Deno.test("WRAP_OPENCODE keeps what the variable says already, as a secret", async () => {
  const before = {
    model: "x",
    provider: { openai: { options: { apiKey: "k" } } },
  };
  const { content, secrets } = await point({
    env: { [VARIABLE]: JSON.stringify(before) },
  });
  assert.equal(content.model, "x");
  assert.deepEqual(content.provider.openai.options, { apiKey: "k", baseURL });
  assert.deepEqual(secrets, [VARIABLE]);
});

Deno.test("WRAP_OPENCODE makes addresses of the user upstreams, those of the project first", async () => {
  const text = (host: string) =>
    `{ // mine\n"provider":{"anthropic":{"options":{"baseURL":"https://${host}/v1"}}}}`;
  const { addresses } = await point({
    files: {
      [FILE]: text("a.example"),
      "shop/opencode.json": text("b.example"),
    },
  });
  assert.deepEqual(addresses, [{
    upstream: "messages",
    url: "https://b.example",
    from: "provider.anthropic.options.baseURL in ~/shop/opencode.json",
  }]);
  const kept = await point({
    files: { [FILE]: text("a.example") },
    kept: [FILE],
  });
  assert.deepEqual(kept.addresses, []);
});

Deno.test("WRAP_OPENCODE names the providers that do not go through the proxy", async () => {
  const files = { [FILE]: '{"provider":{"ollama":{},"openai":{}}}' };
  const { notes } = await point({ files });
  assert.match(notes![0]!, /^Requests to ollama do not go through the proxy/);
});

Deno.test("WRAP_OPENCODE refuses a variable that is no configuration", async () => {
  await assert.rejects(
    point({ env: { [VARIABLE]: "{" } }),
    /Cannot add the proxy to OPENCODE_CONFIG_CONTENT: it is not valid JSON/,
  );
});

const VIBE_VARIABLE = "VIBE_PROVIDERS";
const MISTRAL = {
  name: "mistral",
  api_key_env_var: "MISTRAL_API_KEY",
  backend: "mistral",
  api_base: `${BASE}/v1`,
};

async function vibePoint(circumstances?: Circumstances) {
  const pointing = await pointed(WRAP_VIBE, circumstances);
  const providers = JSON.parse(pointing.variables[VIBE_VARIABLE]!);
  return { ...pointing, providers };
}

Deno.test("WRAP_VIBE points its default provider by a variable, with its own upstream", async () => {
  const { providers, addresses } = await vibePoint();
  assert.deepEqual(providers, [MISTRAL]);
  assert.deepEqual(addresses, [{
    upstream: "chat",
    url: "https://api.mistral.ai",
    from: "Vibe",
    isDefault: true,
  }]);
});

Deno.test("WRAP_VIBE keeps what is set, and makes its address the upstream", async () => {
  const other = { name: "local", api_base: "http://127.0.0.1:1/v1" };
  const mine = {
    name: "mistral",
    api_base: "https://gw.example/v1",
    region: "eu",
  };
  const { providers, addresses } = await vibePoint({
    env: { [VIBE_VARIABLE]: JSON.stringify([other, mine]) },
  });
  assert.deepEqual(providers, [other, { ...MISTRAL, region: "eu" }]);
  assert.equal(addresses[0]?.url, "https://gw.example");
  const text =
    '[[providers]]\nname = "mistral"\napi_base = "https://file.example/v1"\n';
  const found = await vibePoint({ files: { ".vibe/config.toml": text } });
  assert.deepEqual(found.addresses, [{
    upstream: "chat",
    url: "https://file.example",
    from: "providers.mistral.api_base in ~/.vibe/config.toml",
  }]);
});

Deno.test("WRAP_VIBE refuses a variable that is no list", async () => {
  const env = { [VIBE_VARIABLE]: "{}" };
  await assert.rejects(
    vibePoint({ env }),
    /VIBE_PROVIDERS: it is not a JSON array/,
  );
});
