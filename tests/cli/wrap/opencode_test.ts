import assert from "node:assert/strict";
import { WRAP_OPENCODE } from "../../../src/cli/wrap/opencode.ts";
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
