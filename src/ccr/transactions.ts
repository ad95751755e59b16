/** Everything that changes the store, on one database connection. @module */
import type { DatabaseSync } from "node:sqlite";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  BlockKey,
  CcrBatch,
  CcrEntry,
  CcrKey,
  CcrWritten,
  ConversationKey,
  FrozenForm,
  RetrievalEvent,
} from "../core/store.ts";
import { textToBlob } from "./blob.ts";
import { clearStore } from "./clear.ts";
import { inTransaction } from "../writer/in_transaction.ts";
import { retrievalKey } from "./key.ts";
import { LAST_USE, Reads, UNUSED_LIFETIME_MS } from "./reads.ts";
import { prepareRoom } from "./room.ts";
import { prepareAll } from "./statements.ts";

/** Longest search text that an event keeps, in UTF-16 units: events are bounded by their number. */
export const MAX_QUERY = 500;

/** How long and how much is kept. */
export interface StoreBounds {
  /** Milliseconds that an original stored here lives after its last use, at least. */
  readonly ttlMs: number;
  /** Bytes of originals, as UTF-8. */
  readonly maxBytes: number;
}

/** What is known of the first form that elides an original replaces what was known while it was whole. */
const taken = (column: string) =>
  `${column} = iif(kept_items >= original_items
    AND excluded.kept_items < excluded.original_items,
    excluded.${column}, ${column})`;
const ABOUT_FORM = [
  "strategy",
  "tool_name",
  "original_tokens",
  "form_tokens",
  "original_items",
  "kept_items",
].map(taken);

const SQL = {
  activity: `INSERT INTO conversations (key, active_at) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET active_at = max(active_at, excluded.active_at)`,
  define:
    `UPDATE conversations SET definition = ? WHERE key = ? AND definition IS NULL`,
  undefine: `UPDATE conversations SET definition = NULL WHERE key = ?`,
  bytesOf: `SELECT bytes FROM entries WHERE key = ?`,
  keep: `INSERT INTO entries (key, strategy, tool_name, original_tokens,
      original_items, kept_items, stored_at, bytes, linked, original,
      form_tokens, life_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET stored_at = max(stored_at, excluded.stored_at),
      life_ms = max(life_ms, excluded.life_ms), ${ABOUT_FORM}`,
  use: `INSERT OR IGNORE INTO uses (conversation, entry)
    SELECT ?, key FROM entries WHERE key = ?`,
  prolong: `UPDATE entries SET life_ms = ?1 WHERE key = ?2 AND life_ms < ?1`,
  freeze: `INSERT OR IGNORE INTO forms (key, literal, strategy, entry,
      definition, tokens_before, tokens_after, used_at, needs)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  retract: `DELETE FROM forms WHERE key = ?`,
  touch: `UPDATE forms SET used_at = ? WHERE key = ?`,
  remember: `INSERT OR IGNORE INTO retrievals (anchor, format, data, digest)
    VALUES (?, ?, ?, ?)`,
  link: `INSERT OR IGNORE INTO retrieval_links (conversation, retrieval)
    SELECT ?, id FROM retrievals WHERE digest = ?`,
  anchor: `INSERT OR IGNORE INTO retrieval_anchors (name, retrieval)
    VALUES (?, ?)`,
  ask: `INSERT INTO retrieval_events (key, at, via, part, query, strategy,
      tool_name, items, total_items, tokens, conversation)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  mapId: `INSERT OR REPLACE INTO response_ids (seen, last, mapped_at)
    VALUES (?, ?, ?)`,
  expire: `DELETE FROM entries
    WHERE key = ? AND ${LAST_USE} + life_ms < ?`,
} as const;

/** Runs the store's transactions. One connection has at most one of these. */
export class Transactions {
  readonly #db: DatabaseSync;
  readonly #bounds: StoreBounds;
  readonly #reads: Reads;
  readonly #makeRoom: (added: number, now: number) => void;
  readonly #sql;

  /** Prepares the statements on a connection that may write and whose tables are there. */
  constructor(db: DatabaseSync, bounds: StoreBounds) {
    this.#db = db;
    this.#bounds = bounds;
    this.#reads = new Reads(db);
    this.#makeRoom = prepareRoom(db, this.#reads, bounds.maxBytes);
    this.#sql = prepareAll(db, SQL);
  }

  /**
   * Runs one batch as one transaction.
   *
   * @throws {TypeError} If a part needs a conversation and the batch names none.
   * @throws {Error} If the database refuses or there is no room: nothing was changed.
   */
  run(batch: CcrBatch): CcrWritten {
    return this.runAll([batch])[0]!;
  }

