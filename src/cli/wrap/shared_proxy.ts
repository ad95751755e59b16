/** A proxy that wrapped agents share, and the files of one run of an agent. @module */
import { systemCode } from "../../core/errors.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { askProxy, proxyUrl } from "../running_proxy.ts";
import { VERSION } from "../../version.ts";
import {
  ASK_MS,
  findProxy,
  pidOf,
  type ProxyWish,
  startProxy,
  stopProxy,
} from "./ensure_proxy.ts";
import { Leases, wrapDirectory } from "./leases.ts";
import type { HeldFile, WrapSystem } from "./system.ts";
import { keepAgent, ownerOf } from "../edits/keep.ts";
import { ALL_KEEPABLE, type Keepable } from "../edits/keep_rows.ts";
import { Journals } from "../edits/transaction.ts";
import { unwrapAll } from "../commands/unwrap.ts";
import type { WrapPlan } from "./plan.ts";

/** Where proxies are found and started. */
interface WrapPlace {
  readonly system: WrapSystem;
  /** `undefined` where there is no workspace for them. */
  readonly leases: Leases | undefined;
}

/**
 * Marks the proxy of an agent as used, and finds or starts it. Leaving ends it if a wrap started it and no other agent
 * uses it.
 *
 * @param useProxy Whether to look for it, which is the default; otherwise only the mark is made.
 * @throws {CliFailure} If there is none that it can use.
 */
export async function joinProxy(
  io: CliIo,
  wish: ProxyWish,
  { system, agent, useProxy = true }: {
    readonly system: WrapSystem;
    readonly agent: string;
    readonly useProxy?: boolean;
  },
): Promise<{ leave(): Promise<void> }> {
  const leases = new Leases(io, system);
  const { port } = wish.config;
  let lease: HeldFile;
  try {
    lease = await leases.alone(() => leases.take(port, agent));
  } catch (error) {
    const { message } = unusable(io, error);
    io.stderr(`${message}. This agent does not share its proxy\n`);
    return await joinAlone(io, useProxy ? wish : undefined, system);
  }
  try {
    if (useProxy) {
      await leases.alone(async () => {
        const pid = await usableProxy(io, wish, { system, leases });
        if (pid !== undefined) await leases.remember(port, { pid });
      });
    }
  } catch (error) {
    await lease.release();
    throw error;
  }
  return { leave: () => leave(io, leases, { system, lease, wish }) };
}

/** {@linkcode joinProxy} for one that stays: nothing is marked, and nothing ends it. */
export async function keepProxy(
  io: CliIo,
  wish: ProxyWish,
  system: WrapSystem,
): Promise<void> {
  const leases = new Leases(io, system);
  try {
    await leases.alone(async () => {
      await usableProxy(io, wish, { system, leases });
      await leases.remember(wish.config.port, undefined);
    });
  } catch (error) {
    throw unusable(io, error);
  }
}

/** Says that the workspace cannot be written to. @throws What is no error of the system. */
function unusable(io: CliIo, error: unknown): CliFailure {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return new CliFailure(`Cannot write to ${wrapDirectory(io)} (${code})`);
}

/** A proxy that nobody else can know of ends with the agent; `undefined` looks for none. */
async function joinAlone(
  io: CliIo,
  wish: ProxyWish | undefined,
  system: WrapSystem,
) {
  const pid = wish &&
    await usableProxy(io, wish, { system, leases: undefined });
  return {
    leave: async () => {
      if (pid !== undefined) await stopProxy(io, pid, system);
    },
  };
}

/** Makes sure that a proxy runs; gives the process of one that was started. */
async function usableProxy(
  io: CliIo,
  wish: ProxyWish,
  place: WrapPlace,
): Promise<number | undefined> {
  const { system } = place;
  const url = proxyUrl(wish.config);
  const found = await findProxy(io, wish, place);
  if (found.state === "usable") {
    const note = found.otherVersion === undefined
      ? ""
      : `, which has version ${found.otherVersion}, not ${VERSION}: start it again when no agent uses it`;
    io.stderr(`svc: using the proxy at ${url}${note}\n`);
    return undefined;
  }
  if (found.state === "outdated") await stopProxy(io, found.pid, system);
  for (const warning of wish.config.warnings) io.stderr(`svc: ${warning}\n`);
  const pid = await startProxy(io, wish, system);
  const { proxyLog } = wish.config.logs;
  io.stderr(
    `svc: started a proxy at ${url}${
      proxyLog === undefined ? "" : `, log in ${proxyLog}`
    }\n`,
  );
  return pid;
}

