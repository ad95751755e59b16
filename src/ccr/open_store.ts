/** Which store a configuration means. @module */
import { errorMessage } from "../core/errors.ts";
import { DatabaseSync } from "node:sqlite";
import type { CcrBatch, CcrKey, CcrStore } from "../core/store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite_store.ts";
import { shrink } from "./clear.ts";
import { databaseReads } from "./database_reads.ts";
import { makeMaintenance } from "./maintenance.ts";
import { Reads } from "./reads.ts";
import { migrate } from "./schema.ts";
import { Transactions } from "./transactions.ts";

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
    const reason = errorMessage(error);
    log("warn", "ccr_store_unavailable", { path, reason });
    return openMemoryStore(options);
  }
}

/** Less than on disk: 256 MiB of originals, held by this process. */
const MAX_BYTES = 2 ** 28;

/**
 * Opens an empty store in memory. It runs the same statements as the one on disk, on a database without a file,
 * and needs no permission. Nothing survives closing it.
 */
export function openMemoryStore(
  options: Pick<StoreOptions, "ttlSeconds" | "maxBytes" | "clock" | "log">,
): CcrStore {
  const { clock, log } = options;
  const ttlMs = options.ttlSeconds * 1000;
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const db = new DatabaseSync(":memory:");
  migrate(db, "");
  const reads = new Reads(db);
  const transactions = new Transactions(db, { ttlMs, maxBytes });
  const maintain = makeMaintenance(db);

  const write = (batch: CcrBatch) => {
    const written = transactions.run(batch);
    try {
      if (batch.clear !== undefined) shrink(db);
      maintain(batch.now);
    } catch (error) {
      log("warn", "ccr_store_sweep_failed", { reason: String(error) });
    }
    return written;
  };
  const entry = (key: CcrKey, now: number) => {
    const found = reads.entry(key, now);
    if ("status" in found && found.status === "expired") {
      transactions.expire(key, now);
    }
    return found;
  };

  return {
    ...databaseReads(db, reads, clock),
    entry,
    write: (batch) => Promise.try(write, batch),
    full: () =>
      reads.totals().bytes >= maxBytes && !reads.evictable(clock.now()),
    stats: () => ({ backend: "memory", maxBytes, ...reads.totals() }),
    [Symbol.asyncDispose]: () => {
      if (db.isOpen) db.close();
      return Promise.resolve();
    },
  };
}
