/** The store in a SQLite file, shared by processes. @module */
import { errorMessage } from "../core/errors.ts";
import type { DatabaseSync } from "node:sqlite";
import { clearTimeout, setTimeout } from "node:timers";
import { nextTurn } from "../core/next_turn.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import {
  type CcrBatch,
  type CcrKey,
  type CcrStore,
  type CcrWritten,
  StoreLocked,
  type WriteTime,
} from "../core/store.ts";
import {
  BUSY_MS,
  isLocked,
  openDatabaseFile,
} from "../writer/database_file.ts";
import { Writer, type WriterChannel } from "../writer/writer.ts";
import { type DatabaseReads, databaseReads } from "./database_reads.ts";
import { Reads, type Totals } from "./reads.ts";
import { makeMaintenance } from "./maintenance.ts";
import { MIGRATIONS } from "./schema.ts";
import { Transactions } from "./transactions.ts";
import { Unchanged } from "./unchanged.ts";
import { WriteQueue } from "./write_queue.ts";
import { type CcrJob, openCcrChannel } from "./work.ts";

/** 1 GiB of originals. */
const MAX_BYTES = 2 ** 30;
/** Milliseconds that writes which no request waits for gather at most. */
const GATHER_MS = 250;
/** Writes after which the write-ahead log is worth copying: about 4 MB. */
const MANY_WRITES = 200;

/** What a store in a file needs. */
export interface SqliteStoreOptions {
  /** Path of the database; missing parent directories are made. */
  readonly path: string;
  /** Seconds that an original stored here lives after its last use; another process may give it longer. */
  readonly ttlSeconds: number;
  /** Bytes of originals; 1 GiB when not given. */
  readonly maxBytes?: number | undefined;
  /** Time of reads. */
  readonly clock: Clock;
  /** Where a newer schema and failures off the request path are noted. */
  readonly log: Log;
  /** Version of this service, written beside the schema version. */
  readonly version: string;
  /** The writer of this process; one of its own when not given. */
  readonly writer?: Writer | undefined;
  /** Milliseconds that a write waits for another process; 50 when not given. */
  readonly busyMs?: number;
}

/**
 * Opens or makes the database, readable by its owner only. An older schema is migrated; a newer one is
 * opened read-only with one warning. A file that is something else is not changed.
 *
 * Reads and short transactions run on the calling thread; clearing, and copying the write-ahead log into the
 * database, in the worker.
 *
 * @throws {Error} If the file cannot be opened, is not a database of this service, or stays locked.
 */
