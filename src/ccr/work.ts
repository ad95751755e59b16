/** The store's part of the worker that writes. @module */
import { DatabaseSync } from "node:sqlite";
import type { CcrBatch, CcrWritten } from "../core/store.ts";
import { type Checkpoints, makeCheckpoints } from "../writer/checkpoint.ts";
import { BUSY_MS } from "../writer/database_file.ts";
import type { Attempt, DatabaseWork, StartWork } from "../writer/serve_jobs.ts";
import type { CcrJob, CcrWorkSettings } from "./channel.ts";
import { shrink } from "./clear.ts";
import { makeMaintenance } from "./maintenance.ts";
import { Transactions } from "./transactions.ts";

/** The write connection and what runs on it. */
interface Connection {
  readonly db: DatabaseSync;
  readonly transactions: Transactions;
  readonly maintain: (now: number) => void;
  readonly checkpoints: Checkpoints;
}

const NOTHING: CcrWritten = { forms: new Map(), inserted: [] };
/** Milliseconds without a write after which housekeeping disturbs nobody. */
const IDLE_MS = 200;

/** Prepares the writes of one store; the database is opened by the first job. */
export const startCcrWork: StartWork = (settings, attempt) =>
  // The channel of this name sends them.
  new CcrWork(settings as CcrWorkSettings, attempt);

class CcrWork implements DatabaseWork {
  readonly #settings: CcrWorkSettings;
  readonly #attempt: Attempt;
  #connection: Connection | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** What was cleared may still stand in the files. */
  #cleared = false;

  constructor(settings: CcrWorkSettings, attempt: Attempt) {
    this.#settings = settings;
    this.#attempt = attempt;
  }

  perform(job: unknown): CcrWritten {
    // As above.
    const one = job as CcrJob;
    if (one.type === "write") {
      return this.#connected().transactions.run(one.batch);
    }
    this.#connected().transactions.expire(one.key, one.now);
    return NOTHING;
  }

  afterwards(job: unknown): void {
    const one = job as CcrJob;
    if (one.type === "write") this.#sweep(one.batch);
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    if (this.#cleared) this.#attempt(() => this.#shrinkFile());
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  #sweep({ now, clear }: CcrBatch): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(
      () => this.#attempt(() => this.#connection?.checkpoints.idle()),
      IDLE_MS,
    );
    if (clear !== undefined) this.#cleared = true;
    if (this.#cleared) this.#attempt(() => this.#shrinkFile());
    this.#attempt(() => {
      this.#connected().maintain(now);
      this.#connected().checkpoints.wrote();
    });
  }

  #shrinkFile(): void {
    shrink(this.#connected().db);
    this.#cleared = false;
  }

  /** Opened by the first job, so that a failure is that job's answer and the next one tries again. */
  #connected(): Connection {
    this.#connection ??= connect(this.#settings);
    return this.#connection;
  }
}

function connect(settings: CcrWorkSettings): Connection {
  const db = new DatabaseSync(settings.path, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA synchronous = NORMAL");
    const transactions = new Transactions(db, settings);
    return {
      db,
      transactions,
      maintain: makeMaintenance(db, settings.ttlMs),
      checkpoints: makeCheckpoints(db),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
