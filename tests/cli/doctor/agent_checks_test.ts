import assert from "node:assert/strict";
import {
  checkClaude,
  checkCodex,
  checkOpencode,
} from "../../../src/cli/doctor/agent_checks.ts";
import { foundIn, type WorldParts } from "./world.ts";

const USER = "/home/a/.claude/settings.json";
const settings = (env: object) => JSON.stringify({ env });
const check = async (parts: WorldParts) =>
  await checkClaude(await foundIn(parts));
const HERE = "http://127.0.0.1:8787";

Deno.test("checkClaude passes when the user's settings lead to the proxy", async () => {
  const env = { ANTHROPIC_BASE_URL: HERE, ENABLE_TOOL_SEARCH: "true" };
  const texts = { [USER]: settings(env) };
  const { status, summary } = await check({ texts });
  assert.equal(status, "pass");
  assert.match(
    summary,
    /\/home\/a\/\.claude\/settings\.json points to the proxy/,
  );
});

Deno.test("checkClaude believes the file that wins: local, project, user, then the shell", async () => {
  const texts: Record<string, string> = {};
  const from = async () => {
    const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
    return (await check({ texts: { "/home/a/.claude/x": "", ...texts }, env }))
      .details["from"];
  };
  assert.equal(await from(), "ANTHROPIC_BASE_URL in the shell");
  for (
    const path of [
      USER,
      "/project/.claude/settings.json",
      "/project/.claude/settings.local.json",
    ]
  ) {
    texts[path] = settings({ ANTHROPIC_BASE_URL: HERE });
    assert.equal(await from(), `ANTHROPIC_BASE_URL in ${path}`);
  }
});

Deno.test("checkClaude warns where nothing is set or it leads elsewhere, and says what to do", async () => {
  const nothing = await check({ texts: { [USER]: "{}" } });
  assert.equal(nothing.status, "warn");
  assert.match(nothing.hint ?? "", /ANTHROPIC_BASE_URL=http.*:8787 claude/);
  const past = settings({ ANTHROPIC_BASE_URL: "https://api.example" });
  assert.equal((await check({ texts: { [USER]: past } })).status, "warn");
});

Deno.test("checkClaude fails for a base URL with /v1, which Claude Code adds itself", async () => {
  const doubled = settings({ ANTHROPIC_BASE_URL: `${HERE}/v1/` });
  const { status, summary } = await check({ texts: { [USER]: doubled } });
  assert.equal(status, "fail");
  assert.match(summary, /ends in \/v1/);
  const vertex = settings({
    CLAUDE_CODE_USE_VERTEX: "1",
    ANTHROPIC_VERTEX_BASE_URL: `${HERE}/v1`,
  });
  assert.equal((await check({ texts: { [USER]: vertex } })).status, "pass");
});

Deno.test("checkClaude looks at the cloud that Claude Code uses", async () => {
  const texts = {
    [USER]: settings({ ANTHROPIC_BASE_URL: HERE, ENABLE_TOOL_SEARCH: "auto" }),
  };
  const vertex = await check({ texts, env: { CLAUDE_CODE_USE_VERTEX: "1" } });
  assert.match(vertex.summary, /ANTHROPIC_VERTEX_BASE_URL is not set/);
  const off = await check({ texts, env: { CLAUDE_CODE_USE_VERTEX: "0" } });
  assert.equal(off.status, "pass");
  const bedrock = await check({ texts, env: { CLAUDE_CODE_USE_BEDROCK: "1" } });
  assert.match(bedrock.summary, /Bedrock/);
});

Deno.test("checkClaude says where Claude Code searches for tools itself: svc defers none of its definitions then", async () => {
  const base = { ANTHROPIC_BASE_URL: HERE };
  const of = async (more: object) =>
    await check({ texts: { [USER]: settings({ ...base, ...more }) } });
  for (const more of [{}, { ENABLE_TOOL_SEARCH: "false" }]) {
    const { status, summary, details } = await of(more);
    assert.equal(status, "pass");
    assert.doesNotMatch(summary, /search/);
    assert.equal(details["tool_search"], "off");
  }
  const on = await of({ ENABLE_TOOL_SEARCH: "true" });
  assert.equal(on.status, "pass");
  assert.match(
    on.summary,
    /; it searches for tools itself \(ENABLE_TOOL_SEARCH in .*settings\.json\), and svc defers none/,
  );
});

Deno.test("checkClaude skips a machine without it, and warns of a file that it cannot read", async () => {
  assert.equal((await check({})).status, "skip");
  const broken = await check({ texts: { [USER]: '{"env": {"KEY": "secret"' } });
  assert.equal(broken.status, "warn");
  assert.match(broken.summary, /cannot read \/home\/a\/\.claude\/settings/);
  assert(!JSON.stringify(broken).includes("secret"));
});

