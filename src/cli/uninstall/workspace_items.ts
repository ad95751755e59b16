/** What svc wrote into its workspace; other programs may have files of the same names there. @module */
import { orElse } from "../failure.ts";
import { isSettingsText, settingsIn } from "../../settings/file.ts";
import {
  type DiskEntry,
  entriesIn,
  entryAt,
  type Findings,
  joined,
  NO_FINDINGS,
  type PlacedItem,
  startOf,
  type StayingItem,
} from "./disk.ts";
import { dirname, join, resolve } from "node:path";
import type { Paths } from "../../settings/paths.ts";
import { recordPath } from "../agents/record.ts";

/** A table that every database of svc has; its file keeps the statement as it was. */
const OWN_TABLE = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT";

/** How a line of the proxy log begins. */
const LOG_START = '{"time":"';

/** Bytes of a settings file at most: one of svc's is never so long. */
const MAX_SETTINGS = 1_000_000;

/**
 * Why a file in the workspace is not svc's, though it is called so. Nothing is written, not even beside it.
 *
 * @param path The file.
 * @param name Last part of it.
 * @returns `undefined` for one of svc's, one that is empty, and one under another name.
 */
export async function foreignReason(
  path: string,
  name: string,
): Promise<string | undefined> {
  const isOwn = /^(ccr_store|ledger)\.db$/.test(name)
    ? await isOwnDatabase(path)
    : /^proxy(-\d+)?\.log(\.\d+)?$/.test(name)
    ? LOG_START.startsWith(await startOf(path, LOG_START.length))
    : name === "settings.json"
    ? isOwnSettings(await startOf(path, MAX_SETTINGS))
    : true;
  return isOwn ? undefined : "another program's, by what is in it";
}

/** A settings file in which nothing is unknown. */
function isOwnSettings(text: string): boolean {
  if (text.trim() === "") return true;
  return isSettingsText(text) && settingsIn(text, "").unknown.length === 0;
}

/** An empty one, or one with svc's table; what was written last is beside it. */
async function isOwnDatabase(path: string): Promise<boolean> {
  const found = await findIn(path);
  if (found === "unreadable" || found === "empty") return true;
  return found === "there" || await findIn(`${path}-wal`) === "there";
}

/** Whether a file holds the table's statement. Reads it all when it does not. */
async function findIn(
  path: string,
): Promise<"there" | "absent" | "empty" | "unreadable"> {
  return await orElse("unreadable", async () => {
    using file = await Deno.open(path);
    const decoder = new TextDecoder("latin1");
    let [before, isEmpty] = ["", true];
    for await (const bytes of file.readable) {
      isEmpty = false;
      const text = before + decoder.decode(bytes);
      if (text.includes(OWN_TABLE)) return "there";
      before = text.slice(-OWN_TABLE.length);
    }
    return isEmpty ? "empty" : "absent";
  });
}

/** Files of one kind: what they hold, for people; their names; whether they cannot be made again. */
type FileKind = readonly [what: string, names: RegExp, isData?: true];

/** Ending of a name that only one process uses. */
const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

/** Files of svc by the directory that they are in. */
const FILES = {
  workspace: [
    ["originals", /^ccr_store\.db(-wal|-shm|-journal)?$/, true],
    ["ledger of requests", /^ledger\.db(-wal|-shm|-journal)?$/, true],
    [
      "savings, for other programs",
      /^(proxy_savings\.json|\.proxy_savings\.[\da-f]+)$/,
      true,
    ],
    [
      "settings",
      new RegExp(
        `^(settings\\.json(\\.lock)?|\\.settings\\.json\\.${UUID}\\.tmp)$`,
      ),
      true,
    ],
    [
      "counts of the MCP tools",
      new RegExp(`^session_stats\\.jsonl(\\.1|\\.${UUID})?$`),
      true,
    ],
    [
      "what was seen of prompt caches",
      new RegExp(
        `^(cache_ttl_observations(-\\d+)?\\.jsonl(\\.1|\\.lock)?|cache_ttl_learned\\.json(\\.${UUID})?)$`,
      ),
    ],
    [
      "time of the last update check",
      new RegExp(`^update_check\\.json(\\.${UUID})?$`),
    ],
  ],
  logs: [["logs", /^proxy(-\d+)?\.log(\.\d+|\.lock)?$/]],
  dumps: [["refused requests, masked", /^\d{8}-\d{9}-[\w-]+\.json$/]],
  config: [
    ["id of this installation", new RegExp(`^install_id(\\.${UUID})?$`)],
  ],
  // Journals that are in use go with their edits.
  edits: [
    ["lock of edits", /^(\.lock|\.[\w-]+\.(json|next)\.svc-draft)$/],
  ],
  // Wraps that run now keep what they need open.
  wraps: [[
    "marks of wrapped agents",
    /^(\.lock|\d+-\d+\.(lease|config\.yaml)|\d+\.proxy|\.\d+\.proxy\.[\w-]+\.tmp)$/,
  ]],
} as const satisfies Readonly<Record<string, readonly FileKind[]>>;

