/** Listing originals without reading their texts. @module */
import type { DatabaseSync } from "node:sqlite";
import type { CcrEntrySummary, CcrKey } from "../core/store.ts";
import { blobToText } from "./blob.ts";
import { lifetimeOf, lifetimeSql, prepareLifetimes } from "./lifetimes.ts";
import { LAST_USE } from "./reads.ts";
import { prepareAll } from "./statements.ts";

const SQL = {
  /** Newest by the time of storing, of one life. */
  stored: `SELECT key FROM entries
  WHERE life_ms = ? AND stored_at >= ? ORDER BY stored_at DESC, rowid DESC
  LIMIT ?`,
  /** Those that living conversations send, the conversation active last first. */
  sent: `SELECT facts.key, conversations.active_at FROM conversations
  CROSS JOIN uses ON uses.conversation = conversations.key
  CROSS JOIN entries AS facts INDEXED BY entries_facts ON facts.key = uses.entry
  WHERE conversations.holds = 1 AND conversations.active_at >= ?3
    AND conversations.active_at + ${lifetimeSql("facts.life_ms", "?2")} >= ?1
  ORDER BY conversations.active_at DESC`,
  /** `form_tokens` comes from the index: in the row it stands behind the original. */
  summaries:
    `SELECT entries.key, entries.strategy, entries.tool_name AS toolName,
    entries.original_tokens AS originalTokens,
    facts.form_tokens AS formTokens, entries.original_items AS originalItems,
    entries.kept_items AS keptItems, entries.stored_at AS storedAt,
    entries.bytes,
    ${LAST_USE} AS lastUse,
    (SELECT count(*) FROM retrieval_events
      WHERE retrieval_events.key = entries.key) AS retrievals
  FROM json_each(?) AS wanted
  CROSS JOIN entries ON entries.key = wanted.value
  CROSS JOIN entries AS facts INDEXED BY entries_facts
    ON facts.key = entries.key
  ORDER BY lastUse DESC, entries.stored_at DESC, entries.rowid DESC LIMIT ?`,
} as const;

/** One row of the answer. */
interface SummaryRow extends Omit<CcrEntrySummary, "toolName"> {
  readonly toolName: Uint8Array;
}

/** What to list. */
export interface ListOptions {
  /** Originals at most. */
  readonly limit: number;
  /** Milliseconds since the Unix epoch: what has expired by then is left out. */
  readonly now: number;
  /** Milliseconds that an original lives after its last use where no life is noted, {@linkcode lifetimeOf}. */
  readonly ttlMs: number;
}

/** Prepared look-ups. */
export class Listing {
  readonly #lives;
  readonly #sql;

  /**
   * Prepares the look-ups.
   *
   * @param db Open connection; it may be read-only.
   * @throws {Error} If the tables are not those of this version.
   */
  constructor(db: DatabaseSync) {
    this.#lives = prepareLifetimes(db);
    this.#sql = prepareAll(db, SQL);
  }

  /** Living originals, the last used first. The cost depends on `limit` and on the originals of one conversation. */
  entries(options: ListOptions): CcrEntrySummary[] {
    const { limit } = options;
    if (limit < 1) return [];
    // The last used are among those stored last and those sent last.
    const keys = new Set(this.#storedLast(options));
    for (const key of this.#sentLast(options)) keys.add(key);
    const rows = this.#sql.summaries.all(JSON.stringify([...keys]), limit);
    return (rows as unknown as SummaryRow[])
      .map((row) => ({ ...row, toolName: blobToText(row.toolName) }));
  }

  #storedLast({ limit, now, ttlMs }: ListOptions): CcrKey[] {
    return this.#lives().flatMap((lifeMs) => {
      const since = now - lifetimeOf(lifeMs, ttlMs);
      const rows = this.#sql.stored.all(lifeMs, since, limit);
      return rows.map((row) => row["key"] as CcrKey);
    });
  }

  #sentLast({ limit, now, ttlMs }: ListOptions): Set<CcrKey> {
    const keys = new Set<CcrKey>();
    const lives = this.#lives().map((lifeMs) => lifetimeOf(lifeMs, ttlMs));
    const since = now - Math.max(0, ...lives);
    let last: unknown;
    for (
      const row of this.#sql.sent.iterate(now, lifetimeOf(0, ttlMs), since)
    ) {
      // What was sent at the same time is told apart by more than that.
      if (keys.size >= limit && row["active_at"] !== last) break;
      last = row["active_at"];
      keys.add(row["key"] as CcrKey);
    }
    return keys;
  }
}
