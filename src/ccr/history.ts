/** Look-ups of answered retrievals and of what was asked for, on one database connection. @module */
import { Buffer } from "node:buffer";
import type { DatabaseSync } from "node:sqlite";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type {
  AskedShape,
  CcrKey,
  ConversationKey,
  RetrievalEvent,
} from "../core/store.ts";
import { blobToText, textToBlob } from "./blob.ts";

const RETRIEVALS = `SELECT anchor, format, data FROM retrieval_links AS link
  CROSS JOIN retrievals ON retrievals.id = link.retrieval
  WHERE link.conversation = ? ORDER BY link.id`;
const ANY_ANCHOR = `SELECT 1 FROM retrieval_anchors LIMIT 1`;
/** Names come as hexadecimal digits: text would end at a NUL. */
const ANCHORED = `SELECT anchor, format, data FROM retrievals WHERE id IN (
  SELECT retrieval FROM retrieval_anchors
  WHERE name IN (SELECT unhex(value) FROM json_each(?))) ORDER BY id`;
/** A person who looks is no model that asks. */
const ASKED = `SELECT tool_name, strategy, count(*) AS count FROM (
    SELECT tool_name, strategy FROM retrieval_events
    WHERE conversation = ?1 AND via IN ('proxy', 'mcp', 'library')
    UNION ALL
    SELECT event.tool_name, event.strategy FROM uses
    CROSS JOIN retrieval_events AS event
      ON event.conversation IS NULL AND event.key = uses.entry
    WHERE uses.conversation = ?1 AND event.via IN ('proxy', 'mcp', 'library'))
  GROUP BY tool_name, strategy ORDER BY tool_name, strategy`;
const EVENTS = `SELECT * FROM retrieval_events ORDER BY id DESC LIMIT ?`;
const EVENTS_OF =
  `SELECT * FROM retrieval_events WHERE key = ? ORDER BY id DESC LIMIT ?`;
const COUNT = `SELECT count(*) AS count FROM retrieval_events WHERE key = ?`;

/** Column values of a row of `retrieval_events`. */
interface EventRow {
  readonly key: CcrKey;
  readonly at: number;
  readonly via: RetrievalEvent["via"];
  readonly part: RetrievalEvent["part"];
  readonly query: Uint8Array;
  readonly strategy: string;
  readonly tool_name: Uint8Array;
  readonly items: number;
  readonly total_items: number;
  readonly tokens: number;
}

/** Prepared look-ups. The cost of each depends on what it finds, not on what else is stored. */
export class History {
  readonly #retrievals;
  readonly #anyAnchor;
  readonly #anchored;
  readonly #asked;
  readonly #events;
  readonly #eventsOf;
  readonly #count;

  /**
   * Prepares the look-ups.
   *
   * @param db Open connection; it may be read-only.
   * @throws {Error} If the tables are not those of this version.
   */
  constructor(db: DatabaseSync) {
    this.#retrievals = db.prepare(RETRIEVALS);
    this.#anyAnchor = db.prepare(ANY_ANCHOR);
    this.#anchored = db.prepare(ANCHORED);
    this.#asked = db.prepare(ASKED);
    this.#events = db.prepare(EVENTS);
    this.#eventsOf = db.prepare(EVENTS_OF);
    this.#count = db.prepare(COUNT);
  }

  /** Answered retrievals of a conversation, oldest first. */
  retrievals(key: ConversationKey): AnsweredRetrieval[] {
    return this.#retrievals.all(key).map(retrievalOf);
  }

  /** Answered retrievals of any conversation with one of these names in their anchor, oldest first. */
  anchored(names: readonly string[]): AnsweredRetrieval[] {
    if (names.length === 0 || !this.hasAnchors()) return [];
    const wanted = [...new Set(names)].map((name) =>
      Buffer.from(textToBlob(name)).toString("hex")
    );
    return this.#anchored.all(JSON.stringify(wanted)).map(retrievalOf);
  }

  /** Whether anything can be found by a name; most stores hold nothing of the kind. */
  hasAnchors(): boolean {
    return this.#anyAnchor.get() !== undefined;
  }

  /** What models asked for: that of the conversation, and others of the originals that it sends; by tool, then strategy. */
  asked(key: ConversationKey): AskedShape[] {
    return this.#asked.all(key).map((row) => ({
      toolName: blobToText(row["tool_name"] as Uint8Array),
      strategy: row["strategy"] as string,
      count: row["count"] as number,
    }));
  }

  /** The newest first; with `key`, of this original only. */
  events(limit: number, key?: CcrKey): RetrievalEvent[] {
    const rows = key === undefined
      ? this.#events.all(limit)
      : this.#eventsOf.all(key, limit);
    return (rows as unknown as EventRow[]).map(eventOf);
  }

  /** Events of one original that are held. */
  count(key: CcrKey): number {
    return this.#count.get(key)?.["count"] as number;
  }
}

function retrievalOf(row: Record<string, unknown>): AnsweredRetrieval {
  return {
    anchor: blobToText(row["anchor"] as Uint8Array),
    format: row["format"] as string,
    data: blobToText(row["data"] as Uint8Array),
  };
}

function eventOf(row: EventRow): RetrievalEvent {
  return {
    key: row.key,
    at: row.at,
    via: row.via,
    part: row.part,
    query: blobToText(row.query),
    strategy: row.strategy,
    toolName: blobToText(row.tool_name),
    items: row.items,
    totalItems: row.total_items,
    tokens: row.tokens,
  };
}
