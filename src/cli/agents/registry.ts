/** The agents: Claude Code (`~/.claude.json`), Codex (`~/.codex/config.toml`), OpenCode (`~/.config/opencode/opencode.json`). @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { dirname, join } from "node:path";
import {
  type Agent,
  type AgentId,
  homeOf,
  KNOWN,
  type Launch,
  SERVER_NAME,
  textsOf,
  textValuesOf,
} from "./agent.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";

/** Claude Code. Plain JSON: a file with comments is one that it throws away. */
export const CLAUDE_CODE: Agent = {
  ...KNOWN.claude,
  container: "mcpServers",
  format: VALUE_FORMATS.json,
  places(env) {
    const home = env.CLAUDE_CONFIG_DIR || homeOf(env);
    const directory = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
    const fallback = join(home, ".claude.json");
    // A file of the first versions wins as long as it is there.
    const legacy = join(directory, ".config.json");
    return { candidates: [legacy, fallback], fallback, directory };
  },
  valueOf({ command: [command, ...args], env }) {
    return {
      ...{ type: "stdio", command, args },
      ...(Object.keys(env).length > 0 && { env }),
    };
  },
  launchOf: programLaunch,
  toolPrefix: `mcp__${SERVER_NAME}__`,
};

/** The launch of an entry that has the program and its arguments apart. */
export function programLaunch(value: unknown): Launch | undefined {
  if (!isJsonObject(value) || typeof value.command !== "string") {
    return undefined;
  }
  const args = value.args === undefined ? [] : textsOf(value.args);
  const env = textValuesOf(value.env);
  if (args === undefined || env === undefined) return undefined;
  return { command: [value.command, ...args], env };
}

/** Codex. It passes only a few variables on, so that all others must be in the entry. */
export const CODEX: Agent = {
  ...KNOWN.codex,
  container: "mcp_servers",
  format: VALUE_FORMATS.toml,
  places(env) {
    const directory = env.CODEX_HOME || join(homeOf(env), ".codex");
    const fallback = join(directory, "config.toml");
    return { candidates: [fallback], fallback, directory };
  },
  valueOf({ command: [command, ...args], env }) {
    return { command, args, ...(Object.keys(env).length > 0 && { env }) };
  },
  launchOf: programLaunch,
  toolPrefix: `mcp__${SERVER_NAME}__`,
};

/** OpenCode. It adds the schema to a file without one, so a new file has it from the start. */
export const OPENCODE: Agent = {
  ...KNOWN.opencode,
  container: "mcp",
  format: VALUE_FORMATS.jsonc,
  head: { $schema: "https://opencode.ai/config.json" },
  places(env) {
    if (env.OPENCODE_CONFIG) {
      const fallback = env.OPENCODE_CONFIG;
      const directory = dirname(fallback);
      return { candidates: [fallback], fallback, directory };
    }
    const root = env.XDG_CONFIG_HOME || join(homeOf(env), ".config");
    const directory = join(root, "opencode");
    const names = ["opencode.jsonc", "opencode.json", "config.json"];
    return {
      candidates: names.map((name) => join(directory, name)),
      fallback: join(directory, "opencode.json"),
      directory,
    };
  },
  valueOf({ command, env }) {
    return {
      type: "local",
      command,
      ...(Object.keys(env).length > 0 && { environment: env }),
      enabled: true,
    };
  },
  launchOf(value) {
    if (!isJsonObject(value)) return undefined;
    const command = textsOf(value.command);
    const env = textValuesOf(value.environment);
    return command === undefined || env === undefined
      ? undefined
      : { command, env };
  },
  toolPrefix: `${SERVER_NAME}_`,
};

/** Agents in the order in which they are reported. */
export const AGENTS: Readonly<Record<AgentId, Agent>> = {
  claude: CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
};

/** Whether a word is the name of an agent. */
export function isAgentId(word: unknown): word is AgentId {
  return typeof word === "string" && Object.hasOwn(AGENTS, word);
}
