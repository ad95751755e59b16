/** Look-ups of answered retrievals and of what was asked for, on one database connection. @module */
import { Buffer } from "node:buffer";
import type { DatabaseSync } from "node:sqlite";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type { CcrStore, RetrievalEvent } from "../core/store.ts";
import { blobToText, textToBlob } from "./blob.ts";
import { prepareAll } from "./statements.ts";

const EVENTS =
  `SELECT key, at, via, part, query, strategy, tool_name AS toolName,
    items, total_items AS totalItems, tokens
  FROM retrieval_events`;

const SQL = {
  retrievals: `SELECT anchor, format, data FROM retrieval_links AS link
  CROSS JOIN retrievals ON retrievals.id = link.retrieval
  WHERE link.conversation = ? ORDER BY link.id`,
  anyAnchor: `SELECT 1 FROM retrieval_anchors LIMIT 1`,
  /** Names come as hexadecimal digits: text would end at a NUL. */
  anchored: `SELECT anchor, format, data FROM retrievals WHERE id IN (
  SELECT retrieval FROM retrieval_anchors
  WHERE name IN (SELECT unhex(value) FROM json_each(?))) ORDER BY id`,
  /** A person who looks is no model that asks. */
  asked: `SELECT tool_name, strategy, count(*) AS count FROM (
    SELECT tool_name, strategy FROM retrieval_events
    WHERE conversation = ?1 AND via IN ('proxy', 'mcp', 'library')
    UNION ALL
    SELECT event.tool_name, event.strategy FROM uses
    CROSS JOIN retrieval_events AS event
      ON event.conversation IS NULL AND event.key = uses.entry
    WHERE uses.conversation = ?1 AND event.via IN ('proxy', 'mcp', 'library'))
  GROUP BY tool_name, strategy ORDER BY tool_name, strategy`,
  events: `${EVENTS} ORDER BY id DESC LIMIT ?`,
  eventsOf: `${EVENTS} WHERE key = ? ORDER BY id DESC LIMIT ?`,
  count: `SELECT count(*) AS count FROM retrieval_events WHERE key = ?`,
} as const;

/** A row of `retrieval_events`. */
interface EventRow extends Omit<RetrievalEvent, "query" | "toolName"> {
  readonly query: Uint8Array;
  readonly toolName: Uint8Array;
}

/** What a store knows of retrievals. */
export type History = Pick<
  CcrStore,
  | "retrievals"
  | "anchored"
  | "hasAnchors"
  | "asked"
  | "retrievalEvents"
  | "retrievalCount"
>;

/**
 * Prepares the look-ups. The cost of each depends on what it finds, not on what else is stored.
 *
 * @param db Open connection; it may be read-only.
 * @throws {Error} If the tables are not those of this version.
 */
export function historyOf(db: DatabaseSync): History {
  const sql = prepareAll(db, SQL);
  const hasAnchors = () => sql.anyAnchor.get() !== undefined;
  return {
    hasAnchors,
    retrievals: (key) => sql.retrievals.all(key).map(retrievalOf),
    anchored(names) {
      // Most stores hold nothing of the kind.
      if (names.length === 0 || !hasAnchors()) return [];
      const wanted = [...new Set(names)].map((name) =>
        Buffer.from(textToBlob(name)).toString("hex")
      );
      return sql.anchored.all(JSON.stringify(wanted)).map(retrievalOf);
    },
    // By tool, then strategy.
    asked: (key) =>
      sql.asked.all(key).map((row) => ({
        toolName: blobToText(row["tool_name"] as Uint8Array),
        strategy: row["strategy"] as string,
        count: row["count"] as number,
      })),
    retrievalEvents(limit, key) {
      const rows = key === undefined
        ? sql.events.all(limit)
        : sql.eventsOf.all(key, limit);
      return (rows as unknown as EventRow[]).map(eventOf);
    },
    retrievalCount: (key) => sql.count.get(key)?.["count"] as number,
  };
}

function retrievalOf(row: Record<string, unknown>): AnsweredRetrieval {
  return {
    anchor: blobToText(row["anchor"] as Uint8Array),
    format: row["format"] as string,
    data: blobToText(row["data"] as Uint8Array),
  };
}

function eventOf(row: EventRow): RetrievalEvent {
  const { query, toolName } = row;
  return { ...row, query: blobToText(query), toolName: blobToText(toolName) };
}
