/** Homes of agents: what is in one, and where earlier wraps left copies of it. @module */
import { join } from "node:path";
import { homeOf, KNOWN, type KnownAgent } from "../agents/agent.ts";
import { AGENTS } from "../agents/registry.ts";
import type { FormatId } from "../edits/value_format.ts";
import type { TextValues } from "../../settings/row.ts";
import { type DiskEntry, entriesIn } from "../uninstall/disk.ts";
import { cleanText, manyText } from "../words.ts";
import { openedForReading } from "../doctor/machine.ts";
import { reasonOf } from "../failure.ts";
import { recordIn } from "./merge.ts";

/** What is known of one agent's home. Paths in it are relative, with `/`. */
export interface AgentHome extends KnownAgent {
  /** The durable home. @throws {RangeError} If there is no home directory. */
  durable(env: TextValues): string;
  /** Names of the homes that wraps of another product left in temporary directories. */
  readonly retained?: RegExp;
  /** Files that only grow, one per session. */
  readonly sessions: RegExp;
  /** Files with lines of all sessions. */
  readonly histories: RegExp;
  /** Its configuration; `routes` are keys, with `/` between, that a wrap points to its proxy. */
  readonly config?: {
    readonly path: string;
    readonly format: FormatId;
    readonly routes: RegExp;
  };
  /** Key of the provider in the configuration and in a session, the one of wraps, and the one where none is set. */
  readonly provider?: {
    readonly key: string;
    readonly ofWraps: string;
    readonly usual: string;
  };
  /** What is made anew each time. */
  readonly ignored: RegExp;
  /** What to know once sessions were taken. */
  readonly afterwards?: string;
}

/** No path at all. */
const NONE = /$./;

/** One row per agent. */
export const AGENT_HOMES: readonly AgentHome[] = [
  {
    ...KNOWN.codex,
    durable: (env) => AGENTS.codex.places(env).directory,
    retained: /^headroom-codex-home-/,
    sessions: /^(archived_)?sessions\/.+\.jsonl$/,
    histories: /^(history|session_index)\.jsonl$/,
    config: {
      path: "config.toml",
      format: "toml",
      routes:
        /^(openai_base_url|chatgpt_base_url|model_providers\/(headroom|svc)|mcp_servers\/headroom)$/,
    },
    provider: { key: "model_provider", ofWraps: "headroom", usual: "openai" },
    ignored: /^(log|tmp|\.tmp|cache|shell_snapshots|thread-writer-locks)\//,
    afterwards:
      "Codex lists a session that was taken once it was opened: codex resume <id>",
  },
  {
    ...KNOWN.claude,
    durable: (env) => AGENTS.claude.places(env).directory,
    sessions: /^projects\/.+\.jsonl$/,
    histories: /^history\.jsonl$/,
    config: {
      path: "settings.json",
      format: "jsonc",
      routes: /^env\/ANTHROPIC_(\w+_)?BASE_URL$/,
    },
    ignored:
      /^(cache|debug|ide|shell-snapshots|statsig|telemetry)\/|^\.claude\.json/,
  },
  {
    ...KNOWN.opencode,
    durable: (env) =>
      join(
        env.XDG_DATA_HOME || join(homeOf(env), ".local", "share"),
        "opencode",
      ),
    sessions: NONE,
    histories: NONE,
    ignored: /^(log|bin|cache)\//,
  },
];

/** What is done with a file: an `other` one is taken where the durable home has none. */
type FileKind = "session" | "history" | "config" | "database" | "other";

/** Files of a running program or of a system, and drafts of ours. */
const RUNTIME =
  /(\.(lock|sock|socket|svc-draft)|-(wal|shm|journal)|\.DS_Store)$/;

/** What is done with a file; `undefined` for nothing. */
export function kindOf(home: AgentHome, path: string): FileKind | undefined {
  if (RUNTIME.test(path) || home.ignored.test(path)) return undefined;
  if (/\.(db|sqlite3?)$/.test(path)) return "database";
  if (home.sessions.test(path)) return "session";
  if (home.histories.test(path)) return "history";
  return path === home.config?.path ? "config" : "other";
}

/**
 * Homes of earlier wraps in some directories, without links and those of others: anybody may put one into `/tmp`.
 *
 * @param userId Number of the present user; `null` where the system has none.
 */
export async function retainedHomes(
  { retained = NONE }: AgentHome,
  directories: readonly string[],
  userId: number | null,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const directory of directories) {
    for (const { path, name, kind, owner } of await entriesIn(directory)) {
      if (kind !== "directory" || !retained.test(name)) continue;
      const { mode } = await Deno.stat(path);
      const isOwn = owner === userId && ((mode ?? 0) & 0o022) === 0;
      if (userId === null || isOwn) found.add(path);
    }
  }
  return [...found].sort();
}

/** What is in a home, in order, with paths below it; nothing where there is none. */
export async function filesOf(
  root: string,
  below = "",
): Promise<readonly Pick<DiskEntry, "path" | "kind">[]> {
  const files = [];
  for (const { name, kind } of await entriesIn(join(root, below))) {
    const path = below + name;
    if (kind === "directory") files.push(...await filesOf(root, `${path}/`));
    else files.push({ path, kind });
  }
  return files;
}

const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/i;

/** Says it, in lines. */
export async function auditText(
  home: AgentHome,
  target: string,
): Promise<string> {
  const files = (await filesOf(target)).map(({ path }) => path);
  const sessions = files.filter((path) => kindOf(home, path) === "session");
  const archived = sessions.filter((path) => path.startsWith("archived_"));
  const ids = new Set(sessions.flatMap((path) => ID.exec(path)?.[0] ?? []));
  const index = files.findLast((path) => /^state_\d+\.sqlite$/.test(path));
  const lines = [
    `${target}: ${
      manyText(sessions.length, "session")
    }, ${archived.length} of them archived`,
    ...index === undefined ? [] : await indexLines(ids, target, index),
    `  in its history only: ${
      listed((await historyIds(home, target, files)).difference(ids))
    }`,
  ];
  return lines.map((line) => `${cleanText(line)}\n`).join("");
}

function listed(ids: ReadonlySet<string>): string {
  return ids.size === 0 ? "0" : `${ids.size} (${[...ids].join(", ")})`;
}

async function indexLines(
  ids: ReadonlySet<string>,
  target: string,
  name: string,
): Promise<readonly string[]> {
  try {
    using db = await openedForReading(join(target, name));
    const rows = db.prepare("SELECT id FROM threads").all();
    const indexed = new Set(rows.map((row) => String(row["id"])));
    return [
      `  in its index (${name}): ${indexed.size}`,
      `  not in its index: ${listed(ids.difference(indexed))}`,
      `  in its index only: ${listed(indexed.difference(ids))}`,
    ];
  } catch (error) {
    return [`  its index (${name}) cannot be read: ${reasonOf(error)}`];
  }
}

async function historyIds(
  home: AgentHome,
  target: string,
  files: readonly string[],
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const path of files) {
    if (kindOf(home, path) !== "history") continue;
    const text = await Deno.readTextFile(join(target, path));
    for (const line of text.split("\n")) {
      const record = recordIn(line);
      const id = record["session_id"] ?? record["sessionId"] ?? record["id"];
      if (typeof id === "string") ids.add(id);
    }
  }
  return ids;
}
