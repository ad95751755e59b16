import assert from "node:assert/strict";
import { WRAP_CLINE, WRAP_OPENCLAW } from "../../../src/cli/wrap/cline.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const FILE = ".cline/data/settings/providers.json";

/** Cline's file with one provider. */
function providers(name: string, baseUrl?: string): Record<string, string> {
  const settings = { provider: name, apiKey: "k", baseUrl };
  return {
    [FILE]: JSON.stringify({
      lastUsedProvider: name,
      providers: { [name]: { settings } },
    }),
  };
}

const point = (circumstances: Circumstances) =>
  pointed(WRAP_CLINE, circumstances);

Deno.test("WRAP_CLINE edits its file, and makes an address in it the upstream", async () => {
  const plain = await point({ files: providers("anthropic") });
  assert.equal(plain.edit?.id, "cline");
  assert.deepEqual([plain.addresses, plain.variables], [[], {}]);
  const files = providers("openai-compatible", "https://gw.example/v1");
  assert.deepEqual((await point({ files })).addresses, [{
    upstream: "chat",
    url: "https://gw.example",
    from: `providers.openai-compatible.settings.baseUrl in ~/${FILE}`,
  }]);
  assert.deepEqual((await point({ files, kept: [FILE] })).addresses, []);
});

Deno.test("WRAP_CLINE refuses a provider that svc does not serve, a file that is not there, and one that cannot be parsed", async () => {
  const cases: [Circumstances, RegExp][] = [
    [{ files: providers("cline") }, /its provider is cline, and svc serves/],
    [{}, /its provider is not set/],
    [{ files: { [FILE]: "{" } }, /providers\.json:1 of Cline: it is not valid/],
    [
      { files: providers("anthropic"), args: ["-P", "gemini"] },
      /its provider is gemini/,
    ],
  ];
  for (const [circumstances, said] of cases) {
    await assert.rejects(async () => await point(circumstances), said);
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
