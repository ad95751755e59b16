/** Everything that svc put on this machine, as far as it can be seen from here, and what is said of it. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { join, resolve } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import { headerOf } from "../completions/tree.ts";
import {
  entriesIn,
  entryAt,
  type Findings,
  isLocked,
  joined,
  NO_FINDINGS,
  type PlacedItem,
  startOf,
  type StayingItem,
} from "./disk.ts";
import {
  checkClaude,
  checkCodex,
  checkOpencode,
} from "../doctor/agent_checks.ts";
import { type Found, gather } from "../doctor/found.ts";
import { checkShell } from "../doctor/setup_checks.ts";
import { type Paths, resolvePaths } from "../../settings/paths.ts";
import { openRecord } from "../agents/record.ts";
import type { Machine } from "../doctor/machine.ts";
import { wrappedFiles } from "../commands/unwrap.ts";
import {
  allInstalled,
  type Installed,
  PLATFORMS,
} from "../install/installed.ts";
import type { CliIo } from "../io.ts";
import { memberOf } from "../running_proxy.ts";
import { type ProgramFacts, programItems } from "./program_items.ts";
import { workspaceItems } from "./workspace_items.ts";
import { AGENTS } from "../agents/registry.ts";
import { tableText } from "../table.ts";
import { manyText, sizeText } from "../words.ts";

/** Bytes in which the line is by which a script is known. */
const START_BYTES = 200;

/** Finds those that begin as svc prints them. */
export async function completionItems(env: TextValues): Promise<Findings> {
  const { HOME: home } = env;
  if (!home) return NO_FINDINGS;
  const data = env.XDG_DATA_HOME || join(home, ".local/share");
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const places = {
    bash: join(data, "bash-completion/completions/svc"),
    zsh: join(home, ".zfunc/_svc"),
    fish: join(config, "fish/completions/svc.fish"),
  };
  const items: PlacedItem[] = [];
  for (const [shell, path] of Object.entries(places)) {
    const entry = await entryAt(path, "");
    if (entry?.kind !== "file") continue;
    const lines = (await startOf(path, START_BYTES)).split("\n", 2);
    if (!lines.includes(headerOf(shell))) continue;
    const what = `completions for ${shell}`;
    items.push({ what, shown: path, paths: [path], bytes: entry.bytes });
  }
  return { ...NO_FINDINGS, items };
}

/** Files and variables that name the proxy as base URL, each once; nothing is changed. */
export async function stillRouted(found: Found): Promise<readonly string[]> {
  const { HOME, USERPROFILE } = found.io.env;
  const agents = HOME || USERPROFILE
    ? [
      await checkClaude(found),
      await checkCodex(found),
      await checkOpencode(found),
    ]
    : [];
  const inFiles = agents.flatMap(({ details }) =>
    partsOf(details["providers"] ?? [details])
  );
  const inShell = partsOf(checkShell(found).details["variables"])
    .map((name) => `${name} in the shell`);
  return [...new Set([...inFiles, ...inShell])];
}

function partsOf(routes: unknown): string[] {
  return Array.isArray(routes) ? routes.flatMap(placeOf) : [];
}

/** Where a route stands that leads to the proxy. */
function placeOf(route: unknown): string[] {
  if (!isJsonObject(route) || route["leads"] !== "here") return [];
  const { from } = route;
  return typeof from === "string" ? [from] : [];
}

/** What was found. */
export type Inventory = Awaited<ReturnType<typeof takeInventory>>;

/** What is looked at beside the outside world of every command. */
export interface UninstallMachine extends ProgramFacts {
  /** The system. */
  readonly machine: Machine;
}

/**
 * Looks; changes nothing.
 *
 * @throws {CliFailure} If the record of registrations cannot be read.
 */
export async function takeInventory(
  io: CliIo,
  facts: UninstallMachine,
) {
  const paths = placesOf(io);
  // Opening the ledger may leave files beside it.
  const openLedger = () => Promise.resolve(undefined);
  using found = await gather({
    io: { ...io, openLedger },
    machine: facts.machine,
  });
  const installs = paths === undefined ? [] : (await openRecord(io)).installs;
  const wrapped = paths === undefined ? [] : await wrappedFiles(io);
  const machine = { userId: facts.userId, sources: undefined };
  const services = paths === undefined ? [] : await allInstalled(io, machine);
  const routed = await stillRouted(found);
  return {
    /** Registrations with agents. */
    installs,
    /** Agents' files that lead to the proxy because svc wrote so. */
    wrapped,
    /** Proxies that the system starts because svc told it to. */
    services,
    /** Files and directories. */
    findings: joined([
      paths === undefined ? NO_FINDINGS : await workspaceItems(paths, {
        cwd: io.cwd,
        hasRecord: installs.length > 0,
        hasServices: services.length > 0,
      }),
      await completionItems(io.env),
      await programItems(io.env, facts),
    ]),
    /** What uses it now, and how to stop that; `undefined` for nothing. */
    inUse: proxyInUse(found, services) ??
      // A service holds its lock until it is removed.
      (services.length > 0 ? undefined : await processInUse(paths, io.cwd)),
    /** Base URL of the proxy. */
    proxyUrl: found.proxy.url,
    /** Files and variables that send requests to it. */
    routed: routed.filter((place) =>
      !wrapped.some(({ path }) => place.endsWith(` in ${path}`))
    ),
  };
}

