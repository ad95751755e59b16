/** The store of a running proxy as its user looks at it, from another process. @module */
import { DatabaseSync } from "node:sqlite";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { CutPart, Retrieved } from "../core/retrieved.ts";
import type { CcrStore } from "../core/store.ts";
import { BUSY_MS } from "../writer/database_file.ts";
import { type Clearable, clearable } from "./clear.ts";
import { makeRetriever } from "./retriever.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite_store.ts";

/** A user waits longer than a request: so many times {@linkcode BUSY_MS} for a lock. */
const TRIES = 60;

/** An open store and what a user does with it. */
export interface InspectedStore extends AsyncDisposable {
  /** For look-ups. */
  readonly store: CcrStore;
  /** Gives an original or a part of it back, and counts it. */
  retrieve(wanted: RetrievalArguments): Promise<Retrieved>;
  /** Counts what {@linkcode InspectedStore.clear} would remove now. */
  clearable(what: "idle" | "all"): Clearable;
  /**
   * Removes what is kept, {@linkcode CcrBatch.clear}; the space is given back by the time the store is closed.
   * @returns What was there to remove.
   * @throws {Error} If the store may not be written, or stays locked for some seconds: nothing was removed.
   */
  clear(what: "idle" | "all"): Promise<Clearable>;
}

/**
 * Opens a store that other processes may be using.
 *
 * @param options Names a file that is there.
 * @param cut Cuts parts out of originals.
 * @throws {Error} As {@linkcode openSqliteStore} does.
 */
export async function inspectStore(
  options: SqliteStoreOptions,
  cut: CutPart,
): Promise<InspectedStore> {
  const { path, clock, log, ttlSeconds } = options;
  const store = await openSqliteStore(options);
  const retriever = makeRetriever({
    store,
    clock,
    ttlSeconds,
    cut,
    onRetrieved: () => {},
    onUncounted: (error) =>
      log("warn", "ccr_retrieval_uncounted", { reason: String(error) }),
  });
  const count = (what: "idle" | "all") => {
    const db = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true });
    try {
      return clearable(db, what, clock.now());
    } finally {
      db.close();
    }
  };
  return {
    store,
    retrieve: (wanted) => retriever.give(wanted, "cli"),
    clearable: count,
    async clear(what) {
      const there = count(what);
      await insist(() => store.write({ now: clock.now(), clear: what }));
      return there;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Tries again while another process writes. */
async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1;; left--) {
    try {
      return await write();
    } catch (error) {
      if (left === 0 || !String(error).includes("locked")) throw error;
    }
  }
}
