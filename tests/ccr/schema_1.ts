/** The tables of version 1, as it made them, and rows that it left. @module */

/** All statements of version 1. */
export const SCHEMA_1 = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

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

/** Rows: an original with its form, two answered retrievals, one of them with a NUL in a name. */
export const ROWS_1 = `
INSERT INTO meta VALUES ('schema_version', '1'), ('service_version', '1.0.0');
INSERT INTO entries VALUES ('ba7816bf8f01cfea414140de', 'log', x'42617368',
  120, 40, 8, 5000, 3, 0, x'616263');
INSERT INTO conversations VALUES ('a', x'7b7d', 5000, 0);
INSERT INTO uses VALUES ('a', 'ba7816bf8f01cfea414140de');
INSERT INTO forms VALUES ('b', x'2261622022', 'log', 'ba7816bf8f01cfea414140de',
  NULL, 120, 30, 5000);
INSERT INTO retrievals VALUES
  (7, 'a', x'63616c6c5f310a0a6100620a', 'messages', x'5b315d'),
  (9, 'a', x'63616c6c5f32', 'messages', x'5b325d');
INSERT INTO response_ids VALUES (x'61', x'62', 5000);
`;