/** Why some files stay that svc knows. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ["models.json", "prices and limits of models that you wrote"],
  ["plugins", "extensions that you put there"],
  ["recover", "backups of svc recover: sessions of agents"],
  ["mcp_installs.json", "the record of what is registered with agents"],
]);

/** What is known of the workspace before it is looked at. */
interface WorkspaceFacts {
  /** Directory where relative paths start. */
  readonly cwd: string;
  /** Whether registrations are recorded: the record goes with the last one. */
  readonly hasRecord: boolean;
  /** Whether services are installed: their files go with them. */
  readonly hasServices?: boolean;
}

/** Looks through the workspace, and names what variables place elsewhere. */
export async function workspaceItems(
  paths: Paths,
  { cwd, hasRecord, hasServices }: WorkspaceFacts,
): Promise<Findings> {
  const workspace = resolve(cwd, paths.workspace);
  const config = resolve(cwd, paths.config);
  const dumps = resolve(cwd, paths.debugDumps);
  const logs = dirname(dumps);
  const edits = join(workspace, "edits");
  const wraps = join(workspace, "wraps");
  const journals = (await entriesIn(edits)).map(({ path }) => path)
    .filter((path) =>
      /[\\/](wrap|run|install)-[\w-]+\.(json|next)$/.test(path)
    );
  const isSame = config === workspace;
  const isConfigInside = dirname(config) === workspace;
  const inConfig = isSame
    ? NO_FINDINGS
    : await filesIn(config, FILES.config, []);
  const kinds = [...FILES.workspace, ...isSame ? FILES.config : []];
  return joined([
    await filesIn(workspace, kinds, [
      logs,
      config,
      edits,
      wraps,
      ...(hasRecord ? [recordPath(workspace)] : []),
      ...(hasServices ? [join(workspace, "deploy")] : []),
    ]),
    await filesIn(logs, FILES.logs, [dumps]),
    await filesIn(dumps, FILES.dumps, []),
    await filesIn(edits, FILES.edits, journals),
    await filesIn(wraps, FILES.wraps, []),
    // A directory that the user named may be full of other things.
    isConfigInside ? inConfig : { ...NO_FINDINGS, items: inConfig.items },
    await elsewhere("SVC_SETTINGS_PATH", paths.settings, { workspace, cwd }),
    await elsewhere("SVC_SAVINGS_PATH", paths.savings, { workspace, cwd }),
  ]);
}

/** What is in a directory of svc; `others` in it are looked at elsewhere. */
async function filesIn(
  directory: string,
  kinds: readonly FileKind[],
  others: readonly string[],
): Promise<Findings> {
  const self = await entryAt(directory, "");
  if (self === undefined) return NO_FINDINGS;
  if (self.kind !== "directory") {
    return { ...NO_FINDINGS, staying: [stayingOf(self)] };
  }
  const entries = (await entriesIn(directory))
    .filter(({ path }) => !others.includes(path));
  const foreign = await foreignIn(entries);
  const kindOf = ({ path, kind, name }: DiskEntry) =>
    kind === "file" && !foreign.has(path)
      ? kinds.find(([, names]) => names.test(name))
      : undefined;
  return {
    items: kinds.flatMap((kind) =>
      itemsOf(kind, entries.filter((entry) => kindOf(entry) === kind))
    ),
    staying: entries.filter((entry) => kindOf(entry) === undefined)
      .map((entry) => {
        const why = foreign.get(entry.path);
        return why === undefined ? stayingOf(entry) : { path: entry.path, why };
      }),
    directories: [directory],
  };
}

/** Why files stay that have a name of svc's and are another program's, by their path. */
async function foreignIn(
  entries: readonly DiskEntry[],
): Promise<ReadonlyMap<string, string>> {
  const foreign = new Map<string, string>();
  for (const { path, name, kind } of entries) {
    const why = kind === "file" ? await foreignReason(path, name) : undefined;
    if (why === undefined) continue;
    foreign.set(path, why);
    for (const beside of entries) {
      if (beside.name.startsWith(`${name}-`)) foreign.set(beside.path, why);
    }
  }
  return foreign;
}

function itemsOf(
  [what, , isData]: FileKind,
  entries: readonly DiskEntry[],
): PlacedItem[] {
  const [first] = entries;
  if (first === undefined) return [];
  const shown = isData ? first.path : dirname(first.path);
  return [{
    what,
    shown: entries.length > 1 && !isData ? join(shown, "*") : first.path,
    paths: entries.map(({ path }) => path),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(isData && { isData }),
  }];
}

function stayingOf({ path, name, kind }: DiskEntry): StayingItem {
  const why = kind === "link"
    ? "a link, which svc does not follow"
    : KNOWN.get(name) ?? "not made by svc";
  return { path, why };
}

/** A file that a variable places outside the workspace: it may be another one by now. */
async function elsewhere(
  variable: string,
  place: string,
  { workspace, cwd }: { readonly workspace: string; readonly cwd: string },
): Promise<Findings> {
  const path = resolve(cwd, place);
  if (dirname(path) === workspace) return NO_FINDINGS;
  if (await entryAt(path, "") === undefined) return NO_FINDINGS;
  const why = `${variable} names it: remove it yourself`;
  return { ...NO_FINDINGS, staying: [{ path, why }] };
}
