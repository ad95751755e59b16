/** Codex: `~/.codex/config.toml`. @module */
import { join } from "node:path";
import { type Agent, homeOf, SERVER_NAME } from "./agent.ts";
import { programLaunch } from "./claude_code.ts";
import { tomlFormat } from "./toml_format.ts";

/** Codex. It passes only a few variables on, so that all others must be in the entry. */
export const CODEX: Agent = {
  id: "codex",
  title: "Codex",
  program: "codex",
  container: "mcp_servers",
  format: tomlFormat("mcp_servers"),
  places(env) {
    const directory = env.CODEX_HOME || join(homeOf(env), ".codex");
    const fallback = join(directory, "config.toml");
    return { candidates: [fallback], fallback, directory };
  },
  valueOf({ command: [command, ...args], env }) {
    return { command, args, ...(Object.keys(env).length > 0 && { env }) };
  },
  launchOf: programLaunch,
  toolName: (tool) => `mcp__${SERVER_NAME}__${tool}`,
};
