/** OpenCode: `~/.config/opencode/opencode.json`. @module */
import { dirname, join } from "node:path";
import {
  type Agent,
  homeOf,
  isRecord,
  SERVER_NAME,
  textsOf,
  textValuesOf,
} from "./agent.ts";
import { jsonFormat } from "./json_format.ts";

/** OpenCode. It adds the schema to a file without one, so a new file has it from the start. */
export const OPENCODE: Agent = {
  id: "opencode",
  title: "OpenCode",
  program: "opencode",
  container: "mcp",
  format: jsonFormat({
    container: "mcp",
    comments: true,
    head: { $schema: "https://opencode.ai/config.json" },
  }),
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
    if (!isRecord(value)) return undefined;
    const command = textsOf(value.command);
    const env = textValuesOf(value.environment);
    return command === undefined || env === undefined
      ? undefined
      : { command, env };
  },
  toolName: (tool) => `${SERVER_NAME}_${tool}`,
};