/** `SVC_STATELESS` does not matter: what was written before is there. Without a home directory there are no places. */
function placesOf({ env }: CliIo): Paths | undefined {
  const hasPlace = env.SVC_WORKSPACE_DIR || env.HOME || env.USERPROFILE;
  return hasPlace ? resolvePaths(env) : undefined;
}

/** A proxy that answers where clients look for it; one with another workspace may still run from these files. */
function proxyInUse(
  { proxy }: Found,
  services: readonly Installed[],
): string | undefined {
  if (proxy.state !== "up") return undefined;
  const { profile } = memberOf(proxy.health, "deployment");
  const isOurs = services.some(({ service }) => service.profile === profile);
  if (isOurs) return undefined;
  const { pid } = proxy.config;
  const kill = typeof pid === "number" ? ` (or kill ${pid})` : "";
  return `a proxy runs at ${proxy.url}. Stop it with Ctrl-C in its terminal${kill}`;
}

/** Lock of a process beside its log: the first one has `proxy.log`, others `proxy-1.log` and so on. */
const LOG_LOCK = /^proxy(-\d+)?\.log\.lock$/;

/** A proxy on another port holds a lock beside its log. */
async function processInUse(
  paths: Paths | undefined,
  cwd: string,
): Promise<string | undefined> {
  if (paths === undefined) return undefined;
  const logs = join(resolve(cwd, paths.workspace), "logs");
  for (const { path, name } of await entriesIn(logs)) {
    if (!LOG_LOCK.test(name) || !await isLocked(path)) continue;
    const log = path.replace(/\.lock$/, "");
    return `a proxy is writing to ${log}. Stop it, whatever its port is`;
  }
  return undefined;
}

/** Paths that are named; of more there is a count. */
const MAX_NAMED = 10;

/** The list of what svc put there. Empty when that is nothing. */
export function listText(
  { installs, wrapped, services }: Pick<
    Inventory,
    "installs" | "wrapped" | "services"
  >,
  items: readonly PlacedItem[],
): string {
  const all = [installs, wrapped, services, items];
  if (all.every(({ length }) => length === 0)) return "";
  const rows = [
    ...installs.map(({ agent, file }) => [
      `MCP server in ${AGENTS[agent].title}`,
      "",
      file,
    ]),
    ...wrapped.map(({ agent, path }) => [
      `address in ${agent.title}`,
      "",
      path,
    ]),
    ...services.map(({ service, platform }) => [
      `service ${service.profile}`,
      "",
      PLATFORMS[platform].path(service),
    ]),
    ...items.map(({ what, bytes, shown }) => [what, sizeText(bytes), shown]),
  ];
  const sum = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const columns = ["What", "Size", "Where"].map((heading) => ({ heading }));
  const table = tableText(columns, rows, Infinity);
  return `svc put this on your machine, ${sizeText(sum)} in all:\n\n${
    indented(table)
  }`;
}

/** What stays; empty when that is nothing. */
export function stayingText(staying: readonly StayingItem[]): string {
  if (staying.length === 0) return "";
  const lines = staying.slice(0, MAX_NAMED)
    .map(({ path, why }) => `${path}: ${why}\n`);
  const more = staying.length - lines.length;
  const rest = more > 0 ? `and ${manyText(more, "further path")}\n` : "";
  return `This stays:\n${indented(lines.join("") + rest)}`;
}

/** Clients that find nobody any more; empty when there are none. */
export function routedText({ routed, proxyUrl }: Inventory): string {
  if (routed.length === 0) return "";
  return `This still sends requests to ${proxyUrl}, where nobody answers ` +
    `without svc; take it out yourself:\n${
      indented(routed.map((place) => `${place}\n`).join(""))
    }`;
}

/** Why something could not be removed. */
export function failureText(code: string): string {
  return `it could not be removed: ${
    REASONS.get(code) ?? code
  }; remove it yourself`;
}

/** What the usual failures of the system mean to the user. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
  ["EROFS", "the disk is read-only"],
  ["EBUSY", "it is in use"],
]);

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
