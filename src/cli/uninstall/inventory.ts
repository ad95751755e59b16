/** Everything that svc put on this machine, as far as it can be seen from here. @module */
import { join, resolve } from "node:path";
import { type Paths, resolvePaths } from "../../settings/paths.ts";
import type { Install } from "../agents/install_record.ts";
import { openRecord } from "../agents/record_file.ts";
import { type Found, gather } from "../doctor/found.ts";
import type { Machine } from "../doctor/machine.ts";
import { type WrappedFile, wrappedFiles } from "../edits/unwrap.ts";
import { allInstalled, type Installed } from "../install/installed.ts";
import type { CliIo } from "../io.ts";
import { memberOf } from "../running_proxy.ts";
import { completionItems } from "./completion_items.ts";
import { entriesIn, isLocked } from "./disk.ts";
import { type Findings, joined, NO_FINDINGS } from "./item.ts";
import { type ProgramFacts, programItems } from "./program_items.ts";
import { stillRouted } from "./still_routed.ts";
import { workspaceItems } from "./workspace_items.ts";

/** What was found. */
export interface Inventory {
  /** Registrations with agents. */
  readonly installs: readonly Install[];
  /** Agents' files that lead to the proxy because svc wrote so. */
  readonly wrapped: readonly WrappedFile[];
  /** Proxies that the system starts because svc told it to. */
  readonly services: readonly Installed[];
  /** Files and directories. */
  readonly findings: Findings;
  /** What uses it now, and how to stop that; `undefined` for nothing. */
  readonly inUse: string | undefined;
  /** Base URL of the proxy. */
  readonly proxyUrl: string;
  /** Files and variables that send requests to it. */
  readonly routed: readonly string[];
}

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
): Promise<Inventory> {
  const paths = placesOf(io);
  // Opening the ledger may leave files beside it.
  const openLedger = () => Promise.resolve(undefined);
  const found = await gather({
    io: { ...io, openLedger },
    machine: facts.machine,
  });
  try {
    const installs = paths === undefined ? [] : (await openRecord(io)).installs;
    const wrapped = paths === undefined ? [] : await wrappedFiles(io);
    const machine = { userId: facts.userId, sources: undefined };
    const services = paths === undefined ? [] : await allInstalled(io, machine);
    const routed = await stillRouted(found);
    return {
      installs,
      wrapped,
      services,
      findings: joined([
        paths === undefined ? NO_FINDINGS : await workspaceItems(paths, {
          cwd: io.cwd,
          hasRecord: installs.length > 0,
          hasServices: services.length > 0,
        }),
        await completionItems(io.env),
        await programItems(io.env, facts),
      ]),
      inUse: proxyInUse(found, services) ??
        // A service holds its lock until it is removed.
        (services.length > 0 ? undefined : await processInUse(paths, io.cwd)),
      proxyUrl: found.proxy.url,
      routed: routed.filter((place) =>
        !wrapped.some(({ path }) => place.endsWith(` in ${path}`))
      ),
    };
  } finally {
    found.close();
  }
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
