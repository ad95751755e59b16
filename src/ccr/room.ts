/** Room for new originals: those go first that are missed least. @module */
import type { DatabaseSync } from "node:sqlite";
import { PROTECTED_MS, type Reads } from "./reads.ts";
import { prepareAll } from "./statements.ts";

const SQL = {
  evictLoose: `DELETE FROM entries WHERE key = (
    SELECT key FROM entries WHERE linked = 0 AND stored_at < ?
    ORDER BY stored_at LIMIT 1)`,
  oldestIdle: `SELECT key FROM conversations
    WHERE holds = 1 AND active_at < ? ORDER BY active_at LIMIT 1`,
  evictOwn: `DELETE FROM entries WHERE key IN (
    SELECT entry FROM uses WHERE conversation = ?1 AND NOT EXISTS (
      SELECT 1 FROM uses AS other
      WHERE other.entry = uses.entry AND other.conversation <> ?1))`,
  unlink: `DELETE FROM uses WHERE conversation = ?`,
  release: `UPDATE conversations SET holds = 0 WHERE key = ?`,
} as const;

/**
 * Prepares evictions on a connection that may write.
 *
 * @param maxBytes Bytes of originals, as UTF-8.
 * @returns Makes room for `added` bytes at `now` (milliseconds since the Unix epoch), within a transaction. A batch is
 * taken whole while the bound is not reached, so that a refusal and `full()` agree. Throws an `Error` where all is in use.
 */
export function prepareRoom(
  db: DatabaseSync,
  reads: Pick<Reads, "totals">,
  maxBytes: number,
): (added: number, now: number) => void {
  const sql = prepareAll(db, SQL);
  /** Returns false when nothing may go. */
  const evictOldest = (now: number): boolean => {
    const since = now - PROTECTED_MS;
    if (Number(sql.evictLoose.run(since).changes) > 0) return true;
    const oldest = sql.oldestIdle.get(since)?.["key"];
    if (typeof oldest !== "string") return false;
    sql.evictOwn.run(oldest);
    sql.unlink.run(oldest);
    sql.release.run(oldest);
    return true;
  };
  return (added, now) => {
    let held = reads.totals().bytes;
    while (held + added > maxBytes && evictOldest(now)) {
      held = reads.totals().bytes;
    }
    if (held < maxBytes) return;
    throw new Error(
      `Cannot keep ${added} bytes: the store holds ${held} of ${maxBytes} bytes and all of it is in use`,
    );
  };
}
