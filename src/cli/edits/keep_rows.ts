/** Agents that `svc wrap --keep` can point to the proxy for good, and what it writes for each. @module */
import { join, resolve } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import type { AgentId } from "../agents/agent.ts";
import { homeOf } from "../agents/agent.ts";
import { CODEX } from "../agents/codex.ts";
import { OPENCODE } from "../agents/opencode.ts";
import type { EditWorld } from "./transaction.ts";
import type { WantedValue } from "./file_plan.ts";
import type { FormatId } from "./value_format.ts";

/** What is known of one agent. */
export interface Keepable {
  /** Name on the command line. */
  readonly id: AgentId;
  /** Name for people. */
  readonly title: string;
  /** How its file is read. */
  readonly format: FormatId;
  /** Files that it reads, the one that wins first; the last one is made where there is none. */
  places(env: TextValues): readonly string[];
  /**
   * What sends it to the proxy.
   * @param base Base URL of the proxy, without a slash at its end.
   */
  values(base: string): readonly WantedValue[];
}

/** One row per agent. */
export const KEEPABLE: Readonly<Record<AgentId, Keepable>> = {
  claude: {
    id: "claude",
    title: "Claude Code",
    format: "jsonc",
    places: (env) => [
      join(
        env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude"),
        "settings.json",
      ),
    ],
    values: (base) => [
      { path: ["env", "ANTHROPIC_BASE_URL"], value: base },
      // With a base URL of its own it does without the search unless it is asked to.
      { path: ["env", "ENABLE_TOOL_SEARCH"], value: "true", unlessSet: true },
    ],
  },
  codex: {
    id: "codex",
    title: CODEX.title,
    format: "toml",
    places: (env) => CODEX.places(env).candidates,
    values: (base) => [
      { path: ["model_provider"], value: "svc", byDefault: "openai" },
      {
        path: ["model_providers", "svc"],
        value: {
          name: "svc",
          base_url: `${base}/v1`,
          wire_api: "responses",
          requires_openai_auth: true,
        },
      },
    ],
  },
  opencode: {
    id: "opencode",
    title: OPENCODE.title,
    format: "jsonc",
    places: (env) => {
      const { candidates, fallback } = OPENCODE.places(env);
      return [...candidates.filter((path) => path !== fallback), fallback];
    },
    values: (base) => [
      // It adds the schema to a file without one, which would not be as svc made it then.
      {
        path: ["$schema"],
        value: "https://opencode.ai/config.json",
        onlyNew: true,
      },
      ...["anthropic", "openai"].map((provider) => ({
        path: ["provider", provider, "options", "baseURL"],
        value: `${base}/v1`,
      })),
    ],
  },
};

/** The file of an agent to edit: the first that is there, else the one to make. */
export async function keptFile(
  agent: Keepable,
  { env, cwd, files }: EditWorld,
): Promise<string> {
  const places = agent.places(env).map((path) => resolve(cwd, path));
  for (const path of places) if (await files.exists(path)) return path;
  return places.at(-1)!;
}
