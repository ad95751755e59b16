/** Which wrapped agents use which proxy, and which proxy they started. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";
import { systemCode } from "../../core/errors.ts";
import type { CliIo, FileWorld } from "../io.ts";
import { join, resolve } from "node:path";
import { resolvePaths } from "../../settings/paths.ts";
import type { HeldFile, WrapSystem } from "./system.ts";

/** Ending of the files that a wrap holds while its agent runs. */
const LEASE = ".lease";
/** Ending of the file that names the proxy a wrap has started. */
const PROXY = ".proxy";
/** Times to wait five seconds each for another wrap that starts or stops a proxy. */
const MAX_WAITS = 12;

/** The proxy that a wrap has started on a port. */
interface StartedProxy {
  /** Number of its process, as it says itself. */
  readonly pid: number;
}

/** Leases in the workspace. The methods are for one who is alone with them. */
export class Leases {
  readonly #directory: string;
  readonly #files: CliIo["files"];
  readonly #system: WrapSystem;

  /** Those of this workspace; nothing is read or made yet. */
  constructor(world: FileWorld, system: WrapSystem) {
    this.#directory = wrapDirectory(world);
    this.#files = world.files;
    this.#system = system;
  }

  /**
   * Does something while no other wrap starts or stops a proxy.
   *
   * @param maxWaits Times to wait five seconds for another one.
   * @throws {Error} The system's, if the workspace cannot be used; with `code` `EBUSY` after the last wait.
   */
  async alone<T>(work: () => Promise<T>, maxWaits = MAX_WAITS): Promise<T> {
    const lock = join(this.#directory, ".lock");
    for (let waits = 1;; waits++) {
      let hasBegun = false;
      try {
        return await this.#files.alone(lock, async () => {
          hasBegun = true;
          return await work();
        });
      } catch (error) {
        const isWaiting = !hasBegun && systemCode(error) === "EBUSY";
        if (!isWaiting || waits >= maxWaits) throw error;
      }
    }
  }

  /** Marks the proxy on a port as used until the agent has ended. */
  async take(port: number, agent: string): Promise<HeldFile> {
    const { pid } = this.#system;
    const path = join(this.#directory, this.#ownName(port));
    return await this.#system.hold(path, JSON.stringify({ agent, pid }));
  }

  /** How many other agents use the proxy on a port. What ended ones left is removed. */
  async count(port: number): Promise<number> {
    let count = 0;
    for (const name of await this.#others()) {
      if (!name.startsWith(`${port}-`)) continue;
      if (await this.#system.isHeld(join(this.#directory, name))) count++;
      else await this.#forget(name);
    }
    return count;
  }

  /** Names of the leases of other wraps. */
  async #others(): Promise<readonly string[]> {
    const names = await this.#files.namesIn(this.#directory);
    const own = `-${this.#system.pid}${LEASE}`;
    return names.filter((name) => name.endsWith(LEASE) && !name.endsWith(own));
  }

  /** Port of the proxy of another wrap that runs that agent; `undefined` for none. */
  async portOf(agent: string): Promise<number | undefined> {
    for (const name of await this.#others()) {
      const path = join(this.#directory, name);
      const text = await this.#files.read(path) ?? "";
      if (!text.includes(JSON.stringify(agent))) continue;
      if (await this.#system.isHeld(path)) return parseInt(name);
    }
    return undefined;
  }

  /** Writes a file for the run of this program's agent. */
  async writeScratch(
    port: number,
    { ending, text }: { readonly ending: string; readonly text: string },
  ): Promise<string> {
    const path = join(
      this.#directory,
      this.#ownName(port).replace(LEASE, ending),
    );
    const before = await this.#files.read(path);
    await this.#files.replace(path, { before, after: text });
    return path;
  }

  /** Removes the mark of an ended agent, and what was written for its run. */
  async #forget(lease: string): Promise<void> {
    const start = lease.slice(0, -LEASE.length);
    for (const name of await this.#files.namesIn(this.#directory)) {
      if (!name.startsWith(`${start}.`)) continue;
      await this.#files.remove(join(this.#directory, name));
    }
  }

  /** The proxy that a wrap has started on a port; `undefined` for none. */
  async started(port: number): Promise<StartedProxy | undefined> {
    const text = await this.#files.read(this.#recordOf(port));
    const value = parseJson(text ?? "");
    return isJsonObject(value) && typeof value.pid === "number"
      ? { pid: value.pid }
      : undefined;
  }

  /** Remembers the proxy that a wrap has started; `undefined` forgets it. */
  async remember(
    port: number,
    proxy: StartedProxy | undefined,
  ): Promise<void> {
    const path = this.#recordOf(port);
    if (proxy === undefined) return await this.#files.remove(path);
    const before = await this.#files.read(path);
    await this.#files.replace(path, { before, after: JSON.stringify(proxy) });
  }

  #ownName(port: number): string {
    return `${port}-${this.#system.pid}${LEASE}`;
  }

  #recordOf(port: number): string {
    return join(this.#directory, `${port}${PROXY}`);
  }
}

/** Where the leases are. */
export function wrapDirectory(
  { env, cwd }: Pick<FileWorld, "env" | "cwd">,
): string {
  return resolve(cwd, resolvePaths(env).workspace, "wraps");
}
