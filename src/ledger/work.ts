/** The ledger's part of the worker that writes. @module */
import { DatabaseSync } from "node:sqlite";
import { BUSY_MS } from "../writer/database_file.ts";
import type { Attempt, DatabaseWork, StartWork } from "../writer/serve_jobs.ts";
import type {
  LedgerJob,
  LedgerWorkSettings,
  LedgerWritten,
} from "./channel.ts";
import { makeLedgerMaintenance } from "./maintenance.ts";
import { LedgerTransactions } from "./transactions.ts";

/** The write connection and what runs on it. */
interface Connection {
  readonly db: DatabaseSync;
  readonly transactions: LedgerTransactions;
  readonly maintain: (now: number) => void;
  readonly checkpoints: ReturnType<typeof makeCheckpoints>;
}

/** Milliseconds without a write after which housekeeping disturbs nobody. */
const IDLE_MS = 200;

/** Prepares the writes of one ledger; the database is opened by the first job. */
export const startLedgerWork: StartWork = (settings, attempt) =>
  // The channel of this name sends them.
  new LedgerWork(settings as LedgerWorkSettings, attempt);

class LedgerWork implements DatabaseWork {
  readonly #settings: LedgerWorkSettings;
  readonly #attempt: Attempt;
  #connection: Connection | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: LedgerWorkSettings, attempt: Attempt) {
    this.#settings = settings;
    this.#attempt = attempt;
  }

  perform(job: unknown): LedgerWritten {
    this.#connection ??= connect(this.#settings);
    // As above.
    return this.#connection.transactions.run(job as LedgerJob);
  }

  afterwards(job: unknown): void {
    const { now } = job as LedgerJob;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(
      () => this.#attempt(() => this.#connection?.checkpoints.idle()),
      IDLE_MS,
    );
    this.#attempt(() => {
      this.#connection?.maintain(now);
      this.#connection?.checkpoints.wrote();
    });
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    this.#connection?.db.close();
    this.#connection = undefined;
  }
}

function connect(settings: LedgerWorkSettings): Connection {
  const db = new DatabaseSync(settings.path, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA synchronous = NORMAL");
    return {
      db,
      transactions: new LedgerTransactions(db, settings),
      maintain: makeLedgerMaintenance(db),
      checkpoints: makeCheckpoints(db),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Writes after which the log is worth copying: about 4 MB. */
const MANY = 200;
/** Writes after which it is copied even if others follow closely. */
const TOO_MANY = 2000;

/**
 * Takes checkpoints off the writes: SQLite would run them inside the commit that fills the log, and that
 * one takes ten times as long because it waits for the disk.
 *
 * @param db Write connection; its automatic checkpoints are switched off.
 */
export function makeCheckpoints(db: DatabaseSync) {
  db.exec("PRAGMA wal_autocheckpoint = 0");
  let writes = 0;
  const copy = () => {
    writes = 0;
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  };
  return {
    /** To be called after each write was answered. */
    wrote() {
      writes++;
      if (writes >= TOO_MANY) copy();
    },
    /** To be called when nothing was written for a while. */
    idle() {
      if (writes >= MANY) copy();
    },
  };
}
