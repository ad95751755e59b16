/** Listing originals without reading their texts. @module */
import type { DatabaseSync } from "node:sqlite";
import type { CcrEntrySummary, CcrKey } from "../core/store.ts";
import { blobToText } from "./blob.ts";
import { prepareLifetimes } from "./lifetimes.ts";
import { LAST_USE } from "./reads.ts";
import { prepareAll } from "./statements.ts";

const SQL = {
  /** Newest by the time of storing, of one life. */
  stored: `SELECT key FROM entries
  WHERE life_ms = ? AND stored_at >= ? ORDER BY stored_at DESC, rowid DESC
  LIMIT ?`,
  /** Those that living conversations send, the conversation active last first. */
  sent: `SELECT entries.key, conversations.active_at FROM conversations
  CROSS JOIN uses ON uses.conversation = conversations.key
  CROSS JOIN entries ON entries.key = uses.entry
  WHERE conversations.holds = 1 AND conversations.active_at >= ?2
    AND conversations.active_at + entries.life_ms >= ?1
  ORDER BY conversations.active_at DESC`,
  summaries: `SELECT entries.key, strategy, tool_name AS toolName,
    original_tokens AS originalTokens, form_tokens AS formTokens,
    original_items AS originalItems, kept_items AS keptItems,
    stored_at AS storedAt, bytes, ${LAST_USE} AS lastUse,
    (SELECT count(*) FROM retrieval_events
      WHERE retrieval_events.key = entries.key) AS retrievals
  FROM json_each(?) AS wanted
  CROSS JOIN entries ON entries.key = wanted.value
  ORDER BY lastUse DESC, entries.stored_at DESC, entries.rowid DESC LIMIT ?`,
} as const;

/** One row of the answer. */
interface SummaryRow extends Omit<CcrEntrySummary, "toolName"> {
  readonly toolName: Uint8Array;
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

  /**
   * Living originals, the last used first. The cost depends on `limit` and on the originals of one conversation.
   *
   * @param limit Originals at most.
   * @param now Milliseconds since the Unix epoch: what has expired by then is left out.
   */
  entries(limit: number, now: number): CcrEntrySummary[] {
    if (limit < 1) return [];
    const lives = this.#lives();
    // The last used are among those stored last and those sent last.
    const keys = new Set(lives.flatMap((lifeMs) => {
      const rows = this.#sql.stored.all(lifeMs, now - lifeMs, limit);
      return rows.map((row) => row["key"] as CcrKey);
    }));
    const since = now - Math.max(0, ...lives);
    for (const key of this.#sentLast({ limit, now, since })) keys.add(key);
    const rows = this.#sql.summaries.all(JSON.stringify([...keys]), limit);
    return (rows as unknown as SummaryRow[])
      .map((row) => ({ ...row, toolName: blobToText(row.toolName) }));
  }

  #sentLast(
    { limit, now, since }: Readonly<Record<"limit" | "now" | "since", number>>,
  ): Set<CcrKey> {
    const keys = new Set<CcrKey>();
    let last: unknown;
    for (const row of this.#sql.sent.iterate(now, since)) {
      // What was sent at the same time is told apart by more than that.
      if (keys.size >= limit && row["active_at"] !== last) break;
      last = row["active_at"];
      keys.add(row["key"] as CcrKey);
    }
    return keys;
  }
}
