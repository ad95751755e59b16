import assert from "node:assert/strict";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const CONFIG = ".codex/config.toml";
const point = (circumstances?: Circumstances) =>
  pointed(WRAP_CODEX, circumstances);
const ADDRESS = ["-c", `openai_base_url="${BASE}/v1"`];
const CORP = [
  'model_provider = "corp"',
  "[model_providers.corp]",
  'base_url = "https://gw.example/llm/v1"',
].join("\n");

Deno.test("WRAP_CODEX gives its own provider another address, so that conversations stay visible", async () => {
  assert.deepEqual(await point(), {
    variables: {},
    args: ADDRESS,
    addresses: [],
  });
});

Deno.test("WRAP_CODEX defines a provider where there is a key and no login", async () => {
  const env = { OPENAI_API_KEY: "k" };
  const { args } = await point({ env });
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
    assert.deepEqual((await point(login)).args, ADDRESS);
  }
});

Deno.test("WRAP_CODEX gives the user's provider another address, and its own becomes the upstream", async () => {
  const { args, addresses } = await point({ files: { [CONFIG]: CORP } });
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
    const { args: set } = await point({ files: { [CONFIG]: text }, args });
    assert.match(set[1]!, /^model_providers\.corp\.base_url=/);
  }
  const back = await point({
    files: { [CONFIG]: CORP },
    args: ["-c", "model_provider=openai"],
  });
  assert.deepEqual(back.args, ADDRESS);
});

Deno.test("WRAP_CODEX makes another address of the default provider the upstream", async () => {
  const files = { [CONFIG]: 'openai_base_url = "https://gw.example/v1"' };
  assert.equal(
    (await point({ files })).addresses[0]?.url,
    "https://gw.example",
  );
  const env = { OPENAI_BASE_URL: "https://gw.example/v1/" };
  assert.equal((await point({ env })).addresses[0]?.url, "https://gw.example");
});

Deno.test("WRAP_CODEX refuses a provider without an address, and a file that cannot be parsed", async () => {
  await assert.rejects(
    point({ files: { [CONFIG]: 'model_provider = "bedrock"' } }),
    /it uses the provider "bedrock", which has no base_url in ~/,
  );
  await assert.rejects(
    point({ files: { [CONFIG]: "model = " } }),
    /config\.toml:1 of Codex: .*not valid TOML.*Codex cannot read it either/,
  );
});
