/** Which ledger a configuration means. @module */
import { Writer } from "../writer/writer.ts";
import {
  type DatabaseFile,
  isLocked,
  openDatabaseFile,
} from "../writer/database_file.ts";
import { LedgerTransactions } from "./transactions.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";
import { makeLedgerMaintenance } from "./maintenance.ts";
import { type LedgerChannel, openLedgerChannel } from "./channel.ts";
import { migrateTo } from "../writer/schema.ts";
import { DatabaseSync } from "node:sqlite";
import { errorMessage } from "../core/errors.ts";
import { Ledger, type LedgerParts } from "./ledger.ts";

/** What is configured about the ledger. */
interface LedgerOptions extends Omit<SqliteLedgerOptions, "path"> {
  /** The database file; `undefined` where nothing may be written, which means memory. */
  readonly path: string | undefined;
}

/**
 * Opens the ledger. When its file cannot be used, one warning is logged, the file is left as it is and a ledger in
 * memory takes its place. Never rejects for the file's sake.
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { path, log } = options;
  if (path === undefined) return openMemoryLedger(options);
  try {
    return await openSqliteLedger({ ...options, path });
  } catch (error) {
    const reason = errorMessage(error);
    log("warn", "ledger_unavailable", { path, reason });
    return openMemoryLedger(options);
  }
}

/** Requests that are kept, the newest. */
const MAX_REQUESTS = 1000;
/** Rows that are written at once: a few milliseconds, while each alone would take half a one. */
const GATHERED = 16;
/** So many tasks are done between two looks for old requests. */
const SWEEP_EVERY = 256;
/** No other process sees its rows. */
const OWNER = { run: "", process: "" };

/** Makes a ledger of this process alone: its counts, sums and spend are gone when the process ends. */
export function openMemoryLedger(
  { clock, budget }: Pick<SqliteLedgerOptions, "clock" | "budget">,
): Ledger {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "", LEDGER_MIGRATIONS);
  let lastId = 0;
  return new Ledger({
    db,
    backend: "memory",
    channel: channelOf(db),
    owner: OWNER,
    isShared: false,
    clock,
    log: () => {},
    budget,
    newId: () => `${++lastId}`,
    gathered: GATHERED,
  });
}

/** Writes on this thread. */
function channelOf(db: DatabaseSync): LedgerChannel {
  const transactions = new LedgerTransactions(db, {
    ...OWNER,
    path: "",
    slot: undefined,
  });
  const maintain = makeLedgerMaintenance(db, {
    maxRequests: MAX_REQUESTS,
    pauseMs: 0,
  });
  let unswept = 0;
  return {
    start() {},
    run(job) {
      // What ends after the proxy has stopped is counted nowhere.
      if (!db.isOpen) return Promise.resolve({ answers: [], spend: undefined });
      const written = transactions.run(job);
      unswept += job.tasks.length;
      if (unswept >= SWEEP_EVERY) {
        unswept %= SWEEP_EVERY;
        maintain(job.now);
      }
      return Promise.resolve(written);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** This process among those that take requests on one port. */
interface SharedRun {
  /** Names one start of the proxy: the same in all its processes, never used again. */
  readonly run: string;
  /** Number of this process. One that takes the place of a dead one has the same and frees what that held. */
  readonly slot: number;
}

/** What a ledger in a file needs. */
export interface SqliteLedgerOptions extends
  Pick<
    LedgerParts,
    "clock" | "log" | "budget" | "newId" | "timeoutMs"
  > {
  /** Path of the database; missing parent directories are made. */
  readonly path: string;
  /** Version of this service, written beside the schema version. */
  readonly version: string;
  /** `undefined` when this process is the only one on its port. */
  readonly shared?: SharedRun | undefined;
  /** The writer of this process; one of its own when not given. */
  readonly writer?: Writer | undefined;
}

/** Times that a locked file is opened, a quarter of a second each. */
const OPEN_TRIES = 40;

/**
 * Opens or makes the database, readable by its owner only. Reads run on the calling thread, writes in the worker.
 *
 * @throws {Error} If the file cannot be opened, is not a database of this service, is one of a newer service or too old, or
 * stays locked. It is left as it is.
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
