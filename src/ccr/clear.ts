/** Removing what is kept, at the user's wish. @module */
import type { DatabaseSync } from "node:sqlite";
import { PROTECTED_MS } from "./reads.ts";

/** A form without an original in the store may be in use for this long after its last noted use: a day and 30 minutes, in milliseconds. */
export const NOTED_MS: number = 86_400_000 + PROTECTED_MS;

/** In this order: an entry takes its rows of `uses` along. */
const ALL = [
  "entries",
  "uses",
  "forms",
  "retrieval_events",
  "retrieval_links",
  "retrievals",
  "conversations",
  "response_ids",
].map((table) => `DELETE FROM ${table}`);

const ACTIVE = `SELECT key FROM conversations WHERE active_at >= ?`;
/** Entries of no active conversation; a new one without any may be in use where nothing tells of it. */
const IDLE = `NOT EXISTS (
  SELECT 1 FROM uses JOIN conversations ON conversations.key = uses.conversation
  WHERE uses.entry = entries.key AND conversations.active_at >= ?1)
  AND (linked = 1 OR stored_at < ?1)`;
const IDLE_ENTRIES = `DELETE FROM entries WHERE ${IDLE}`;
const COUNT_IDLE =
  `SELECT count(*) AS entries, ifnull(sum(bytes), 0) AS bytes FROM entries WHERE ${IDLE}`;
const COUNT_ALL = `SELECT entries, bytes FROM totals`;
const IDLE_USES = `DELETE FROM uses WHERE conversation NOT IN (${ACTIVE})`;
const IDLE_FORMS = `DELETE FROM forms
  WHERE entry IN (SELECT key FROM entries WHERE ${IDLE})`;
/** An original that has expired says nothing about who sends its form: it is stored again once that is sent. */
const UNUSED_FORMS = `DELETE FROM forms WHERE used_at < ? AND NOT EXISTS (
  SELECT 1 FROM entries WHERE entries.key = forms.entry)`;
const IDLE_EVENTS = `DELETE FROM retrieval_events
  WHERE (conversation IS NULL OR conversation NOT IN (${ACTIVE}))
  AND NOT EXISTS (
    SELECT 1 FROM entries WHERE entries.key = retrieval_events.key)`;
const IDLE_RETRIEVALS =
  `DELETE FROM retrieval_links WHERE conversation NOT IN (${ACTIVE})`;
const IDLE_CONVERSATIONS = `DELETE FROM conversations WHERE active_at < ?`;

/**
 * Removes rows inside the caller's transaction.
 *
 * @param db Connection that may write.
 * @param what `all`, or `idle`: what belongs to no conversation active within 30 minutes before `now`, and what
 * belongs to none at all and is older than that. Then forms whose original is not in the store stay for a day after
 * their last use, since nothing says whose they are, and so do response ids, which hold no text.
 * @param now Milliseconds since the Unix epoch.
 */
export function clearStore(
  db: DatabaseSync,
  what: "idle" | "all",
  now: number,
): void {
  // Overwritten with zeros: it cannot be told beforehand whether the file can be written anew.
  db.exec("PRAGMA secure_delete = ON");
  try {
    removeRows(db, what, now);
  } finally {
    db.exec("PRAGMA secure_delete = OFF");
  }
}

function removeRows(
  db: DatabaseSync,
  what: "idle" | "all",
  now: number,
): void {
  if (what === "all") {
    for (const sql of ALL) db.exec(sql);
    return;
  }
  const since = now - PROTECTED_MS;
  // Before the entries and their links, by which it is known whose they are.
  db.prepare(IDLE_FORMS).run(since);
  db.prepare(IDLE_ENTRIES).run(since);
  db.prepare(IDLE_USES).run(since);
  db.prepare(UNUSED_FORMS).run(now - NOTED_MS);
  db.prepare(IDLE_EVENTS).run(since);
  db.prepare(IDLE_RETRIEVALS).run(since);
  db.prepare(IDLE_CONVERSATIONS).run(since);
}

/** Originals that {@linkcode clearStore} would remove. */
export interface Clearable {
  /** How many. */
  readonly entries: number;
  /** Sum of their UTF-8 bytes. */
  readonly bytes: number;
}

/** Counts what {@linkcode clearStore} would remove, on a connection that may be read-only. */
export function clearable(
  db: DatabaseSync,
  what: "idle" | "all",
  now: number,
): Clearable {
  const row = what === "all"
    ? db.prepare(COUNT_ALL).get()
    : db.prepare(COUNT_IDLE).get(now - PROTECTED_MS);
  return {
    entries: row?.["entries"] as number,
    bytes: row?.["bytes"] as number,
  };
}

/** What SQLite says where the runtime lets no second file be opened beside a database: it does only with all permissions. */
const NO_SECOND_FILE = /too many attached databases/;

/**
 * Gives the space of removed rows back, so that their text is in no file any more. To be called outside of a
 * transaction. Where this program has not all permissions of the runtime the file keeps its size: {@linkcode clearStore}
 * has overwritten the rows.
 *
 * @param db Connection that may write.
 * @throws {Error} If another process holds the lock for longer than the connection waits: to be tried again.
 */
export function shrink(db: DatabaseSync): void {
  try {
    db.exec("VACUUM");
  } catch (error) {
    if (!(error instanceof Error && NO_SECOND_FILE.test(error.message))) {
      throw error;
    }
  }
  const { busy } = { ...db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() };
  if (busy === 1) throw new Error("database is locked by a reader");
}
