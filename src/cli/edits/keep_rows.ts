/** Agents that `svc wrap --keep` can point to the proxy for good, and what it writes for each. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import type { FileWorld } from "../io.ts";
import { join, resolve } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import {
  type AgentId,
  ConfigFault,
  type ConfigValues,
  homeOf,
  KNOWN,
  type KnownAgent,
  type KnownId,
  valueAt,
} from "../agents/agent.ts";
import { CODEX, OPENCODE } from "../agents/registry.ts";
import type { WantedValue } from "./file_plan.ts";
import type { FormatId } from "./value_format.ts";

/** An agent that a file of its own can point to the proxy. */
export interface Keepable<Id extends KnownId = KnownId> extends KnownAgent<Id> {
  /** How its file is read. */
  readonly format: FormatId;
  /** Files that it reads, the one that wins first; the last one is made where there is none. */
  places(env: TextValues): readonly string[];
  /**
   * What sends it to the proxy.
   * @param base Base URL of the proxy, without a slash at its end.
   * @param present What the file says now.
   * @throws {ConfigFault} If the file has nothing that the proxy serves.
   */
  values(base: string, present?: ConfigValues): readonly WantedValue[];
  /** Whether nothing but its file sends it to the proxy. */
  readonly onlyFile?: true;
}

/** One row per agent. */
export const KEEPABLE: Readonly<
  Record<AgentId, Keepable<AgentId>>
> = {
  claude: {
    ...KNOWN.claude,
    format: "jsonc",
    places: (env) => [
      join(
        env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude"),
        "settings.json",
      ),
    ],
    values: (base) => [
      { path: ["env", "ANTHROPIC_BASE_URL"], value: base },
    ],
  },
  codex: {
    ...KNOWN.codex,
    format: "toml",
    places: (env) => CODEX.places(env).candidates,
    // Its own provider stays: conversations of another one are neither shown nor resumed without that.
    values: (base, present = {}) => {
      const { model_provider: provider = "openai" } = present;
      if (provider === "openai" || provider === "svc") {
        return [{ path: ["openai_base_url"], value: `${base}/v1` }];
      }
      throw new ConfigFault(
        `model_provider is ${
          JSON.stringify(provider)
        } already, and requests go to the address of that. For one run, svc wrap codex sends them through the proxy to it`,
      );
    },
  },
  opencode: {
    ...KNOWN.opencode,
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

/** Cline: it has one entry per provider, and uses the one that was chosen last. */
export const CLINE: Keepable<"cline"> = clineKeepable(undefined);

/** {@linkcode CLINE} for a provider; `undefined` for the one that was chosen last. */
export function clineKeepable(
  provider: string | undefined,
): Keepable<"cline"> {
  return {
    ...KNOWN.cline,
    format: "jsonc",
    onlyFile: true,
    places: (env) => [
      join(
        env.CLINE_DATA_DIR ||
          join(env.CLINE_DIR || join(homeOf(env), ".cline"), "data"),
        "settings",
        "providers.json",
      ),
    ],
    values: (base, present = {}) => {
      const name = provider ?? present["lastUsedProvider"];
      const path = ["providers", String(name), "settings"];
      const isServed = ["anthropic", "openai", "openai-compatible"]
        .includes(String(name));
      if (isServed && isJsonObject(valueAt(present, path))) {
        return [{ path: [...path, "baseUrl"], value: `${base}/v1` }];
      }
      throw new ConfigFault(
        `its provider is ${
          typeof name === "string" ? name : "not set"
        }, and svc serves anthropic and openai-compatible; choose one with cline auth`,
      );
    },
  };
}

/** OpenClaw. A provider that it has by itself needs an address and a list of further models. */
export const OPENCLAW: Keepable<"openclaw"> = {
  ...KNOWN.openclaw,
  format: "jsonc",
  onlyFile: true,
  places: (env) => [
    env.OPENCLAW_CONFIG_PATH ||
    join(
      env.OPENCLAW_STATE_DIR || join(homeOf(env), ".openclaw"),
      "openclaw.json",
    ),
  ],
  values: (base) =>
    [["anthropic", base], ["openai", `${base}/v1`]].flatMap(
      ([name = "", url]) => {
        const path = ["models", "providers", name];
        return [
          { path: [...path, "baseUrl"], value: url },
          { path: [...path, "models"], value: [], unlessSet: true },
        ];
      },
    ),
};

/** All agents whose files svc edits. */
export const ALL_KEEPABLE: readonly Keepable[] = [
  ...Object.values(KEEPABLE),
  CLINE,
  OPENCLAW,
];

/** The file of an agent to edit: the first that is there, else the one to make. */
export async function keptFile(
  agent: Keepable,
  { env, cwd, files }: FileWorld,
): Promise<string> {
  const places = agent.places(env).map((path) => resolve(cwd, path));
  for (const path of places) if (await files.exists(path)) return path;
  return places.at(-1)!;
}
