/** Removing what is too old, a little at a time. @module */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../writer/in_transaction.ts";
import { prepareLifetimes } from "./lifetimes.ts";
import { LAST_USE, UNUSED_LIFETIME_MS } from "./reads.ts";

/** Rows per table and run: a run takes a few milliseconds at most. */
const ROWS = 64;
/** Milliseconds between runs while nothing is left to do. */
const PAUSE_MS = 60_000;
/** An expired original stays this many milliseconds, so that a look-up can say "expired" and not "missing". */
export const GRACE_MS = 3_600_000;
/** Retrieval events that are kept, the newest. */
export const MAX_EVENTS = 10_000;

const OLD_FORMS = `DELETE FROM forms WHERE key IN (
  SELECT key FROM forms WHERE used_at < ? LIMIT ${ROWS})`;
const OLD_RESPONSE_IDS = `DELETE FROM response_ids WHERE seen IN (
  SELECT seen FROM response_ids WHERE mapped_at < ? LIMIT ${ROWS})`;
const OLD_ENTRIES = `DELETE FROM entries WHERE key IN (
  SELECT key FROM entries
  WHERE life_ms = ?2 AND stored_at < ?1 AND ${LAST_USE} < ?1 LIMIT ${ROWS})`;
const SURPLUS_EVENTS = `DELETE FROM retrieval_events WHERE id IN (
  SELECT id FROM retrieval_events ORDER BY id
  LIMIT min(${ROWS}, (SELECT max(0, retrievals - ?) FROM totals)))`;
const OLD_CONVERSATIONS = `SELECT key FROM conversations
  WHERE holds IN (0, 1) AND active_at < ? LIMIT ${ROWS}`;
const ROWS_OF_CONVERSATION = [
  `DELETE FROM uses WHERE conversation = ?`,
  `DELETE FROM retrieval_links WHERE conversation = ?`,
  `DELETE FROM conversations WHERE key = ?`,
];

/**
 * Makes the sweep of one connection: forms, conversations and what belongs to them 30 days after their last use,
 * originals some time after they expired, events beyond the newest 10,000. Call it after each write; it does little
 * at a time and often nothing.
 *
 * @param db Connection that may write.
 * @returns Takes the time in milliseconds since the Unix epoch and says whether it looked for rows to remove. Throws what
 * the database throws.
 */
export function makeMaintenance(
  db: DatabaseSync,
): (now: number) => boolean {
  let nextAt = -Infinity;
  return (now) => {
    if (now < nextAt) return false;
    nextAt = now + PAUSE_MS;
    const removed = inTransaction(db, () => sweep(db, now));
    if (removed >= ROWS) nextAt = now;
    return true;
  };
}

/** Returns the most rows that one of the tables lost. */
function sweep(db: DatabaseSync, now: number): number {
  const lives = prepareLifetimes(db)();
  // Its activity is the last use of its originals.
  const life = Math.max(UNUSED_LIFETIME_MS, ...lives);
  const counts = [
    db.prepare(OLD_FORMS).run(now - UNUSED_LIFETIME_MS).changes,
    db.prepare(OLD_RESPONSE_IDS).run(now - life).changes,
    ...lives.map((lifeMs) => {
      const end = now - lifeMs - GRACE_MS;
      return db.prepare(OLD_ENTRIES).run(end, lifeMs).changes;
    }),
    db.prepare(SURPLUS_EVENTS).run(MAX_EVENTS).changes,
    removeConversations(db, now - life),
  ];
  return Math.max(...counts.map(Number));
}

function removeConversations(db: DatabaseSync, activeSince: number): number {
  const old = db.prepare(OLD_CONVERSATIONS).all(activeSince);
  const statements = ROWS_OF_CONVERSATION.map((sql) => db.prepare(sql));
  for (const { key } of old as { key: string }[]) {
    for (const statement of statements) statement.run(key);
  }
  return old.length;
}
