/** The ledger in a SQLite file, shared by processes. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Budget } from "../core/cost.ts";
import type { Log } from "../core/log.ts";
import {
  type DatabaseFile,
  isLocked,
  openDatabaseFile,
} from "../writer/database_file.ts";
import { Writer } from "../writer/writer.ts";
import { openLedgerChannel } from "./channel.ts";
import { Ledger } from "./ledger.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";

/** This process among those that take requests on one port. */
interface SharedRun {
  /** Names one start of the proxy: the same in all its processes, never used again. */
  readonly run: string;
  /** Number of this process. One that takes the place of a dead one has the same and frees what that held. */
  readonly slot: number;
}

/** What a ledger in a file needs. */
export interface SqliteLedgerOptions {
  /** Path of the database; missing parent directories are made. */
  readonly path: string;
  /** Time of budgets and limits. */
  readonly clock: Clock;
  /** Where failures are noted. */
  readonly log: Log;
  /** Version of this service, written beside the schema version. */
  readonly version: string;
  /** `undefined` for none. */
  readonly budget: Budget | undefined;
  /** Makes names that are never made again. */
  readonly newId: () => string;
  /** `undefined` when this process is the only one on its port. */
  readonly shared?: SharedRun | undefined;
  /** The writer of this process; one of its own when not given. */
  readonly writer?: Writer | undefined;
  /** Milliseconds that anything waits for the database; 2,000 when not given. */
  readonly patienceMs?: number | undefined;
}

/** Times that a locked file is opened, a quarter of a second each. */
const OPEN_TRIES = 40;

/**
 * Opens or makes the database, readable by its owner only. Reads run on the calling thread, writes in the worker.
 *
 * @throws {Error} If the file cannot be opened, is not a database of this service, is one of a newer service, or stays
 * locked. It is left as it is.
 */
export async function openSqliteLedger(
  options: SqliteLedgerOptions,
): Promise<Ledger> {
  const { db, readOnly } = await openFile(options);
  try {
    if (readOnly !== undefined) {
      throw new Error(`Cannot use the ledger: ${readOnly}`);
    }
    return ledgerOf(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Waits for another process that brings the tables of a large ledger up to date: some seconds. */
async function openFile(
  { path, version }: SqliteLedgerOptions,
): Promise<DatabaseFile> {
  const migrations = LEDGER_MIGRATIONS;
  for (let left = OPEN_TRIES - 1;; left--) {
    try {
      return await openDatabaseFile({ path, version, migrations });
    } catch (error) {
      if (left === 0 || !isLocked(error)) throw error;
    }
  }
}

function ledgerOf(db: DatabaseSync, options: SqliteLedgerOptions): Ledger {
  const { path, shared, newId, log } = options;
  const owner = { run: shared?.run ?? newId(), process: newId() };
  const channel = openLedgerChannel(options.writer ?? new Writer(), {
    path,
    ...owner,
    slot: shared?.slot,
  }, log);
  const isShared = shared !== undefined;
  return new Ledger({
    ...options,
    db,
    backend: "sqlite",
    channel,
    owner,
    isShared,
  });
}
