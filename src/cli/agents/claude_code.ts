/** Claude Code: `~/.claude.json`, user scope. @module */
import { join } from "node:path";
import {
  type Agent,
  homeOf,
  isRecord,
  type Launch,
  SERVER_NAME,
  textsOf,
  textValuesOf,
} from "./agent.ts";
import { jsonFormat } from "./json_format.ts";

/** Claude Code. Plain JSON: a file with comments is one that it throws away. */
export const CLAUDE_CODE: Agent = {
  id: "claude",
  title: "Claude Code",
  program: "claude",
  container: "mcpServers",
  format: jsonFormat({ container: "mcpServers", comments: false }),
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
      type: "stdio",
      command,
      args,
      ...(Object.keys(env).length > 0 && { env }),
    };
  },
  launchOf: programLaunch,
  toolName: (tool) => `mcp__${SERVER_NAME}__${tool}`,
};

/** The launch of an entry that has the program and its arguments apart. */
export function programLaunch(value: unknown): Launch | undefined {
  if (!isRecord(value) || typeof value.command !== "string") return undefined;
  const args = value.args === undefined ? [] : textsOf(value.args);
  const env = textValuesOf(value.env);
  if (args === undefined || env === undefined) return undefined;
  return { command: [value.command, ...args], env };
}
