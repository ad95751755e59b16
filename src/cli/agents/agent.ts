/** A coding agent that can start the MCP server: where its configuration is and what stands in it. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import type { TextValues } from "../../settings/row.ts";

/** Name under which the server is registered everywhere. */
export const SERVER_NAME = "svc";

/** Names of the server's tools, without what a client puts before them. */
export const TOOL_NAMES: readonly string[] = [
  "headroom_retrieve",
  "headroom_compress",
  "headroom_stats",
];

/** Agents by the name that `--agent` takes. */
export type AgentId = "claude" | "codex" | "opencode";

/** How a client starts the server. */
export interface Launch {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Variables the client adds to the environment that it passes on. */
  readonly env: TextValues;
}

/** A configuration as the values it holds. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** Keys from the outermost object to a value. */
export type KeyPath = readonly string[];

/** The value at a path; `undefined` where there is none. */
export function valueAt(values: ConfigValues, path: KeyPath): unknown {
  let value: unknown = values;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The values with one set. */
export function valuesWith(
  values: ConfigValues,
  [key = "", ...rest]: KeyPath,
  value: unknown,
): ConfigValues {
  const inner = values[key];
  return {
    ...values,
    [key]: rest.length === 0
      ? value
      : valuesWith(isJsonObject(inner) ? inner : {}, rest, value),
  };
}

/** The values without one. */
export function valuesWithout(
  values: ConfigValues,
  [key = "", ...rest]: KeyPath,
): ConfigValues {
  const { [key]: inner, ...others } = values;
  if (rest.length === 0 || !isJsonObject(inner)) return others;
  return { ...values, [key]: valuesWithout(inner, rest) };
}

/** Reads and edits one kind of file. A blank text is a file without settings. */
export interface ValueFormat {
  /**
   * The values.
   * @throws {ConfigFault} If it cannot be parsed.
   */
  parse(text: string): ConfigValues;
  /**
   * Sets a value, in its place or as the last one of its object; objects around it are made.
   * @throws {ConfigFault} If something on the way is no object, or its notation is not known.
   */
  set(text: string, path: KeyPath, value: unknown): string;
  /** Takes a value out, with the object around it at `outer`: `path` itself for none. TOML cannot keep an empty one. */
  remove(text: string, path: KeyPath, outer: KeyPath): string;
}

/** Where one user's configuration may be. Absolute paths. */
interface AgentPlaces {
  /** Files that the agent reads, the one that wins first. */
  readonly candidates: readonly string[];
  /** The file to make when there is none. */
  readonly fallback: string;
  /** Directory that shows that the agent is used on this machine. */
  readonly directory: string;
}

/** An agent that can start the server. */
export interface Agent extends KnownAgent<AgentId> {
  /** Key or table that holds the servers. */
  readonly container: string;
  /** Reads and edits its file. */
  readonly format: ValueFormat;
  /** What a new file begins with. */
  readonly head?: ConfigValues;
  /**
   * Where its file is.
   * @throws {RangeError} If there is no home directory.
   */
  places(env: TextValues): AgentPlaces;
  /** The entry for a launch, as the agent wants it. */
  valueOf(launch: Launch): ConfigValues;
  /** The launch in an entry; `undefined` when it starts no program, or not in a way that we write. */
  launchOf(value: unknown): Launch | undefined;
  /** What the model sees before the names of the server's tools. */
  readonly toolPrefix: string;
}

/** A configuration that cannot be read or not be edited safely. */
export class ConfigFault extends Error {
  /** Line of the fault, from 1; `undefined` when it is not in one place. */
  readonly line: number | undefined;

  /** Makes a fault; `message` says what is wrong, without the file's name. */
  constructor(message: string, line?: number) {
    super(message);
    this.name = "ConfigFault";
    this.line = line;
  }
}

/**
 * The home directory.
 *
 * @throws {RangeError} If the environment has none.
 */
export function homeOf(env: TextValues): string {
  const home = env.HOME || env.USERPROFILE;
  if (home) return home;
  throw new RangeError(
    "Cannot place the agents' files: HOME is not set, or svc may not read it (--allow-env); set it to your home directory",
  );
}

/** The texts of an array of nothing else; `undefined` for anything else. */
export function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((v) => typeof v === "string")
    ? value
    : undefined;
}

/** The texts of an object of nothing else, empty for a missing one; `undefined` for anything else. */
export function textValuesOf(value: unknown): TextValues | undefined {
  if (value === undefined) return {};
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, v]) =>
    typeof v === "string" ? [[key, v] as const] : []
  );
  return entries.length === Object.keys(value).length
    ? Object.fromEntries(entries)
    : undefined;
}

type Row = readonly [title: string, install: string, program?: string];

/** Name for people, how to get it, and its program where that has another name than the command line gives the agent. */
const ROWS = {
  claude: ["Claude Code", "npm install -g @anthropic-ai/claude-code"],
  codex: ["Codex", "npm install -g @openai/codex"],
  opencode: ["OpenCode", "npm install -g opencode-ai"],
  gemini: ["Gemini CLI", "npm install -g @google/gemini-cli"],
  copilot: ["GitHub Copilot CLI", "npm install -g @github/copilot"],
  aider: ["Aider", "pipx install aider-chat"],
  goose: ["Goose", "see https://block.github.io/goose"],
  cline: ["Cline", "npm install -g cline"],
  continue: ["Continue", "npm install -g @continuedev/cli", "cn"],
  cursor: ["Cursor", "see https://cursor.com", "cursor-agent"],
  openhands: ["OpenHands", "uv tool install openhands --python 3.12"],
  openclaw: ["OpenClaw", "see https://docs.openclaw.ai"],
  vibe: ["Mistral Vibe", "uv tool install mistral-vibe"],
  cortex: [
    "Cortex Code",
    "see https://docs.snowflake.com/user-guide/cortex-code",
  ],
} as const satisfies Readonly<Record<string, Row>>;

/** Agents by the name on the command line. */
export type KnownId = keyof typeof ROWS;

/** What is known of one agent. */
export interface KnownAgent<Id extends KnownId = KnownId> {
  /** Name on the command line. */
  readonly id: Id;
  /** Name for people. */
  readonly title: string;
  /** Its program in `PATH`. */
  readonly program: string;
  /** How to get it, for those who do not have it. */
  readonly install: string;
  /** Its package in npm or PyPI: there its version stands. */
  readonly package: string | undefined;
}

/** The agents, in the order in which they are listed. */
export const KNOWN = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([id, [title, install, program = id]]) => {
    const [, name] = /install (?:-g )?(\S+)/.exec(install) ?? [];
    return [id, { id, title, program, install, package: name }];
  }),
) as unknown as { readonly [Id in KnownId]: KnownAgent<Id> };
