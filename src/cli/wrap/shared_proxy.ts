/** A proxy that wrapped agents share: the first one starts it, the last one ends it. @module */
import { CliFailure, systemCode } from "../failure.ts";
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

/** What an agent has of a proxy while it runs. */
export interface JoinedProxy {
  /** Ends the proxy if a wrap started it and no other agent uses it. */
  leave(): Promise<void>;
}

const NO_PROXY: JoinedProxy = { leave: () => Promise.resolve() };

/**
 * Marks the proxy of an agent as used, and finds or starts it.
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
): Promise<JoinedProxy> {
  const leases = new Leases(io, system);
  const { port } = wish.config;
  const lease = await leaseOf(io, { leases, port, agent });
  if (lease === undefined) {
    return useProxy ? await joinAlone(io, wish, system) : NO_PROXY;
  }
  const parts = { system, leases };
  try {
    if (useProxy) {
      await leases.alone(async () => {
        const pid = await usableProxy(io, wish, parts);
        if (pid !== undefined) await leases.remember(port, { pid });
      });
    }
  } catch (error) {
    await lease.release();
    throw error;
  }
  return { leave: () => leave(io, { ...parts, lease, config: wish.config }) };
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
    throw systemCode(error) === undefined ? error : unusable(io, error);
  }
}

/** The mark of an agent; `undefined` where the workspace cannot be written to. */
async function leaseOf(
  io: CliIo,
  { leases, port, agent }: {
    readonly leases: Leases;
    readonly port: number;
    readonly agent: string;
  },
): Promise<HeldFile | undefined> {
  try {
    return await leases.alone(() => leases.take(port, agent));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    io.stderr(
      `${unusable(io, error).message}. This agent does not share its proxy\n`,
    );
    return undefined;
  }
}

function unusable(io: CliIo, error: unknown): CliFailure {
  return new CliFailure(
    `Cannot write to ${wrapDirectory(io)} (${systemCode(error)})`,
  );
}

/** A proxy that nobody else can know of ends with the agent. */
async function joinAlone(
  io: CliIo,
  wish: ProxyWish,
  system: WrapSystem,
): Promise<JoinedProxy> {
  const pid = await usableProxy(io, wish, { system, leases: undefined });
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
  parts: { readonly system: WrapSystem; readonly leases: Leases | undefined },
): Promise<number | undefined> {
  const { system } = parts;
  const url = proxyUrl(wish.config);
  const found = await findProxy(io, wish, parts);
  if (found.state === "usable") {
    const { otherVersion } = found;
    const note = otherVersion === undefined
      ? ""
      : `, which has version ${otherVersion}, not ${VERSION}: start it again when no agent uses it`;
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
  { system, leases, lease, config }: {
    readonly system: WrapSystem;
    readonly leases: Leases;
    readonly lease: HeldFile;
    readonly config: ProxyWish["config"];
  },
): Promise<void> {
  const { port } = config;
  try {
    await leases.alone(async () => {
      await lease.release();
      if (await leases.count(port) > 0) return;
      const started = await leases.started(port);
      if (started === undefined) return;
      const asked = await askProxy(config, io, ASK_MS);
      // What took its place meanwhile is another's.
      if (asked.state === "up" && pidOf(asked) === started.pid) {
        await stopProxy(io, started.pid, system);
      }
      await leases.remember(port, undefined);
    });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // The agent's exit code counts.
    io.stderr(`svc: ${unusable(io, error).message}: a proxy may still run\n`);
  }
}
