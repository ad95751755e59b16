/** Tables of the store's database. @module */
import type { DatabaseSync } from "node:sqlite";
import { META_TABLE, migrateTo, type Migrations } from "../writer/schema.ts";

/** Gives a conversation a number that none had before, also if its row was removed and made anew. */
const revise = (key: string) =>
  `UPDATE totals SET revision = revision + 1;
  UPDATE conversations SET revision = (SELECT revision FROM totals)
    WHERE key = ${key};`;

/**
 * Text that clients or providers chose is kept as a blob: the driver cuts TEXT at the first NUL when it reads.
 *
 * `totals` is kept by triggers, so that the size is one row to read however many entries there are.
 * `linked` and `holds` say whether `uses` has a row, so that what may be evicted is found by an index. The original is
 * the last column of its row: those before it are read without it. `entries_by_life` keeps lives apart, so that a sweep
 * does not pass over the longer ones each time.
 *
 * A retrieval is held once, however many conversations have it: `retrieval_links` says which, and the last link takes
 * it along; `digest` is that of the whole row. `retrieval_anchors` has the names in its anchor. `needs` of a form is a
 * JSON array of what it refers to, NULL for nothing.
 */
const TABLES = `
${META_TABLE}

CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  original_tokens INTEGER NOT NULL,
  form_tokens INTEGER NOT NULL,
  retrievals INTEGER NOT NULL,
  revision INTEGER NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0);

CREATE TABLE conversations (
  key TEXT PRIMARY KEY,
  definition BLOB,
  active_at INTEGER NOT NULL,
  holds INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX conversations_by_activity ON conversations (holds, active_at);

CREATE TABLE entries (
  key TEXT PRIMARY KEY,
  strategy TEXT NOT NULL,
  tool_name BLOB NOT NULL,
  original_tokens INTEGER NOT NULL,
  form_tokens INTEGER NOT NULL,
  original_items INTEGER NOT NULL,
  kept_items INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  life_ms INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  linked INTEGER NOT NULL,
  original BLOB NOT NULL
);
CREATE INDEX entries_alone ON entries (stored_at) WHERE linked = 0;
CREATE INDEX entries_by_life ON entries (life_ms, stored_at);

CREATE TABLE uses (
  conversation TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (conversation, entry)
) WITHOUT ROWID;
CREATE INDEX uses_by_entry ON uses (entry);

CREATE TABLE forms (
  key TEXT PRIMARY KEY,
  literal BLOB NOT NULL,
  strategy TEXT NOT NULL,
  entry TEXT,
  definition BLOB,
  tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  needs BLOB
);
CREATE INDEX forms_by_use ON forms (used_at);

CREATE TABLE retrievals (
  id INTEGER PRIMARY KEY,
  anchor BLOB NOT NULL,
  format TEXT NOT NULL,
  data BLOB NOT NULL,
  digest TEXT NOT NULL UNIQUE
);
CREATE TABLE retrieval_links (
  id INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL,
  retrieval INTEGER NOT NULL,
  UNIQUE (retrieval, conversation)
);
CREATE INDEX retrieval_links_by_conversation
  ON retrieval_links (conversation, id);
CREATE TABLE retrieval_anchors (
  name BLOB NOT NULL,
  retrieval INTEGER NOT NULL,
  PRIMARY KEY (name, retrieval)
) WITHOUT ROWID;
CREATE INDEX retrieval_anchors_by_retrieval ON retrieval_anchors (retrieval);

CREATE TABLE retrieval_events (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  via TEXT NOT NULL,
  part TEXT NOT NULL,
  query BLOB NOT NULL,
  strategy TEXT NOT NULL,
  tool_name BLOB NOT NULL,
  items INTEGER NOT NULL,
  total_items INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  conversation TEXT
);
CREATE INDEX retrieval_events_by_key ON retrieval_events (key);
CREATE INDEX retrieval_events_by_conversation
  ON retrieval_events (conversation, key);

CREATE TABLE response_ids (
  seen BLOB PRIMARY KEY,
  last BLOB NOT NULL,
  mapped_at INTEGER NOT NULL
);
CREATE INDEX response_ids_by_age ON response_ids (mapped_at);

CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
  UPDATE totals SET entries = entries + 1, bytes = bytes + NEW.bytes,
    original_tokens = original_tokens + NEW.original_tokens,
    form_tokens = form_tokens + NEW.form_tokens;
END;
CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
  UPDATE totals SET entries = entries - 1, bytes = bytes - OLD.bytes,
    original_tokens = original_tokens - OLD.original_tokens,
    form_tokens = form_tokens - OLD.form_tokens;
  DELETE FROM uses WHERE entry = OLD.key;
END;
CREATE TRIGGER entry_counted AFTER UPDATE OF original_tokens, form_tokens
  ON entries BEGIN
  UPDATE totals SET
    original_tokens = original_tokens + NEW.original_tokens - OLD.original_tokens,
    form_tokens = form_tokens + NEW.form_tokens - OLD.form_tokens;
END;
CREATE TRIGGER use_added AFTER INSERT ON uses BEGIN
  UPDATE entries SET linked = 1 WHERE key = NEW.entry AND linked = 0;
  UPDATE conversations SET holds = 1 WHERE key = NEW.conversation AND holds = 0;
END;
CREATE TRIGGER use_removed AFTER DELETE ON uses BEGIN
  UPDATE entries SET linked = 0 WHERE key = OLD.entry
    AND NOT EXISTS (SELECT 1 FROM uses WHERE entry = OLD.entry);
END;
CREATE TRIGGER conversation_added AFTER INSERT ON conversations BEGIN
  ${revise("NEW.key")}
END;
CREATE TRIGGER definition_set AFTER UPDATE OF definition ON conversations
  WHEN OLD.definition IS NOT NEW.definition BEGIN
  ${revise("NEW.key")}
END;
CREATE TRIGGER retrieval_removed AFTER DELETE ON retrievals BEGIN
  DELETE FROM retrieval_anchors WHERE retrieval = OLD.id;
  DELETE FROM retrieval_links WHERE retrieval = OLD.id;
END;
CREATE TRIGGER link_added AFTER INSERT ON retrieval_links BEGIN
  ${revise("NEW.conversation")}
END;
CREATE TRIGGER link_removed AFTER DELETE ON retrieval_links BEGIN
  DELETE FROM retrievals WHERE id = OLD.retrieval AND NOT EXISTS (
    SELECT 1 FROM retrieval_links WHERE retrieval = OLD.retrieval);
END;
CREATE TRIGGER event_added AFTER INSERT ON retrieval_events BEGIN
  UPDATE totals SET retrievals = retrievals + 1;
  ${revise("NEW.conversation")}
END;
CREATE TRIGGER event_removed AFTER DELETE ON retrieval_events BEGIN
  UPDATE totals SET retrievals = retrievals - 1;
END;
`;

/** The tables are those of version 4; the three before it were never released. Rows are only ever added. */
export const MIGRATIONS: Migrations = [TABLES, null, null, null];

/**
 * Makes the tables of a store; as {@linkcode migrateTo}.
 *
 * @throws {Error} If a statement fails or the database is locked: nothing was changed.
 */
export function migrate(db: DatabaseSync, writtenBy: string): void {
  migrateTo(db, writtenBy, MIGRATIONS);
}
