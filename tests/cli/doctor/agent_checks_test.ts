import assert from "node:assert/strict";
import {
  checkClaude,
  checkCodex,
  checkOpencode,
} from "../../../src/cli/doctor/agent_checks.ts";
import { checkCases, foundIn, type WorldParts } from "./world.ts";

const HERE = "http://127.0.0.1:8787";
const V1 = `${HERE}/v1`;
const USER = "/home/a/.claude/settings.json";
const settings = (env: object) => JSON.stringify({ env });

/** A world in which Claude Code's user settings have these variables. */
const claude = (env: object, shell: Record<string, string> = {}) => ({
  texts: { [USER]: settings(env) },
  env: shell,
});

Deno.test("checkClaude believes the file that wins: local, project, user, then the shell", async () => {
  const texts: Record<string, string> = { "/home/a/.claude/x": "" };
  const from = async () => {
    const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
    return (await checkClaude(await foundIn({ texts, env }))).details["from"];
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

Deno.test("checkClaude passes for what leads to the proxy, warns of what does not, and says what to do", async () => {
  const base = { ANTHROPIC_BASE_URL: HERE };
  const vertex = {
    CLAUDE_CODE_USE_VERTEX: "1",
    ANTHROPIC_VERTEX_BASE_URL: V1,
  };
  await checkCases(checkClaude, [
    [{}, "skip"],
    [
      claude({ ...base, ENABLE_TOOL_SEARCH: "true" }),
      "pass",
      /\/home\/a\/\.claude\/settings\.json points to the proxy/,
    ],
    [claude({}), "warn", /^/, /ANTHROPIC_BASE_URL=http.*:8787 claude/],
    [claude({ ANTHROPIC_BASE_URL: "https://api.example/secret" }), "warn"],
    // Claude Code adds /v1 itself, but not for Vertex.
    [claude({ ANTHROPIC_BASE_URL: `${V1}/` }), "fail", /ends in \/v1/],
    [claude(vertex), "pass"],
    [
      claude(base, { CLAUDE_CODE_USE_VERTEX: "1" }),
      "warn",
      /ANTHROPIC_VERTEX_BASE_URL is not set/,
    ],
    [claude(base, { CLAUDE_CODE_USE_VERTEX: "0" }), "pass"],
    [claude(base, { CLAUDE_CODE_USE_BEDROCK: "1" }), "warn", /Bedrock/],
    [
      { texts: { [USER]: '{"env": {"KEY": "secret"' } },
      "warn",
      /cannot read \/home\/a\/\.claude\/settings/,
    ],
  ]);
});

Deno.test("checkClaude says where Claude Code searches for tools itself: svc defers none of its definitions then", async () => {
  const searching =
    /; it searches for tools itself \(ENABLE_TOOL_SEARCH in .*settings\.json\), and svc defers none/;
  const cases = [[undefined, "off"], ["false", "off"], ["true", "on"]] as const;
  for (const [ENABLE_TOOL_SEARCH, state] of cases) {
    const env = { ANTHROPIC_BASE_URL: HERE, ENABLE_TOOL_SEARCH };
    const verdict = await checkClaude(await foundIn(claude(env)));
    assert.deepEqual([verdict.status, verdict.details["tool_search"]], [
      "pass",
      state,
    ]);
    assert.equal(searching.test(verdict.summary), state === "on");
  }
});

const FILE = "/home/a/.codex/config.toml";
const codex = (text: string, env: Record<string, string> = {}): WorldParts => ({
  texts: { [FILE]: text },
  env,
});
const provider = (name: string, line: string) =>
  `[model_providers.${name}]\n${line}\n`;

Deno.test("checkCodex looks at the provider in use, of its file or a profile, and at the shell where that says nothing", async () => {
  const shell = { OPENAI_BASE_URL: V1 };
  const url = `base_url = "${V1}"`;
  const moved = {
    texts: { "/codex/config.toml": `openai_base_url = "${V1}"` },
    env: { CODEX_HOME: "/codex" },
  };
  await checkCases(checkCodex, [
    [
      codex(`model_provider = "svc"\n${provider("svc", url)}`),
      "pass",
      /base_url of the provider "svc" in \/home/,
    ],
    [codex(`openai_base_url = "${V1}"\n`), "pass"],
    [
      codex(
        `profile = "work"\n[profiles.work]\nmodel_provider = "p"\n${
          provider("p", url)
        }`,
      ),
      "pass",
    ],
    [codex("", shell), "pass", /^OPENAI_BASE_URL in the shell points/],
    [
      codex(`model_provider = "x"\n${provider("x", 'name = "x"')}`, shell),
      "warn",
      /provider "x", which has no base_url/,
    ],
    [codex(""), "warn", /^/, /openai_base_url = "http:.*:8787\/v1"/],
    [moved, "pass"],
    [{}, "skip"],
    [codex("a = "), "warn", /cannot read .*TOML/],
  ]);
});

const CONFIG = "/home/a/.config/opencode/opencode.json";
const anthropic = (baseURL: string) =>
  JSON.stringify({ provider: { anthropic: { options: { baseURL } } } });
const opencode = (
  text: string,
  texts: Record<string, string> = {},
): WorldParts => ({ texts: { [CONFIG]: text, ...texts } });

Deno.test("checkOpencode passes when a provider leads to the proxy, of the user or of this directory", async () => {
  const named = {
    texts: { "/my.json": anthropic(V1) },
    env: { OPENCODE_CONFIG: "/my.json" },
  };
  await checkCases(checkOpencode, [
    [
      opencode(anthropic(V1)),
      "pass",
      /^the provider "anthropic" in .* points to the proxy/,
    ],
    [opencode("{}", { "/project/opencode.json": anthropic(V1) }), "pass"],
    [named, "pass"],
    [opencode("{}"), "warn"],
    [opencode(anthropic("https://x.example/secret")), "warn"],
    [opencode(anthropic(HERE)), "fail", /has no \/v1/],
    [{}, "skip"],
    [opencode("{"), "warn"],
  ]);
});
