import assert from "node:assert/strict";
import { WRAP_CONTINUE } from "../../../src/cli/wrap/continue.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const FILE = ".continue/config.yaml";
const point = (text: string | undefined, more: Circumstances = {}) =>
  pointed(WRAP_CONTINUE, {
    ...more,
    files: text === undefined ? {} : { [FILE]: text },
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
  const { scratch, notes, addresses } = await point(TEXT);
  assert.equal(
    scratch?.text,
    TEXT.replace("apiKey: k\n", `apiKey: k\n    apiBase: ${BASE}/v1/\n`),
  );
  assert.equal(scratch?.option, "--config");
  assert.equal(scratch?.from, `~/${FILE}`);
  assert.deepEqual(scratch?.changes, [`apiBase of Sonnet: ${BASE}/v1/`]);
  assert.deepEqual(notes, ["Requests to Local do not go through the proxy"]);
  assert.deepEqual(addresses, []);
});

Deno.test("WRAP_CONTINUE makes an address the upstream where no model of the provider does without one", async () => {
  const own = TEXT.replace("apiKey: k", "apiBase: https://gw.example/v1/");
  assert.equal((await point(own)).addresses[0]?.url, "https://gw.example");
  const mixed = `${own}  - name: Opus\n    provider: anthropic\n`;
  const { addresses, notes, scratch } = await point(mixed);
  assert.deepEqual(addresses, []);
  assert.match(notes![0]!, /^Requests to Sonnet, Local do not/);
  assert.equal(scratch?.changes.length, 1);
});

Deno.test("WRAP_CONTINUE refuses what it cannot point, and leaves it", async () => {
  const cases: [string | undefined, RegExp, string[]?][] = [
    [undefined, /there is no ~\/\.continue\/config\.yaml/],
    ["models: [", /config\.yaml:1 of Continue: it is not valid YAML/],
    ["models: []", /no model in .* has provider anthropic or openai/],
    [TEXT, /your arguments have --config already/, ["--config", "x"]],
  ];
  for (const [text, said, args = []] of cases) {
    await assert.rejects(point(text, { args }), said);
  }
});
