import assert from "node:assert/strict";
import { WRAP_VIBE } from "../../../src/cli/wrap/vibe.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const VARIABLE = "VIBE_PROVIDERS";
const MISTRAL = {
  name: "mistral",
  api_key_env_var: "MISTRAL_API_KEY",
  backend: "mistral",
  api_base: `${BASE}/v1`,
};

async function point(circumstances?: Circumstances) {
  const pointing = await pointed(WRAP_VIBE, circumstances);
  const providers = JSON.parse(pointing.variables[VARIABLE]!);
  return { ...pointing, providers };
}

Deno.test("WRAP_VIBE points its default provider by a variable, with its own upstream", async () => {
  const { providers, addresses } = await point();
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
  const { providers, addresses } = await point({
    env: { [VARIABLE]: JSON.stringify([other, mine]) },
  });
  assert.deepEqual(providers, [other, { ...MISTRAL, region: "eu" }]);
  assert.equal(addresses[0]?.url, "https://gw.example");
  const text =
    '[[providers]]\nname = "mistral"\napi_base = "https://file.example/v1"\n';
  const found = await point({ files: { ".vibe/config.toml": text } });
  assert.deepEqual(found.addresses, [{
    upstream: "chat",
    url: "https://file.example",
    from: "providers.mistral.api_base in ~/.vibe/config.toml",
  }]);
});

Deno.test("WRAP_VIBE refuses a variable that is no list", async () => {
  const env = { [VARIABLE]: "{}" };
  await assert.rejects(
    point({ env }),
    /VIBE_PROVIDERS: it is not a JSON array/,
  );
});
