/** The store's part of the worker that writes. @module */
import { DatabaseSync } from "node:sqlite";
import type { CcrBatch, CcrWritten } from "../core/store.ts";
import { BUSY_MS } from "../writer/database_file.ts";
import type { Attempt, DatabaseWork, StartWork } from "../writer/serve_jobs.ts";
import { shrink } from "./clear.ts";
import { type StoreBounds, Transactions } from "./transactions.ts";
import type { Log } from "../core/log.ts";
import type { Writer, WriterChannel } from "../writer/writer.ts";

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

/** What the worker is told first. */
interface CcrWorkSettings extends StoreBounds {
  /** Path of a database whose tables are there. */
  readonly path: string;
}

/** One thing for the worker to do. */
export type CcrJob =
  /** One transaction that clears: it may take seconds. */
  | { readonly type: "write"; readonly batch: CcrBatch }
  /** Copy the write-ahead log into the database: it waits for the disk. */
  | { readonly type: "copy" };

/** Opens the way to the store's database: the result of a job is what its transaction left behind. */
export function openCcrChannel(
  writer: Writer,
  { log, path, ttlMs, maxBytes }: CcrWorkSettings & { readonly log: Log },
): WriterChannel<CcrJob, CcrWritten> {
  const settings: CcrWorkSettings = { path, ttlMs, maxBytes };
  return writer.open<CcrJob, CcrWritten>({
    database: "ccr",
    settings,
    title: "the CCR store",
    slug: "ccr_store",
    log,
  });
}
