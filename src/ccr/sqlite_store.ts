/** The store in a SQLite file, shared by processes. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type {
  AskedShape,
  BlockKey,
  CcrBatch,
  CcrEntry,
  CcrEntrySummary,
  CcrKey,
  CcrMiss,
  CcrStats,
  CcrStore,
  CcrWritten,
  Conversation,
  ConversationKey,
  FrozenForm,
  RetrievalEvent,
} from "../core/store.ts";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import { openDatabaseFile } from "../writer/database_file.ts";
import { Writer, type WriterChannel } from "../writer/writer.ts";
import { History } from "./history.ts";
import { Listing } from "./listing.ts";
import { FORM_LIFE_MS, Reads } from "./reads.ts";
import { type CcrJob, openCcrChannel } from "./channel.ts";
import { MIGRATIONS } from "./schema.ts";

/** 1 GiB of originals. */
const MAX_BYTES = 2 ** 30;
/** The worker is started this long after opening, so that neither start-up nor the first write waits for it. */
const WARM_UP_MS = 100;

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
  /** Whether the writer is started ahead of the first write; true when not given. */
  readonly warmsUp?: boolean;
}

/**
 * Opens or makes the database, readable by its owner only. An older schema is migrated; a newer one is
 * opened read-only with one warning. A file that is something else is not changed.
 *
 * Reads run on the calling thread, writes in one worker.
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
    const store = new SqliteStore(db, readOnly, options);
    if (readOnly !== undefined) {
      log("warn", "ccr_store_read_only", { path, reason: readOnly });
    }
    return store;
  } catch (error) {
    db.close();
    throw error;
  }
}

class SqliteStore implements CcrStore {
  readonly #db: DatabaseSync;
  readonly #reads: Reads;
  readonly #history: History;
  readonly #listing: Listing;
  readonly #writer: WriterChannel<CcrJob, CcrWritten>;
  readonly #readOnly: string | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ttlMs: number;
  readonly #maxBytes: number;
  readonly #warmUp: ReturnType<typeof setTimeout> | undefined;

  constructor(
    db: DatabaseSync,
    readOnly: string | undefined,
    options: SqliteStoreOptions,
  ) {
    const { path, ttlSeconds, maxBytes = MAX_BYTES, clock, log } = options;
    this.#db = db;
    this.#reads = new Reads(db);
    this.#history = new History(db);
    this.#listing = new Listing(db);
    this.#readOnly = readOnly;
    this.#clock = clock;
    this.#log = log;
    this.#ttlMs = ttlSeconds * 1000;
    this.#maxBytes = maxBytes;
    this.#writer = openCcrChannel(options.writer ?? new Writer(), {
      path,
      ttlMs: this.#ttlMs,
      maxBytes,
      log,
    });
    if (readOnly !== undefined || options.warmsUp === false) return;
    this.#warmUp = setTimeout(() => this.#writer.start(), WARM_UP_MS);
    Deno.unrefTimer(Number(this.#warmUp));
  }

  forms(keys: readonly BlockKey[]): ReadonlyMap<BlockKey, FrozenForm> {
    return this.#reads.forms(keys, this.#clock.now() - FORM_LIFE_MS);
  }

  entry(key: CcrKey, now: number): CcrEntry | CcrMiss {
    const found = this.#reads.entry(key, now, this.#ttlMs);
    if ("status" in found && found.status === "expired") {
      this.#expire(key, now);
    }
    return found;
  }

  conversation(key: ConversationKey): Conversation | undefined {
    return this.#reads.conversation(key);
  }

  retrievals(key: ConversationKey): readonly AnsweredRetrieval[] {
    return this.#history.retrievals(key);
  }

  anchored(names: readonly string[]): readonly AnsweredRetrieval[] {
    return this.#history.anchored(names);
  }

  hasAnchors(): boolean {
    return this.#history.hasAnchors();
  }

  isLinked(key: ConversationKey, entry: CcrKey): boolean {
    return this.#reads.isLinked(key, entry);
  }

  asked(key: ConversationKey): readonly AskedShape[] {
    return this.#history.asked(key);
  }

  entries(limit: number): readonly CcrEntrySummary[] {
    const now = this.#clock.now();
    return this.#listing.entries({ limit, now, ttlMs: this.#ttlMs });
  }

  retrievalEvents(limit: number, key?: CcrKey): readonly RetrievalEvent[] {
    return this.#history.events(limit, key);
  }

  retrievalCount(key: CcrKey): number {
    return this.#history.count(key);
  }

  responseId(seen: string): string | undefined {
    return this.#reads.responseId(seen);
  }

  write(batch: CcrBatch): Promise<CcrWritten> {
    if (this.#readOnly !== undefined) {
      return Promise.reject(
        new Error(
          `Cannot write to the CCR store: ${this.#readOnly}; update this service`,
        ),
      );
    }
    return this.#writer.run({ type: "write", batch: detached(batch) });
  }

  full(): boolean {
    if (this.#readOnly !== undefined) return true;
    return this.#reads.totals().bytes >= this.#maxBytes &&
      !this.#reads.evictable(this.#clock.now());
  }

  stats(): CcrStats {
    const maxBytes = this.#maxBytes;
    return { backend: "sqlite", maxBytes, ...this.#reads.totals() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#warmUp);
    // First, so that the worker closes last and moves the log into the database off this thread.
    if (this.#db.isOpen) this.#db.close();
    await this.#writer[Symbol.asyncDispose]();
  }

  /** Not awaited: until the row is gone a look-up at this time finds it expired again. */
  #expire(key: CcrKey, now: number): void {
    if (this.#readOnly !== undefined) return;
    this.#writer.run({ type: "expire", key, now }).catch((error: Error) => {
      const { message: reason } = error;
      this.#log("warn", "ccr_store_expire_failed", { reason });
    });
  }
}

/** Copying a view to the worker would copy the whole buffer behind it, which may be a request body. */
function detached(batch: CcrBatch): CcrBatch {
  if (batch.forms === undefined) return batch;
  const forms = new Map<BlockKey, FrozenForm>();
  for (const [key, form] of batch.forms) {
    const { literal } = form;
    const whole = literal.byteLength === literal.buffer.byteLength;
    forms.set(key, whole ? form : { ...form, literal: literal.slice() });
  }
  return { ...batch, forms };
}
