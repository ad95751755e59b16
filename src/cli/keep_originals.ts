/** Originals of single texts, kept where the proxy keeps its own. @module */
import { resolve } from "node:path";
import type { Log } from "../core/log.ts";
import type { CcrEntry, CcrStore } from "../core/store.ts";
import type { Config } from "../settings/resolve.ts";
import { reasonOf } from "./permissions.ts";

/** What it takes to keep an original. */
export interface KeepOriginalsParts {
  /**
   * The configuration; read when the first original comes.
   * @throws {RangeError} If a value cannot be used.
   */
  readonly config: () => Config;
  /** Opens a store that outlives this process. */
  readonly open: (path: string, config: Config) => Promise<CcrStore>;
  /** Where it is noted that an original could not be kept. */
  readonly log: Log;
}

/** Keeps originals until it is closed. */
export interface OriginalsKeeper {
  /**
   * Resolves once the original is on disk.
   * @throws {Error} If it cannot be kept there, or if nothing may be written: its marker must not be used then.
   */
  keep(entry: CcrEntry): Promise<void>;
  /** Closes the store, if one was opened. */
  close(): Promise<void>;
}

/** A keeper that opens its store when the first original comes. */
export function keepOriginals(parts: KeepOriginalsParts): OriginalsKeeper {
  let opened: Promise<CcrStore> | undefined;
  return {
    async keep(entry) {
      try {
        const store = await (opened ??= openedStore(parts));
        await store.write({ now: entry.storedAt, entries: [entry] });
      } catch (error) {
        parts.log("warn", "original_not_kept", { reason: reasonOf(error) });
        throw error;
      }
    },
    async close() {
      const store = await opened?.catch(() => undefined);
      await store?.[Symbol.asyncDispose]();
    },
  };
}

async function openedStore(parts: KeepOriginalsParts): Promise<CcrStore> {
  const config = parts.config();
  if (config.paths === undefined || config.ccr.backend === "memory") {
    const setting = config.paths === undefined
      ? "SVC_STATELESS is on, so that nothing is written"
      : "SVC_CCR_BACKEND is memory, which ends with this command";
    throw new RangeError(`${setting}. Unset it to save more`);
  }
  const path = resolve(config.paths.ccrStore);
  try {
    return await parts.open(path, config);
  } catch (error) {
    throw new Error(
      `${path} cannot be used (${
        reasonOf(error)
      }). Set SVC_WORKSPACE_DIR to a directory that you can write to`,
      { cause: error },
    );
  }
}