const FILE = "/home/a/.codex/config.toml";
const CODEX_CHECK_HERE = "http://127.0.0.1:8787/v1";
const codexCheckCheck = async (parts: WorldParts) =>
  await checkCodex(await foundIn(parts));
const withText = (text: string) => codexCheckCheck({ texts: { [FILE]: text } });

Deno.test("checkCodex passes for the provider in use, its own or the default one", async () => {
  const own = await withText(
    `model_provider = "svc"\n[model_providers.svc]\nbase_url = "${CODEX_CHECK_HERE}"\n`,
  );
  assert.equal(own.status, "pass");
  assert.match(own.summary, /base_url of the provider "svc" in \/home/);
  const key = await withText(`openai_base_url = "${CODEX_CHECK_HERE}"\n`);
  assert.equal(key.status, "pass");
  const profile = await withText(
    `profile = "work"\n[profiles.work]\nmodel_provider = "p"\n[model_providers.p]\nbase_url = "${CODEX_CHECK_HERE}"\n`,
  );
  assert.equal(profile.status, "pass");
});

Deno.test("checkCodex takes the shell only where the file says nothing", async () => {
  const env = { OPENAI_BASE_URL: CODEX_CHECK_HERE };
  const shell = await codexCheckCheck({ texts: { [FILE]: "" }, env });
  assert.match(shell.summary, /^OPENAI_BASE_URL in the shell points/);
  const other = `model_provider = "x"\n[model_providers.x]\nname = "x"\n`;
  const none = await codexCheckCheck({ texts: { [FILE]: other }, env });
  assert.equal(none.status, "warn");
  assert.match(none.summary, /provider "x", which has no base_url/);
});

Deno.test("checkCodex warns where nothing is set, and takes CODEX_HOME", async () => {
  const nothing = await withText("");
  assert.equal(nothing.status, "warn");
  assert.match(nothing.hint ?? "", /openai_base_url = "http:.*:8787\/v1"/);
  const moved = await codexCheckCheck({
    texts: { "/codex/config.toml": `openai_base_url = "${CODEX_CHECK_HERE}"` },
    env: { CODEX_HOME: "/codex" },
  });
  assert.equal(moved.status, "pass");
});

Deno.test("checkCodex skips a machine without it, and warns of a file that it cannot read", async () => {
  assert.equal((await codexCheckCheck({})).status, "skip");
  assert.match((await withText("a = ")).summary, /cannot read .*TOML/);
});

const OPENCODE_CHECK_FILE = "/home/a/.config/opencode/opencode.json";
const provider = (baseURL: string, name = "anthropic") =>
  JSON.stringify({ provider: { [name]: { options: { baseURL } } } });
const opencodeCheckCheck = async (parts: WorldParts) =>
  await checkOpencode(await foundIn(parts));

Deno.test("checkOpencode passes when a provider leads to the proxy, of the user or of this directory", async () => {
  const here = provider("http://127.0.0.1:8787/v1");
  const user = await opencodeCheckCheck({
    texts: { [OPENCODE_CHECK_FILE]: here },
  });
  assert.equal(user.status, "pass");
  assert.match(
    user.summary,
    /^the provider "anthropic" in .* points to the proxy/,
  );
  const project = await opencodeCheckCheck({
    texts: { [OPENCODE_CHECK_FILE]: "{}", "/project/opencode.json": here },
  });
  assert.equal(project.status, "pass");
  const named = await opencodeCheckCheck({
    texts: { "/my.json": here },
    env: { OPENCODE_CONFIG: "/my.json" },
  });
  assert.equal(named.status, "pass");
});

Deno.test("checkOpencode warns where no provider leads there, and fails without /v1", async () => {
  assert.equal(
    (await opencodeCheckCheck({ texts: { [OPENCODE_CHECK_FILE]: "{}" } }))
      .status,
    "warn",
  );
  const past = await opencodeCheckCheck({
    texts: { [OPENCODE_CHECK_FILE]: provider("https://x.example") },
  });
  assert.equal(past.status, "warn");
  const bare = provider("http://127.0.0.1:8787");
  const { status, summary } = await opencodeCheckCheck({
    texts: { [OPENCODE_CHECK_FILE]: bare },
  });
  assert.equal(status, "fail");
  assert.match(summary, /has no \/v1/);
});

Deno.test("checkOpencode skips a machine without it, and warns of a file that it cannot read", async () => {
  assert.equal((await opencodeCheckCheck({})).status, "skip");
  assert.equal(
    (await opencodeCheckCheck({ texts: { [OPENCODE_CHECK_FILE]: "{" } }))
      .status,
    "warn",
  );
});
