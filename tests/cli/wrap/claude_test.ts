import assert from "node:assert/strict";
import { WRAP_CLAUDE } from "../../../src/cli/wrap/claude.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const point = (circumstances?: Circumstances) =>
  pointed(WRAP_CLAUDE, circumstances);

const SETTINGS = ".claude/settings.json";
const elsewhere = JSON.stringify({
  env: { ANTHROPIC_BASE_URL: "https://gw.example/anthropic" },
});

Deno.test("WRAP_CLAUDE sets the address and the tool search, and nothing else", async () => {
  assert.deepEqual(await point(), {
    variables: { ANTHROPIC_BASE_URL: BASE, ENABLE_TOOL_SEARCH: "true" },
    args: [],
    addresses: [],
    upstreams: ["messages"],
  });
});

Deno.test("WRAP_CLAUDE leaves a tool search that the user has set", async () => {
  const { variables } = await point({ env: { ENABLE_TOOL_SEARCH: "auto:5" } });
  assert.deepEqual(variables, { ANTHROPIC_BASE_URL: BASE });
  const files = { [SETTINGS]: '{"env":{"ENABLE_TOOL_SEARCH":"false"}}' };
  assert.deepEqual((await point({ files })).variables, variables);
});

Deno.test("WRAP_CLAUDE makes an address of the environment the upstream", async () => {
  const { addresses, args } = await point({
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
    const { addresses, args } = await point({ files: { [file]: elsewhere } });
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
  assert.equal((await point({ files })).addresses.length, 1);
  const kept = await point({ files, kept: [SETTINGS] });
  assert.deepEqual(kept.addresses, []);
  assert.equal(kept.args[0], "--settings");
});

Deno.test("WRAP_CLAUDE refuses what it cannot overrule, and services that svc does not serve", async () => {
  await assert.rejects(
    point({
      files: { [SETTINGS]: elsewhere },
      args: ["--settings", "mine.json"],
    }),
    /Cannot overrule ANTHROPIC_BASE_URL in ~\/.claude\/settings.json: your/,
  );
  await assert.rejects(
    point({ env: { CLAUDE_CODE_USE_BEDROCK: "1" } }),
    /CLAUDE_CODE_USE_BEDROCK in the environment selects Bedrock/,
  );
});

Deno.test("WRAP_CLAUDE leaves a settings file that cannot be parsed, and says so", async () => {
  const { variables, notes } = await point({
    files: { [SETTINGS]: '{"env":' },
  });
  assert.equal(variables["ANTHROPIC_BASE_URL"], BASE);
  assert.match(notes![0]!, /settings\.json cannot be read .* left as it is/);
});

Deno.test("WRAP_CLAUDE sets a model with a large context where no argument names one", async () => {
  const model = async (circumstances: Circumstances) =>
    (await point({ largeModel: "sonnet", ...circumstances }))
      .variables["ANTHROPIC_MODEL"];
  assert.equal(await model({}), "sonnet[1m]");
  assert.equal(await model({ largeModel: "opus[1m]" }), "opus[1m]");
  assert.equal(await model({ env: { ANTHROPIC_MODEL: "opus" } }), "opus[1m]");
  assert.equal(await model({ args: ["--model", "haiku"] }), undefined);
  const files = { [SETTINGS]: '{"env":{"ANTHROPIC_MODEL":"opus"}}' };
  const { args } = await point({ largeModel: "sonnet", files });
  assert.deepEqual(args, [
    "--settings",
    '{"env":{"ANTHROPIC_MODEL":"opus[1m]"}}',
  ]);
});
