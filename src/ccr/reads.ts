/** Look-ups of the store on one database connection. @module */
import type { DatabaseSync } from "node:sqlite";
import type {
  BlockKey,
  CcrEntry,
  CcrKey,
  CcrMiss,
  Conversation,
  ConversationKey,
  FrozenForm,
} from "../core/store.ts";
import { blobToText, textToBlob } from "./blob.ts";
import { lifetimeOf } from "./lifetimes.ts";
import { prepareAll } from "./statements.ts";

/** A form is gone when it was not used for this long: 30 days, in milliseconds. */
export const UNUSED_LIFETIME_MS: number = 30 * 86_400_000;
/** A conversation active within this time is never evicted, nor is an original of none that was stored within it: 30 minutes, in milliseconds. */
export const PROTECTED_MS: number = 30 * 60_000;

/** Last use of a row of `entries`, in milliseconds since the Unix epoch. */
export const LAST_USE: string = `max(entries.stored_at, ifnull((
  SELECT max(conversations.active_at) FROM uses
  JOIN conversations ON conversations.key = uses.conversation
  WHERE uses.entry = entries.key), 0))`;

const SQL = {
  form: `SELECT * FROM forms WHERE key = ? AND used_at >= ?`,
  forms: `SELECT * FROM forms
  WHERE key IN (SELECT value FROM json_each(?)) AND used_at >= ?`,
  entry: `SELECT *, ${LAST_USE} AS last_use FROM entries WHERE entries.key = ?`,
  conversation:
    `SELECT definition, active_at, revision FROM conversations WHERE key = ?`,
  linked:
    `SELECT EXISTS (SELECT 1 FROM uses WHERE conversation = ? AND entry = ?) AS linked`,
  responseId: `SELECT last FROM response_ids WHERE seen = ?`,
  totals:
    `SELECT entries, bytes, original_tokens, form_tokens, retrievals FROM totals`,
  /** Something is evictable: an entry of no conversation that is not new, or one that only idle conversations use. */
  evictable: `SELECT EXISTS (
    SELECT 1 FROM entries WHERE linked = 0 AND stored_at < ?1)
  OR EXISTS (
    SELECT 1 FROM conversations JOIN uses ON uses.conversation = conversations.key
    WHERE holds = 1 AND active_at < ?1 AND NOT EXISTS (
      SELECT 1 FROM uses AS other
      JOIN conversations AS busy ON busy.key = other.conversation
      WHERE other.entry = uses.entry AND busy.active_at >= ?1)) AS evictable`,
} as const;

/** Column values of a row of `forms`. */
interface FormRow {
  readonly key: BlockKey;
  readonly literal: Uint8Array;
  readonly strategy: string;
  readonly entry: CcrKey | null;
  readonly definition: Uint8Array | null;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

/** Column values of a row of `entries` and its last use. */
interface EntryRow {
  readonly strategy: string;
  readonly tool_name: Uint8Array;
  readonly original_tokens: number;
  readonly form_tokens: number;
  readonly original_items: number;
  readonly kept_items: number;
  readonly stored_at: number;
  readonly life_ms: number;
  readonly original: Uint8Array;
  readonly last_use: number;
}

/** Column values of the only row of `totals`. */
interface TotalsRow {
  readonly entries: number;
  readonly bytes: number;
  readonly original_tokens: number;
  readonly form_tokens: number;
  readonly retrievals: number;
}

/** What the store holds. */
export interface Totals {
  /** Originals. */
  readonly entries: number;
  /** Sum of their UTF-8 bytes. */
  readonly bytes: number;
  /** Sum of their tokens. */
  readonly originalTokens: number;
  /** Sum of the tokens of the forms that stand for them. */
  readonly formTokens: number;
  /** Retrieval events held: at most the newest 10,000 or so. */
  readonly retrievals: number;
}

/** Prepared look-ups. The cost of each depends on what it returns, not on what else is stored. */
export class Reads {
  readonly #sql;

  /**
   * Prepares the look-ups.
   *
   * @param db Open connection; it may be read-only.
   * @throws {Error} If the tables are not those of this version.
   */
  constructor(db: DatabaseSync) {
    this.#sql = prepareAll(db, SQL);
  }

  /** Forms of these blocks that were last used at `usedSince` (milliseconds since the Unix epoch) or later. */
  forms(
    keys: readonly BlockKey[],
    usedSince: number,
  ): Map<BlockKey, FrozenForm> {
    const found = new Map<BlockKey, FrozenForm>();
    const [first] = keys;
    if (first === undefined) return found;
    // Nearly all requests have one new block: a list of keys takes twice the time.
    const rows = keys.length === 1
      ? this.#sql.form.all(first, usedSince)
      : this.#sql.forms.all(JSON.stringify(keys), usedSince);
    for (const row of rows as unknown as FormRow[]) {
      found.set(row.key, formOf(row));
    }
    return found;
  }

  /** The original, unless its last use is longer ago than its life; `ttlMs` where none is noted, {@linkcode lifetimeOf}. Removes nothing. */
  entry(key: CcrKey, now: number, ttlMs: number): CcrEntry | CcrMiss {
    const row = this.#sql.entry.get(key) as unknown as EntryRow | undefined;
    if (row === undefined) return { status: "missing" };
    const ageMs = now - row.last_use;
    return ageMs > lifetimeOf(row.life_ms, ttlMs)
      ? { status: "expired", ageMs }
      : entryOf(key, row);
  }

  /** `undefined` when unknown. */
  conversation(key: ConversationKey): Conversation | undefined {
    const row = this.#sql.conversation.get(key);
    if (row === undefined) return undefined;
    const definition = row["definition"] as Uint8Array | null;
    return {
      definition: definition === null ? undefined : blobToText(definition),
      activeAt: row["active_at"] as number,
      revision: row["revision"] as number,
    };
  }

  /** Whether the original is linked to the conversation. */
  isLinked(key: ConversationKey, entry: CcrKey): boolean {
    return this.#sql.linked.get(key, entry)?.["linked"] === 1;
  }

  /** `undefined` when it is not mapped. */
  responseId(seen: string): string | undefined {
    const row = this.#sql.responseId.get(textToBlob(seen));
    return row && blobToText(row["last"] as Uint8Array);
  }

  /** Kept by the database itself: one row. */
  totals(): Totals {
    const row = this.#sql.totals.get() as unknown as TotalsRow;
    return {
      entries: row.entries,
      bytes: row.bytes,
      originalTokens: row.original_tokens,
      formTokens: row.form_tokens,
      retrievals: row.retrievals,
    };
  }

  /** Whether an eviction at `now` (milliseconds since the Unix epoch) would free anything. */
  evictable(now: number): boolean {
    return this.#sql.evictable.get(now - PROTECTED_MS)?.["evictable"] === 1;
  }
}

function formOf(row: FormRow): FrozenForm {
  return {
    literal: row.literal,
    strategy: row.strategy,
    entry: row.entry ?? undefined,
    definition: row.definition === null
      ? undefined
      : blobToText(row.definition),
    tokensBefore: row.tokens_before,
    tokensAfter: row.tokens_after,
  };
}

function entryOf(key: CcrKey, row: EntryRow): CcrEntry {
  return {
    key,
    original: blobToText(row.original),
    strategy: row.strategy,
    toolName: blobToText(row.tool_name),
    originalTokens: row.original_tokens,
    formTokens: row.form_tokens,
    originalItems: row.original_items,
    keptItems: row.kept_items,
    storedAt: row.stored_at,
  };
}
