import assert from "node:assert/strict";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const CONFIG = ".codex/config.toml";
const point = (circumstances?: Circumstances) =>
  pointed(WRAP_CODEX, circumstances);
const own = (login: string) => [
  ...["-c", "model_provider=svc", "-c"],
  `model_providers.svc={name="svc",base_url="${BASE}/v1",wire_api="responses",${login}}`,
];
const CORP = [
  'model_provider = "corp"',
  "[model_providers.corp]",
  'base_url = "https://gw.example/llm/v1"',
].join("\n");

Deno.test("WRAP_CODEX defines a provider by arguments, with the login or the key that is there", async () => {
  const login = "requires_openai_auth=true";
  assert.deepEqual(await point(), {
    variables: {},
    args: own(login),
    addresses: [],
  });
  const env = { OPENAI_API_KEY: "k" };
  assert.deepEqual(
    (await point({ env })).args,
    own('env_key="OPENAI_API_KEY"'),
  );
  const files = { ".codex/auth.json": "{}" };
  assert.deepEqual((await point({ env, files })).args, own(login));
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
  assert.equal(back.args[1], "model_provider=svc");
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