  /** Runs several as one transaction, in order; throws as {@linkcode Transactions.run} does. */
  runAll(batches: readonly CcrBatch[]): readonly CcrWritten[] {
    for (const batch of batches) requireConversation(batch);
    return inTransaction(
      this.#db,
      () => batches.map((batch) => this.#apply(batch)),
    );
  }

  /** Removes an original, unless it still lives at `now` (milliseconds since the Unix epoch). */
  expire(key: CcrKey, now: number): void {
    this.#sql.expire.run(key, now);
  }

  #apply(batch: CcrBatch): CcrWritten {
    const { conversation, now } = batch;
    if (batch.clear !== undefined) clearStore(this.#db, batch.clear, now);
    if (conversation !== undefined) {
      this.#noteConversation(conversation, batch);
    }
    this.#keepAll(batch);
    for (const key of batch.retract ?? []) this.#sql.retract.run(key);
    const written = this.#freezeAll(batch.forms ?? new Map(), now);
    for (const event of batch.asked ?? []) this.#ask(event, conversation);
    for (const key of batch.touch ?? []) this.#sql.touch.run(now, key);
    for (const [seen, last] of batch.responseIds ?? []) {
      this.#sql.mapId.run(textToBlob(seen), textToBlob(last), now);
    }
    return written;
  }

  #noteConversation(key: ConversationKey, batch: CcrBatch): void {
    this.#sql.activity.run(key, batch.now);
    if (batch.definition === null) this.#sql.undefine.run(key);
    else if (batch.definition !== undefined) {
      this.#sql.define.run(textToBlob(batch.definition), key);
    }
    // Before any eviction: what this conversation uses is then protected.
    for (const entry of batch.uses ?? []) {
      this.#sql.use.run(key, entry);
      this.#sql.prolong.run(this.#bounds.ttlMs, entry);
    }
    for (const one of batch.retrievals ?? []) this.#remember(key, one);
  }

  #remember(key: ConversationKey, retrieval: AnsweredRetrieval): void {
    const { anchor, format, data } = retrieval;
    const digest = retrievalKey(retrieval);
    const { changes, lastInsertRowid } = this.#sql.remember.run(
      textToBlob(anchor),
      format,
      textToBlob(data),
      digest,
    );
    this.#sql.link.run(key, digest);
    if (Number(changes) === 0) return;
    for (const name of anchor.split("\n")) {
      if (name !== "") this.#sql.anchor.run(textToBlob(name), lastInsertRowid);
    }
  }

  #ask(event: RetrievalEvent, conversation: ConversationKey | undefined): void {
    this.#sql.ask.run(
      event.key,
      event.at,
      event.via,
      event.part,
      textToBlob(event.query.slice(0, MAX_QUERY)),
      event.strategy,
      textToBlob(event.toolName),
      event.items,
      event.totalItems,
      event.tokens,
      conversation ?? null,
    );
  }

  #keepAll(batch: CcrBatch): void {
    const { entries = [], conversation, now } = batch;
    const originals = new Map<CcrKey, Uint8Array>();
    let added = 0;
    for (const { key, original } of entries) {
      if (originals.has(key)) continue;
      const blob = textToBlob(original);
      originals.set(key, blob);
      if (this.#sql.bytesOf.get(key) === undefined) added += blob.length;
      else if (conversation) this.#sql.use.run(conversation, key);
    }
    if (added > 0) this.#makeRoom(added, now);
    for (const entry of entries) {
      const blob = originals.get(entry.key);
      if (blob !== undefined) this.#keep(entry, blob, batch);
    }
  }

  #keep(
    entry: CcrEntry,
    original: Uint8Array,
    { conversation, keepsState = false }: CcrBatch,
  ): void {
    this.#sql.keep.run(
      entry.key,
      entry.strategy,
      textToBlob(entry.toolName),
      entry.originalTokens,
      entry.originalItems,
      entry.keptItems,
      entry.storedAt,
      original.length,
      conversation === undefined ? 0 : 1,
      original,
      entry.formTokens,
      Math.max(keepsState ? UNUSED_LIFETIME_MS : 0, this.#bounds.ttlMs),
    );
    if (conversation !== undefined) this.#sql.use.run(conversation, entry.key);
  }

  #freezeAll(
    forms: ReadonlyMap<BlockKey, FrozenForm>,
    now: number,
  ): CcrWritten {
    const inserted: BlockKey[] = [];
    const others: BlockKey[] = [];
    const held = new Map(forms);
    for (const [key, form] of forms) {
      if (this.#freeze(key, form, now)) inserted.push(key);
      else others.push(key);
    }
    for (const key of others) {
      this.#sql.touch.run(now, key);
      held.delete(key);
    }
    for (const [key, form] of this.#reads.forms(others, now)) {
      held.set(key, form);
    }
    return { forms: held, inserted };
  }

  #freeze(key: BlockKey, form: FrozenForm, now: number): boolean {
    const { changes } = this.#sql.freeze.run(
      key,
      form.literal,
      form.strategy,
      form.entry ?? null,
      form.definition === undefined ? null : textToBlob(form.definition),
      form.tokensBefore,
      form.tokensAfter,
      now,
      form.needs === undefined ? null : textToBlob(JSON.stringify(form.needs)),
    );
    return Number(changes) > 0;
  }
}

/** Throws a `TypeError` if a part of the batch needs a conversation and it names none. */
export function requireConversation(batch: CcrBatch): void {
  if (batch.conversation !== undefined) return;
  const parts = ["definition", "uses", "retrievals"] as const;
  const found = parts.find((part) => batch[part] !== undefined);
  if (found !== undefined) {
    throw new TypeError(
      `Cannot write ${found}: the batch must name a conversation`,
    );
  }
}