async function leave(
  io: CliIo,
  leases: Leases,
  { system, lease, wish: { config } }: {
    readonly system: WrapSystem;
    readonly lease: HeldFile;
    readonly wish: ProxyWish;
  },
): Promise<void> {
  try {
    await leases.alone(async () => {
      await lease.release();
      if (await leases.count(config.port) > 0) return;
      const started = await leases.started(config.port);
      if (started === undefined) return;
      const asked = await askProxy(config, io, ASK_MS);
      // What took its place meanwhile is another's.
      if (asked.state === "up" && pidOf(asked) === started.pid) {
        await stopProxy(io, started.pid, system);
      }
      await leases.remember(config.port, undefined);
    });
  } catch (error) {
    // The agent's exit code counts.
    const { message } = unusable(io, error);
    io.stderr(`svc: ${message}: a proxy may still run\n`);
  }
}

/** No files of a run. */
const NONE = { args: [], remove: () => Promise.resolve() };

/**
 * Edits the agent's file, or makes one, as far as the agent needs that. {@linkcode undoEndedRuns} takes edits back.
 *
 * @returns Arguments that name what was made, and what removes that.
 * @throws {CliFailure} If a file cannot be edited: it is as it was.
 */
export async function writeRunFiles(
  io: CliIo,
  { base, pointing, wish }: WrapPlan,
  leases: Leases,
) {
  const { edit, scratch } = pointing;
  if (scratch !== undefined) {
    const { option } = scratch;
    const path = await leases.writeScratch(wish.config.port, scratch);
    return { args: [option, path], remove: () => io.files.remove(path) };
  }
  if (edit === undefined) return NONE;
  const { id, title } = edit;
  // A run would not know what to give back.
  if (await new Journals(io).of(ownerOf(edit)) !== undefined) {
    throw new CliFailure(
      `Cannot edit the file of ${title} for one run: svc wrap ${id} --keep has edited it for good. Start ${title} without svc, or undo that with svc unwrap ${id}`,
    );
  }
  await leases.alone(async () => {
    const owners = await new Journals(io).owners();
    // One that has only begun has not edited the file.
    const taken = owners.includes(ownerOf(edit, "run"))
      ? await leases.portOf(id)
      : undefined;
    if (taken !== undefined && taken !== wish.config.port) {
      throw new CliFailure(
        `Cannot edit the file of ${title} for one run: another svc wrap ${id} runs, and the file leads to its proxy on port ${taken}. Use that one with --port ${taken}, or end the other run first`,
      );
    }
    const request = { agent: edit, base, dryRun: false, forRun: true } as const;
    await keepAgent(talkOnly(io), request);
  });
  return NONE;
}

/** Gives back what runs have edited that were killed; where another wrap is at work, that one does. */
export async function undoDeadRuns(io: CliIo, leases: Leases): Promise<void> {
  try {
    await undoEndedRuns(io, leases, 1);
  } catch (error) {
    if (systemCode(error) !== "EBUSY") throw error;
  }
}

/**
 * Gives back what runs have edited that have ended. A run calls this once its own lease is released: of two runs that
 * end at once, each would otherwise leave it to the other.
 *
 * @param maxWaits Times to wait five seconds for another wrap.
 * @throws {Error} The system's, with `code` `EBUSY` after the last wait.
 */
export async function undoEndedRuns(
  io: CliIo,
  leases: Leases,
  maxWaits?: number,
): Promise<void> {
  if ((await deadRuns(io, leases)).length === 0) return;
  await leases.alone(async () => {
    // One of them may have begun anew.
    const agents = await deadRuns(io, leases);
    await unwrapAll(talkOnly(io), { agents, dryRun: false, purposes: ["run"] });
  }, maxWaits);
}

/** Agents whose files a run has edited that does not run any more. */
async function deadRuns(
  io: CliIo,
  leases: Leases,
): Promise<readonly Keepable[]> {
  const owners = await new Journals(io).owners();
  const dead: Keepable[] = [];
  for (const agent of ALL_KEEPABLE) {
    if (!owners.includes(ownerOf(agent, "run"))) continue;
    if (await leases.portOf(agent.id) === undefined) dead.push(agent);
  }
  return dead;
}

/** Standard output belongs to the agent. */
function talkOnly(io: CliIo): CliIo {
  const decoder = new TextDecoder();
  const stdout = (bytes: Uint8Array) =>
    io.stderr(`svc: ${decoder.decode(bytes)}`);
  return { ...io, stdout };
}
