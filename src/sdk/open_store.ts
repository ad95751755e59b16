/** Opening a store of originals for the library: no worker, and in memory nothing but maps. @module */
import type { SqliteStoreOptions } from "../ccr/sqlite_store.ts";
import { errorMessage } from "../core/errors.ts";
import type { CcrStore } from "../core/store.ts";
import type { WriterRequest, WriterThread } from "../writer/writer.ts";
import { ConfigurationError } from "./errors.ts";
import { logOf } from "./failures.ts";
import type { CcrStoreOptions } from "./svc_types.ts";
import { VERSION } from "../version.ts";
import { SYSTEM_CLOCK } from "../system_clock.ts";

/** Seconds that an original lives after its last use. */
const TTL_SECONDS = 1800;

/** Seconds that originals live in each store that was opened here: a store does not tell. */
const lives = new WeakMap<CcrStore, number>();

/**
 * Opens a store of originals, for `createSvc` or for code of your own.
 *
 * In memory it works in every runtime. The file is the one that a proxy of svc uses too: give both the same path, and
 * they share it. Where the file cannot be used, or the runtime has no `node:sqlite` (Node before 22.5), one problem is
 * reported and a store in memory takes its place.
 *
 * @param options Which; default a store in memory.
 * @returns An open store; close it with `await store[Symbol.asyncDispose]()`.
 * @throws {ConfigurationError} If an option is of the wrong type, or a file has no path.
 *
 * @example
 * ```ts
 * import { createSvc, openCcrStore } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const store = await openCcrStore({ ttlSeconds: 60 });
 * const svc = createSvc({ store });
 * await svc.compressText("line\n".repeat(500));
 * assert.equal(store.stats().backend, "memory");
 * await svc.close();
 * await store[Symbol.asyncDispose]();
 * ```
 */
export async function openCcrStore(
  options: CcrStoreOptions = {},
): Promise<CcrStore> {
  checkStoreOptions(options);
  const { backend = "memory", path, ttlSeconds = TTL_SECONDS } = options;
  const { openMapStore } = await import("../ccr/map_store.ts");
  const clock = SYSTEM_CLOCK;
  const log = logOf(options.onProblem);
  const settings = { ttlSeconds, maxBytes: options.maxBytes, clock, log };
  const open = async () => {
    if (backend === "memory" || path === undefined) {
      return openMapStore(settings);
    }
    try {
      return await openFile({ ...settings, path });
    } catch (error) {
      log("warn", "ccr_store_unavailable", {
        reason: `${path}: ${
          errorMessage(error)
        }; originals are kept in memory instead`,
      });
      return openMapStore(settings);
    }
  };
  const store = await open();
  lives.set(store, ttlSeconds);
  return store;
}

/** Seconds that an original lives in a store after its last use; for a store of somebody else's what is usual. */
export function ttlSecondsOf(store: CcrStore): number {
  return lives.get(store) ?? TTL_SECONDS;
}

/**
 * Checks how a store is to be opened.
 *
 * @throws {ConfigurationError} If an option is of the wrong type, or a file has no path.
 */
export function checkStoreOptions(options: CcrStoreOptions): void {
  const { backend = "memory", path, ttlSeconds, maxBytes } = options;
  if (backend !== "memory" && backend !== "sqlite") {
    throw new ConfigurationError(
      `Cannot use store.backend=${
        JSON.stringify(backend)
      }: must be "memory" or "sqlite"`,
    );
  }
  if (backend === "sqlite" && (typeof path !== "string" || path === "")) {
    throw new ConfigurationError(
      'Cannot use store.backend="sqlite" without store.path: name the file',
    );
  }
  for (const [name, value] of Object.entries({ ttlSeconds, maxBytes })) {
    if (value === undefined || Number.isSafeInteger(value) && value > 0) {
      continue;
    }
    throw new ConfigurationError(
      `Cannot use store.${name}=${value}: must be a whole number, at least 1`,
    );
  }
}

async function openFile(
  settings: Omit<SqliteStoreOptions, "version">,
): Promise<CcrStore> {
  const [{ openSqliteStore }, { Writer }, spawn] = await Promise.all([
    import("../ccr/sqlite_store.ts"),
    import("../writer/writer.ts"),
    threadHere(),
  ]);
  const writer = new Writer({ spawn });
  return await openSqliteStore({ ...settings, version: VERSION, writer });
}

/** The writer's work, done in this thread: a library must not depend on where its worker's module is found. */
async function threadHere(): Promise<() => WriterThread> {
  const [{ startCcrWork }, { serveJobs }] = await Promise.all([
    import("../ccr/work.ts"),
    import("../writer/serve_jobs.ts"),
  ]);
  return () => {
    const thread: WriterThread = {
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      // Whoever asks gets the answer later, as from a thread.
      postMessage: (request: WriterRequest) =>
        queueMicrotask(() => serve(request)),
      terminate: () => {},
    };
    const serve = serveJobs(
      { ccr: startCcrWork },
      (answer) =>
        thread.onmessage?.(new MessageEvent("message", { data: answer })),
    );
    return thread;
  };
}