export async function openSqliteStore(
  options: SqliteStoreOptions,
): Promise<CcrStore> {
  const { path, version, log } = options;
  const { db, readOnly } = await openDatabaseFile({
    path,
    version,
    migrations: MIGRATIONS,
  });
  try {
    const { store } = new SqliteStore(db, readOnly, options);
    if (readOnly !== undefined) {
      log("warn", "ccr_store_read_only", { path, reason: readOnly });
    }
    return store;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What writes on this thread. */
interface Writes {
  readonly transactions: Transactions;
  readonly maintain: (now: number) => boolean;
}

const TOTALS = "totals";
const NEWEST_EVENT = "newest event";
const responseName = (seen: string) => `response ${seen}`;

class SqliteStore {
  readonly #db: DatabaseSync;
  readonly #reads: Reads;
  readonly #answers: DatabaseReads;
  readonly #unchanged: Unchanged;
  readonly #worker: WriterChannel<CcrJob, CcrWritten>;
  readonly #readOnly: string | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ttlMs: number;
  readonly #maxBytes: number;
  #writes: Writes | undefined;
  readonly #queue = new WriteQueue((batches) => this.#writeNow(batches));
  /** Writes since the log was copied. */
  #uncopied = 0;
  #housekeeping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    db: DatabaseSync,
    readOnly: string | undefined,
    options: SqliteStoreOptions,
  ) {
    const { path, ttlSeconds, maxBytes = MAX_BYTES, clock, log } = options;
    this.#db = db;
    this.#reads = new Reads(db);
    this.#unchanged = new Unchanged(db);
    this.#readOnly = readOnly;
    this.#clock = clock;
    this.#log = log;
    const ttlMs = this.#ttlMs = ttlSeconds * 1000;
    this.#answers = databaseReads(db, this.#reads, clock);
    this.#maxBytes = maxBytes;
    const settings = { path, ttlMs, maxBytes, log };
    this.#worker = openCcrChannel(options.writer ?? new Writer(), settings);
    if (readOnly !== undefined) return;
    // A copy inside a commit would wait for the disk.
    db.exec(
      `PRAGMA query_only = OFF; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = ${
        options.busyMs ?? BUSY_MS
      }`,
    );
  }

  /** What others see of it. */
  get store(): CcrStore {
    const reads = this.#answers;
    return {
      ...reads,
      conversation: (key) =>
        this.#unchanged.get(key, () => reads.conversation(key)),
      responseId: (seen) =>
        this.#unchanged.get(responseName(seen), () => reads.responseId(seen)),
      retrievalEvents: (limit, key) =>
        limit === 1 && key === undefined
          ? this.#unchanged.get(NEWEST_EVENT, () => reads.retrievalEvents(1))
          : reads.retrievalEvents(limit, key),
      entry: (key, now) => {
        const found = this.#reads.entry(key, now);
        if ("status" in found && found.status === "expired") {
          this.#expire(key, now);
        }
        return found;
      },
      write: (batch, when) => this.#write(batch, when),
      full: () =>
        this.#readOnly !== undefined ||
        this.#totals().bytes >= this.#maxBytes &&
          !this.#reads.evictable(this.#clock.now()),
      stats: () => ({
        backend: "sqlite",
        maxBytes: this.#maxBytes,
        ...this.#totals(),
      }),
      [Symbol.asyncDispose]: () => this.#close(),
    };
  }

  async #write(
    batch: CcrBatch,
    when: WriteTime = "now",
  ): Promise<CcrWritten> {
    if (this.#readOnly !== undefined) {
      throw new Error(
        `Cannot write to the CCR store: ${this.#readOnly}; update this service`,
      );
    }
    if (batch.clear !== undefined) return await this.#clear(batch);
    if (when === "soon") return await this.#writeSoon(batch);
    try {
      return this.#writeNow([batch])[0]!;
    } catch (error) {
      if (when === "now" || !(error instanceof StoreLocked)) throw error;
      return await this.#writeSoon(batch);
    }
  }

  #writeSoon(batch: CcrBatch): Promise<CcrWritten> {
    const written = this.#queue.add(batch);
    if (this.#queue.size > 0) this.#keepHouseSoon().ref();
    return written;
  }

  async #close(): Promise<void> {
    // Who waited for a write may have more to write.
    do {
      clearTimeout(this.#housekeeping);
      this.#queue.writeAll();
      await nextTurn();
    } while (this.#queue.size > 0);
    clearTimeout(this.#housekeeping);
    // First, so that the worker, if there is one, closes last and moves the log into the database off this thread.
    if (this.#db.isOpen) this.#db.close();
    await this.#worker[Symbol.asyncDispose]();
  }

  #totals(): Totals {
    return this.#unchanged.get(TOTALS, () => this.#reads.totals());
  }

  /** One transaction on this thread. Throws where it is refused. */
  #writeNow(batches: readonly CcrBatch[]): readonly CcrWritten[] {
    try {
      return this.#connected().transactions.runAll(batches);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      const reason = `Cannot write to the CCR store: ${errorMessage(error)}`;
      throw isLocked(error) ? new StoreLocked(reason) : new Error(reason);
    } finally {
      this.#changedBy(batches);
      this.#uncopied++;
      this.#keepHouseSoon();
    }
  }

  #connected(): Writes {
    const limits = { ttlMs: this.#ttlMs, maxBytes: this.#maxBytes };
    return this.#writes ??= {
      transactions: new Transactions(this.#db, limits),
      maintain: makeMaintenance(this.#db),
    };
  }

  #changedBy(batches: readonly CcrBatch[]): void {
    this.#unchanged.forget(TOTALS);
    for (const { conversation, asked, responseIds = [] } of batches) {
      if (asked !== undefined) this.#unchanged.forget();
      else if (conversation) this.#unchanged.forget(conversation);
      for (const [seen] of responseIds) {
        this.#unchanged.forget(responseName(seen));
      }
    }
  }

  /** What no request waits for. The process need not go on for it, but for queued batches. */
  #keepHouseSoon(): ReturnType<typeof setTimeout> {
    return this.#housekeeping ??= setTimeout(
      () => this.#keepHouse(),
      GATHER_MS,
    ).unref();
  }

  #keepHouse(): void {
    try {
      if (this.#writes?.maintain(this.#clock.now())) this.#unchanged.forget();
    } catch (error) {
      this.#sweepFailed(error);
    }
    this.#queue.writeAll();
    this.#housekeeping = undefined;
    if (this.#queue.size > 0) this.#keepHouseSoon().ref();
    if (this.#uncopied < MANY_WRITES) return;
    this.#uncopied = 0;
    this.#worker.run({ type: "copy" }).catch((error: unknown) =>
      this.#sweepFailed(error)
    );
  }

  #sweepFailed(error: unknown): void {
    const reason = errorMessage(error);
    this.#log("warn", "ccr_store_sweep_failed", { reason });
  }

  /** Resolves when what was cleared is in no file any more, or when that has to be tried again. */
  async #clear(batch: CcrBatch): Promise<CcrWritten> {
    this.#queue.writeAll();
    const written = await this.#worker.run({ type: "write", batch });
    await this.#worker.run({ type: "copy" });
    return written;
  }

  #expire(key: CcrKey, now: number): void {
    if (this.#readOnly !== undefined) return;
    try {
      this.#connected().transactions.expire(key, now);
      this.#unchanged.forget(TOTALS);
    } catch (error) {
      // Until the row is gone a look-up at this time finds it expired again.
      const reason = errorMessage(error);
      this.#log("warn", "ccr_store_expire_failed", { reason });
    }
  }
}
