/** Every agent that is checked: a row each. What stands here was seen in the agents themselves or in their manuals. @module */
import { join } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import {
  homeOf,
  KNOWN,
  type KnownAgent,
  type KnownId,
} from "../agents/agent.ts";
import { checkClaude, checkCodex, checkOpencode } from "./agent_checks.ts";
import type { Found, Verdict } from "./found.ts";

/** How an agent is checked. */
interface CheckFacts {
  /** The version that was run through svc last, and the day. */
  readonly tried?: { readonly version: string; readonly date: string };
  /** Its own check; the common one where there is none. */
  readonly check?: (found: Found) => Promise<Verdict>;
  /** Directory in the home directory that shows that it is used. */
  readonly directory?: string;
  /** Variables with a base URL, and what the proxy's URL ends in there; `undefined` where that depends. */
  readonly variables?: Readonly<Record<string, "" | "/v1" | undefined>>;
  /** Files with base URLs, by their paths in the home directory: the keys of the URLs, as in a regular expression. */
  readonly files?: Readonly<Record<string, string>>;
  /** Why it cannot be told whether it is routed. */
  readonly unseen?: string;
}

/** An agent that is checked. */
export type AgentRow = KnownAgent & CheckFacts;

const OPENAI = { OPENAI_BASE_URL: "/v1" } as const;

/** In the order of the report. A name stands here where the report has another one than `svc wrap`. */
const FACTS: Readonly<Record<KnownId, Partial<KnownAgent> & CheckFacts>> = {
  claude: {
    tried: { version: "2.1.197", date: "2026-11-28" },
    check: checkClaude,
  },
  codex: {
    tried: { version: "0.171.0", date: "2026-11-28" },
    check: checkCodex,
  },
  opencode: {
    tried: { version: "1.18.33", date: "2026-11-28" },
    check: checkOpencode,
  },
  gemini: {
    directory: ".gemini",
    variables: { GOOGLE_GEMINI_BASE_URL: "" },
    files: { ".gemini/.env": "GOOGLE_GEMINI_BASE_URL" },
  },
  copilot: {
    title: "Copilot CLI",
    tried: { version: "1.0.102", date: "2026-11-28" },
    directory: ".copilot",
    variables: { COPILOT_PROVIDER_BASE_URL: undefined },
  },
  aider: {
    title: "aider",
    tried: { version: "0.86.2", date: "2026-11-28" },
    directory: ".aider.conf.yml",
    variables: { ANTHROPIC_BASE_URL: "", OPENAI_API_BASE: "/v1", ...OPENAI },
    files: { ".aider.conf.yml": "openai-api-base" },
  },
  goose: {
    title: "goose",
    directory: ".config/goose",
    variables: { ANTHROPIC_HOST: "", OPENAI_HOST: "", ...OPENAI },
    files: {
      ".config/goose/config.yaml": "ANTHROPIC_HOST|OPENAI_HOST|OPENAI_BASE_URL",
    },
  },
  cline: {
    tried: { version: "3.0.65", date: "2026-11-28" },
    directory: ".cline",
    files: { ".cline/data/settings/providers.json": "baseUrl" },
  },
  continue: {
    tried: { version: "1.5.47", date: "2026-11-28" },
    directory: ".continue",
    files: {
      ".continue/config.yaml": "apiBase",
      ".continue/config.json": "apiBase",
    },
  },
  cursor: {
    program: "cursor",
    directory: ".cursor",
    unseen:
      "its base URL is in its own database (Settings, Models, Override OpenAI Base URL)",
  },
  openhands: {
    directory: ".openhands",
    variables: { LLM_BASE_URL: undefined },
    files: { ".openhands/agent_settings.json": "base_url" },
  },
  openclaw: {
    package: "openclaw",
    directory: ".openclaw",
    files: { ".openclaw/openclaw.json": "baseUrl" },
  },
  vibe: {
    directory: ".vibe",
    files: { ".vibe/config.toml": "api_base" },
  },
  cortex: { variables: OPENAI },
};

/** The agents that are checked. */
export const AGENT_ROWS: readonly AgentRow[] = Object.values(KNOWN).map(
  (agent) => ({ ...agent, ...FACTS[agent.id] }),
);

/** Finds base URLs in YAML, TOML, JSON and dotenv files, for these keys: the key is `key`, the URL `url`. */
export function addresses(keys: string): RegExp {
  return new RegExp(
    String
      .raw`^[^#\n]*?(?<key>\b(?:${keys})\b)["']?\s*[:=]\s*["']?(?<url>https?:\/\/[^\s"',}]+)`,
    "gmi",
  );
}

/** Absolute path of one in the home directory. @throws {RangeError} If there is none. */
export function inHome(env: TextValues, path: string): string {
  return join(homeOf(env), ...path.split("/"));
}
