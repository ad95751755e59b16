/** Which store a configuration means. @module */
import type { CcrStore } from "../core/store.ts";
import { openMemoryStore } from "./memory_store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite_store.ts";

/** What is configured about the store. */
export interface StoreOptions extends Omit<SqliteStoreOptions, "path"> {
  /** `memory` leaves no file; `sqlite` is shared by processes and survives restarts. */
  readonly backend: "sqlite" | "memory";
  /** The database file; `undefined` where nothing may be written, which means `memory`. */
  readonly path: string | undefined;
}

/**
 * Opens the configured store. When its file cannot be used, one warning is logged, the file is left
 * as it is and a store in memory takes its place. Never rejects for the file's sake.
 */
export async function openStore(options: StoreOptions): Promise<CcrStore> {
  const { backend, path, log } = options;
  if (backend === "memory" || path === undefined) {
    return openMemoryStore(options);
  }
  try {
    return await openSqliteStore({ ...options, path });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log("warn", "ccr_store_unavailable", { path, reason });
    return openMemoryStore(options);
  }
}
