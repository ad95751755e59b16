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

const FORMS = `SELECT key, literal, strategy, entry, definition,
    tokens_before AS tokensBefore, tokens_after AS tokensAfter, needs
  FROM forms`;

const SQL = {
  form: `${FORMS} WHERE key = ? AND used_at >= ?`,
  forms: `${FORMS}
    WHERE key IN (SELECT value FROM json_each(?)) AND used_at >= ?`,
  entry: `SELECT original, strategy, tool_name AS toolName,
      original_tokens AS originalTokens, form_tokens AS formTokens,
      original_items AS originalItems, kept_items AS keptItems,
      stored_at AS storedAt, life_ms AS lifeMs, ${LAST_USE} AS lastUse
    FROM entries WHERE entries.key = ?`,
  conversation:
    `SELECT definition, active_at AS activeAt, revision FROM conversations WHERE key = ?`,
  linked:
    `SELECT EXISTS (SELECT 1 FROM uses WHERE conversation = ? AND entry = ?) AS linked`,
  responseId: `SELECT last FROM response_ids WHERE seen = ?`,
  totals: `SELECT entries, bytes, original_tokens AS originalTokens,
    form_tokens AS formTokens, retrievals FROM totals`,
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

/** A row of `forms`. */
interface FormRow extends Omit<FrozenForm, "entry" | "definition" | "needs"> {
  readonly key: BlockKey;
  readonly entry: CcrKey | null;
  readonly definition: Uint8Array | null;
  readonly needs: Uint8Array | null;
}

/** A row of `entries` and its last use. */
interface EntryRow extends Omit<CcrEntry, "key" | "original" | "toolName"> {
  readonly original: Uint8Array;
  readonly toolName: Uint8Array;
  readonly lifeMs: number;
  readonly lastUse: number;
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
    for (const { key, needs, ...row } of rows as unknown as FormRow[]) {
      const entry = row.entry ?? undefined;
      found.set(key, {
        ...{ ...row, entry, definition: textIn(row.definition) },
        ...needs && { needs: JSON.parse(blobToText(needs)) },
      });
    }
    return found;
  }

  /** The original, unless its last use is longer ago than its life. Removes nothing. */
  entry(key: CcrKey, now: number): CcrEntry | CcrMiss {
    const found = this.#sql.entry.get(key) as unknown as EntryRow | undefined;
    if (found === undefined) return { status: "missing" };
    const { original, lastUse, lifeMs, ...row } = found;
    const ageMs = now - lastUse;
    if (ageMs > lifeMs) return { status: "expired", ageMs };
    return {
      key,
      original: blobToText(original),
      ...row,
      toolName: blobToText(row.toolName),
    };
  }

  /** `undefined` when unknown. */
  conversation(key: ConversationKey): Conversation | undefined {
    const row = this.#sql.conversation.get(key) as unknown as
      | Omit<Conversation, "definition"> & Pick<FormRow, "definition">
      | undefined;
    return row && { ...row, definition: textIn(row.definition) };
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
    return { ...this.#sql.totals.get() } as unknown as Totals;
  }

  /** Whether an eviction at `now` (milliseconds since the Unix epoch) would free anything. */
  evictable(now: number): boolean {
    return this.#sql.evictable.get(now - PROTECTED_MS)?.["evictable"] === 1;
  }
}

function textIn(blob: Uint8Array | null): string | undefined {
  return blob === null ? undefined : blobToText(blob);
}
