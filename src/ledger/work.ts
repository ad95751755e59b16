/** The ledger's part of the worker that writes. @module */
import { DatabaseSync } from "node:sqlite";
import { type Checkpoints, makeCheckpoints } from "../writer/checkpoint.ts";
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
  readonly checkpoints: Checkpoints;
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
