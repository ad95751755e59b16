/** Every agent that is checked: a row each. What stands here was seen in the agents themselves or in their manuals. @module */
import { join } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import { homeOf } from "../agents/agent.ts";
import { CLAUDE_CODE, CODEX, OPENCODE } from "../agents/registry.ts";
import { checkClaude, checkCodex, checkOpencode } from "./agent_checks.ts";
import type { Found, Verdict } from "./found.ts";

/** A file in which an agent keeps base URLs. */
interface AddressFile {
  /** Path in the home directory. */
  readonly path: string;
  /** Finds them: the key is `key`, the URL `url`; global. */
  readonly addresses: RegExp;
}

/** What is known of an agent. */
export interface AgentRow {
  /** Name of the check, and for `svc wrap`. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Its program in `PATH`. */
  readonly program: string;
  /** Its package in npm or PyPI: there its version stands. */
  readonly package?: string;
  /** The version that was run through svc last, and the day. */
  readonly tried?: { readonly version: string; readonly date: string };
  /** Its own check; the common one where there is none. */
  readonly check?: (found: Found) => Promise<Verdict>;
  /** Directory in the home directory that shows that it is used. */
  readonly directory?: string;
  /** Variables with a base URL, and what the proxy's URL ends in there; `undefined` where that depends. */
  readonly variables: readonly (readonly [
    name: string,
    ending: "" | "/v1" | undefined,
  ])[];
  /** Files with base URLs. */
  readonly files: readonly AddressFile[];
  /** Why it cannot be told whether it is routed. */
  readonly unseen?: string;
}

/** Base URLs in YAML, TOML, JSON and dotenv files, for these keys. */
function addresses(keys: string): RegExp {
  return new RegExp(
    String
      .raw`^[^#\n]*?(?<key>\b(?:${keys})\b)["']?\s*[:=]\s*["']?(?<url>https?:\/\/[^\s"',}]+)`,
    "gmi",
  );
}

const ANTHROPIC = ["ANTHROPIC_BASE_URL", ""] as const;
const OPENAI = ["OPENAI_BASE_URL", "/v1"] as const;

/** In the order of the report. */
export const AGENT_ROWS: readonly AgentRow[] = [
  {
    id: CLAUDE_CODE.id,
    title: CLAUDE_CODE.title,
    program: CLAUDE_CODE.program,
    package: "@anthropic-ai/claude-code",
    tried: { version: "2.1.197", date: "2026-11-28" },
    check: checkClaude,
    variables: [],
    files: [],
  },
  {
    id: CODEX.id,
    title: CODEX.title,
    program: CODEX.program,
    package: "@openai/codex",
    tried: { version: "0.171.0", date: "2026-11-28" },
    check: checkCodex,
    variables: [],
    files: [],
  },
  {
    id: OPENCODE.id,
    title: OPENCODE.title,
    program: OPENCODE.program,
    package: "opencode-ai",
    tried: { version: "1.18.33", date: "2026-11-28" },
    check: checkOpencode,
    variables: [],
    files: [],
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    package: "@google/gemini-cli",
    directory: ".gemini",
    variables: [["GOOGLE_GEMINI_BASE_URL", ""]],
    files: [{
      path: ".gemini/.env",
      addresses: addresses("GOOGLE_GEMINI_BASE_URL"),
    }],
  },
  {
    id: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    package: "@github/copilot",
    tried: { version: "1.0.102", date: "2026-11-28" },
    directory: ".copilot",
    variables: [["COPILOT_PROVIDER_BASE_URL", undefined]],
    files: [],
  },
  {
    id: "aider",
    title: "aider",
    program: "aider",
    package: "aider-chat",
    tried: { version: "0.86.2", date: "2026-11-28" },
    directory: ".aider.conf.yml",
    variables: [ANTHROPIC, ["OPENAI_API_BASE", "/v1"], OPENAI],
    files: [{
      path: ".aider.conf.yml",
      addresses: addresses("openai-api-base"),
    }],
  },
  {
    id: "goose",
    title: "goose",
    program: "goose",
    directory: ".config/goose",
    variables: [["ANTHROPIC_HOST", ""], ["OPENAI_HOST", ""], OPENAI],
    files: [{
      path: ".config/goose/config.yaml",
      addresses: addresses("ANTHROPIC_HOST|OPENAI_HOST|OPENAI_BASE_URL"),
    }],
  },
  {
    id: "cline",
    title: "Cline",
    program: "cline",
    package: "cline",
    tried: { version: "3.0.65", date: "2026-11-28" },
    directory: ".cline",
    variables: [],
    files: [{
      path: ".cline/data/settings/providers.json",
      addresses: addresses("baseUrl"),
    }],
  },
  {
    id: "continue",
    title: "Continue",
    program: "cn",
    package: "@continuedev/cli",
    tried: { version: "1.5.47", date: "2026-11-28" },
    directory: ".continue",
    variables: [],
    files: ["config.yaml", "config.json"].map((name) => ({
      path: `.continue/${name}`,
      addresses: addresses("apiBase"),
    })),
  },
  {
    id: "cursor",
    title: "Cursor",
    program: "cursor",
    directory: ".cursor",
    variables: [],
    files: [],
    unseen:
      "its base URL is in its own database (Settings, Models, Override OpenAI Base URL)",
  },
  {
    id: "openhands",
    title: "OpenHands",
    program: "openhands",
    package: "openhands",
    directory: ".openhands",
    variables: [["LLM_BASE_URL", undefined]],
    files: [{
      path: ".openhands/agent_settings.json",
      addresses: addresses("base_url"),
    }],
  },
  {
    id: "openclaw",
    title: "OpenClaw",
    program: "openclaw",
    package: "openclaw",
    directory: ".openclaw",
    variables: [],
    files: [{
      path: ".openclaw/openclaw.json",
      addresses: addresses("baseUrl"),
    }],
  },
  {
    id: "vibe",
    title: "Mistral Vibe",
    program: "vibe",
    package: "mistral-vibe",
    directory: ".vibe",
    variables: [],
    files: [{ path: ".vibe/config.toml", addresses: addresses("api_base") }],
  },
  {
    id: "cortex",
    title: "Cortex Code",
    program: "cortex",
    variables: [OPENAI],
    files: [],
  },
];

/** Absolute path of one in the home directory. @throws {RangeError} If there is none. */
export function inHome(env: TextValues, path: string): string {
  return join(homeOf(env), ...path.split("/"));
}
