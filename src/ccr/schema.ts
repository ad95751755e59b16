/** Tables of the store's database, their versions and how an older one becomes the current one. @module */
import type { DatabaseSync } from "node:sqlite";
import { META_TABLE, migrateTo } from "../writer/schema.ts";

/**
 * Text that clients or providers chose is kept as a blob: the driver cuts TEXT at the first NUL when it reads.
 *
 * `totals` is kept by triggers, so that the size is one row to read however many entries there are.
 * `linked` and `holds` say whether `uses` has a row, so that what may be evicted is found by an index.
 */
const FIRST = `
${META_TABLE}

CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0);

CREATE TABLE conversations (
  key TEXT PRIMARY KEY,
  definition BLOB,
  active_at INTEGER NOT NULL,
  holds INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX conversations_by_activity ON conversations (holds, active_at);

CREATE TABLE entries (
  key TEXT PRIMARY KEY,
  strategy TEXT NOT NULL,
  tool_name BLOB NOT NULL,
  original_tokens INTEGER NOT NULL,
  original_items INTEGER NOT NULL,
  kept_items INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  linked INTEGER NOT NULL,
  original BLOB NOT NULL
);
CREATE INDEX entries_by_age ON entries (linked, stored_at);

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
  used_at INTEGER NOT NULL
);
CREATE INDEX forms_by_use ON forms (used_at);

CREATE TABLE retrievals (
  id INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL,
  anchor BLOB NOT NULL,
  format TEXT NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX retrievals_by_conversation ON retrievals (conversation, id);

CREATE TABLE response_ids (
  seen BLOB PRIMARY KEY,
  last BLOB NOT NULL,
  mapped_at INTEGER NOT NULL
);
CREATE INDEX response_ids_by_age ON response_ids (mapped_at);

CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
  UPDATE totals SET entries = entries + 1, bytes = bytes + NEW.bytes;
END;
CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
  UPDATE totals SET entries = entries - 1, bytes = bytes - OLD.bytes;
  DELETE FROM uses WHERE entry = OLD.key;
END;
CREATE TRIGGER use_added AFTER INSERT ON uses BEGIN
  UPDATE entries SET linked = 1 WHERE key = NEW.entry AND linked = 0;
  UPDATE conversations SET holds = 1 WHERE key = NEW.conversation AND holds = 0;
END;
CREATE TRIGGER use_removed AFTER DELETE ON uses BEGIN
  UPDATE entries SET linked = 0 WHERE key = OLD.entry
    AND NOT EXISTS (SELECT 1 FROM uses WHERE entry = OLD.entry);
END;
`;

/** Gives a conversation a number that none had before, also if its row was removed and made anew. */
const revise = (key: string) =>
  `UPDATE totals SET revision = revision + 1;
  UPDATE conversations SET revision = (SELECT revision FROM totals)
    WHERE key = ${key};`;

/**
 * What was asked for, and answered retrievals found by the names in their anchors. Columns are added, no table is
 * made anew: that is instant however large the file is, and a service of version 1 that still has it open goes on.
 *
 * `entries_facts` answers for columns that stand behind the originals in their rows; `entries_by_life` keeps lives
 * apart, so that a sweep does not pass over the longer ones each time. A life of 0 is that of a row of version 1.
 *
 * A retrieval is held once, however many conversations have it: `retrieval_links` says which. The last link takes it
 * along. `digest` is that of the whole row, NULL in rows of version 1.
 */
const SECOND = `
ALTER TABLE entries ADD COLUMN form_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN life_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX entries_facts ON entries (key, life_ms, form_tokens);
CREATE INDEX entries_by_life ON entries (life_ms, stored_at);

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

CREATE TABLE retrieval_links (
  id INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL,
  retrieval INTEGER NOT NULL
);
CREATE UNIQUE INDEX retrieval_links_by_retrieval
  ON retrieval_links (retrieval, conversation);
CREATE INDEX retrieval_links_by_conversation
  ON retrieval_links (conversation, id);
INSERT INTO retrieval_links (conversation, retrieval)
  SELECT conversation, id FROM retrievals ORDER BY id;
ALTER TABLE retrievals ADD COLUMN digest TEXT;
CREATE UNIQUE INDEX retrievals_by_digest ON retrievals (digest);

CREATE TABLE retrieval_anchors (
  name BLOB NOT NULL,
  retrieval INTEGER NOT NULL,
  PRIMARY KEY (name, retrieval)
) WITHOUT ROWID;
CREATE INDEX retrieval_anchors_by_retrieval ON retrieval_anchors (retrieval);
WITH RECURSIVE parts (id, name, rest) AS (
  SELECT id, x'', anchor FROM retrievals
  UNION ALL
  SELECT id,
    iif(instr(rest, x'0a') = 0, rest, substr(rest, 1, instr(rest, x'0a') - 1)),
    iif(instr(rest, x'0a') = 0, x'', substr(rest, instr(rest, x'0a') + 1))
  FROM parts WHERE length(rest) > 0)
INSERT OR IGNORE INTO retrieval_anchors (name, retrieval)
  SELECT name, id FROM parts WHERE length(name) > 0;

ALTER TABLE totals ADD COLUMN original_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN form_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN retrievals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
UPDATE totals SET original_tokens =
  (SELECT ifnull(sum(original_tokens), 0) FROM entries);

DROP TRIGGER entry_added;
CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
  UPDATE totals SET entries = entries + 1, bytes = bytes + NEW.bytes,
    original_tokens = original_tokens + NEW.original_tokens,
    form_tokens = form_tokens + NEW.form_tokens;
END;
DROP TRIGGER entry_removed;
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
CREATE TRIGGER conversation_added AFTER INSERT ON conversations BEGIN
  ${revise("NEW.key")}
END;
CREATE TRIGGER definition_set AFTER UPDATE OF definition ON conversations
  WHEN OLD.definition IS NOT NEW.definition BEGIN
  ${revise("NEW.key")}
END;
CREATE TRIGGER retrieval_added AFTER INSERT ON retrievals BEGIN
  INSERT OR IGNORE INTO retrieval_links (conversation, retrieval)
    VALUES (NEW.conversation, NEW.id);
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

/** What a form refers to: a JSON array, NULL for nothing. */
const THIRD = `ALTER TABLE forms ADD COLUMN needs BLOB;`;

/** Row `i` brings a database of version `i` to version `i + 1`. Rows are only ever added. */
export const MIGRATIONS: readonly string[] = [FIRST, SECOND, THIRD];

/** The version that this service writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/**
 * Makes the tables of a store, or brings older ones to {@linkcode SCHEMA_VERSION}; as {@linkcode migrateTo}.
 *
 * @throws {Error} If a statement fails or the database is locked: nothing was changed.
 */
export function migrate(db: DatabaseSync, writtenBy: string): void {
  migrateTo(db, writtenBy, MIGRATIONS);
}
