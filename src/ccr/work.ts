/** The store's part of the worker that writes. @module */
import { DatabaseSync } from "node:sqlite";
import type { CcrWritten } from "../core/store.ts";
import { BUSY_MS } from "../writer/database_file.ts";
import type { Attempt, DatabaseWork, StartWork } from "../writer/serve_jobs.ts";
import type { CcrJob, CcrWorkSettings } from "./channel.ts";
import { shrink } from "./clear.ts";
import { Transactions } from "./transactions.ts";

/** The write connection and what runs on it. */
interface Connection {
  readonly db: DatabaseSync;
  readonly transactions: Transactions;
}

const NOTHING: CcrWritten = { forms: new Map(), inserted: [] };

/** Prepares the work on one store; the database is opened by the first job. */
export const startCcrWork: StartWork = (settings, attempt) =>
  // The channel of this name sends them.
  new CcrWork(settings as CcrWorkSettings, attempt);

class CcrWork implements DatabaseWork {
  readonly #settings: CcrWorkSettings;
  readonly #attempt: Attempt;
  #connection: Connection | undefined;
  /** What was cleared may still be in the files. */
  #cleared = false;

  constructor(settings: CcrWorkSettings, attempt: Attempt) {
    this.#settings = settings;
    this.#attempt = attempt;
  }

  perform(job: unknown): CcrWritten {
    // As above.
    const one = job as CcrJob;
    // Opened by the first job, so that a failure is that job's answer and the next one tries again.
    const { db, transactions } = this.#connection ??= connect(this.#settings);
    if (one.type === "copy") {
      db.exec("PRAGMA wal_checkpoint(PASSIVE)");
      return NOTHING;
    }
    const written = transactions.run(one.batch);
    this.#cleared ||= one.batch.clear !== undefined;
    return written;
  }

  afterwards(): void {
    if (this.#cleared) this.#attempt(() => this.#shrinkFile());
  }

  close(): void {
    this.afterwards();
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  #shrinkFile(): void {
    if (this.#connection !== undefined) shrink(this.#connection.db);
    this.#cleared = false;
  }
}

function connect(settings: CcrWorkSettings): Connection {
  const db = new DatabaseSync(settings.path, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    return { db, transactions: new Transactions(db, settings) };
  } catch (error) {
    db.close();
    throw error;
  }
}
