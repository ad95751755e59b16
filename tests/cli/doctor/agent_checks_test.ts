import {
  checkClaude,
  checkCodex,
  checkOpencode,
} from "../../../src/cli/doctor/agent_checks.ts";
import { testCheck, type WorldParts } from "./world.ts";

const HERE = "http://127.0.0.1:8787";
const V1 = `${HERE}/v1`;
const USER = "/home/a/.claude/settings.json";
const PROJECT = "/project/.claude/settings.json";
const LOCAL = "/project/.claude/settings.local.json";
const settings = (env: object) => JSON.stringify({ env });
const base = { ANTHROPIC_BASE_URL: HERE };
const wrong = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };

/** A world in which Claude Code's user settings have these variables. */
const claude = (env: object, shell: Record<string, string> = {}) => ({
  texts: { [USER]: settings(env) },
  env: shell,
});
const claudeIn = (...paths: string[]) => ({
  texts: Object.fromEntries(paths.map((path) => [path, settings(base)])),
  env: wrong,
});

testCheck("checkClaude", checkClaude, {
  "no Claude Code": {},
  "the shell": { texts: { "/home/a/.claude/x": "" }, env: wrong },
  "the user's file before the shell": claudeIn(USER),
  "the project's file before that": claudeIn(USER, PROJECT),
  "the local file before that": claudeIn(USER, PROJECT, LOCAL),
  "nothing is set": claude({}),
  "past the proxy": claude({ ANTHROPIC_BASE_URL: "https://a.example/secret" }),
  "with /v1, which Claude Code adds itself": claude({
    ANTHROPIC_BASE_URL: `${V1}/`,
  }),
  "Vertex, to which it does not": claude({
    CLAUDE_CODE_USE_VERTEX: "1",
    ANTHROPIC_VERTEX_BASE_URL: V1,
  }),
  "Vertex without its own variable": claude(base, {
    CLAUDE_CODE_USE_VERTEX: "1",
  }),
  "no Vertex": claude(base, { CLAUDE_CODE_USE_VERTEX: "0" }),
  "Foundry": claude(base, { CLAUDE_CODE_USE_FOUNDRY: "true" }),
  "Bedrock": claude(base, { CLAUDE_CODE_USE_BEDROCK: "1" }),
  "a file that cannot be read": {
    texts: { [USER]: '{"env": {"KEY": "secret"' },
  },
  "no tool search": claude({ ...base, ENABLE_TOOL_SEARCH: "false" }),
  "a tool search of its own": claude({ ...base, ENABLE_TOOL_SEARCH: "true" }),
});

const FILE = "/home/a/.codex/config.toml";
const codex = (text: string, env: Record<string, string> = {}): WorldParts => ({
  texts: { [FILE]: text },
  env,
});
const url = `base_url = "${V1}"`;
const shell = { OPENAI_BASE_URL: V1 };

testCheck("checkCodex", checkCodex, {
  "no Codex": {},
  "a provider of the user": codex(
    `model_provider = "svc"\n[model_providers.svc]\n${url}\n`,
  ),
  "its own provider": codex(`openai_base_url = "${V1}"\n`),
  "a provider of a profile": codex(
    `profile = "work"\n[profiles.work]\nmodel_provider = "p"\n[model_providers.p]\n${url}\n`,
  ),
  "the shell where the file says nothing": codex("", shell),
  "a provider without an address, whatever the shell says": codex(
    'model_provider = "x"\n[model_providers.x]\nname = "x"\n',
    shell,
  ),
  "nothing is set": codex(""),
  "another directory": {
    texts: { "/codex/config.toml": `openai_base_url = "${V1}"` },
    env: { CODEX_HOME: "/codex" },
  },
  "a file that cannot be read": codex("a = "),
});

const CONFIG = "/home/a/.config/opencode/opencode.json";
const anthropic = (baseURL: string) =>
  JSON.stringify({ provider: { anthropic: { options: { baseURL } } } });
const opencode = (text: string, texts: Record<string, string> = {}) => ({
  texts: { [CONFIG]: text, ...texts },
});

testCheck("checkOpencode", checkOpencode, {
  "no OpenCode": {},
  "the user's file": opencode(anthropic(V1)),
  "that of this directory": opencode("{}", {
    "/project/opencode.json": anthropic(V1),
  }),
  "one that a variable names": {
    texts: { "/my.json": anthropic(V1) },
    env: { OPENCODE_CONFIG: "/my.json" },
  },
  "no provider": opencode("{}"),
  "past the proxy": opencode(anthropic("https://x.example/secret")),
  "without /v1": opencode(anthropic(HERE)),
  "a file that cannot be read": opencode("{"),
});
