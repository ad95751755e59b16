/** Removing rows that are too old, a little at a time. Sums over all time stay as they are. @module */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../writer/in_transaction.ts";

/** Rows per table and run: a run takes a few milliseconds at most. */
const ROWS = 256;
/** Milliseconds between runs while nothing is left to do. */
const PAUSE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A request is kept for 30 days, in milliseconds. */
const REQUEST_MS = 30 * DAY_MS;
/** Requests that are kept, the newest. */
const MAX_REQUESTS = 200_000;
/** An hour's spend is kept for 400 days: longer than any period, and a year to look back on. */
const SPEND_MS = 400 * DAY_MS;
/** A process that was not seen for an hour, in milliseconds, left nothing behind that counts; it may only have slept. */
const GONE_MS = 3_600_000;
/** After two minutes, in milliseconds, a caller has its whole share again. */
const RATE_MS = 120_000;

/** In the order of `seq`, which is that of time; the last column is removed from. */
const OLD_REQUESTS = `DELETE FROM requests WHERE seq IN (
  SELECT seq FROM requests ORDER BY seq LIMIT ${ROWS})
  AND (at < ?1 OR seq <= (SELECT max(seq) FROM requests) - ?2)`;
const OLD_GIVEN = `DELETE FROM given_back WHERE seq IN (
  SELECT seq FROM given_back ORDER BY seq LIMIT ${ROWS})
  AND seq <= (SELECT max(seq) FROM given_back) - ?`;
const OLD_SPEND = `DELETE FROM spend WHERE hour < ?`;
const GONE = `DELETE FROM processes WHERE seen_at < ?`;
const ORPHANS = `DELETE FROM reservations
  WHERE process NOT IN (SELECT id FROM processes)`;
const IDLE_RATES = `DELETE FROM rates WHERE (run, caller) IN (
  SELECT run, caller FROM rates WHERE at < ? LIMIT ${ROWS})`;

/** Bounds of what is kept. */
export interface LedgerBounds {
  /** Requests that are kept, the newest; 200,000 when not given. */
  readonly maxRequests?: number;
}

/**
 * Makes the sweep of one connection. Call it after each write; it does little at a time and often nothing.
 *
 * @param db Connection that may write.
 * @returns Takes the time in milliseconds since the Unix epoch. Throws what the database throws.
 */
export function makeLedgerMaintenance(
  db: DatabaseSync,
  { maxRequests = MAX_REQUESTS }: LedgerBounds = {},
): (now: number) => void {
  let nextAt = -Infinity;
  return (now) => {
    if (now < nextAt) return;
    nextAt = now + PAUSE_MS;
    const removed = inTransaction(db, () => {
      db.prepare(OLD_SPEND).run(now - SPEND_MS);
      db.prepare(GONE).run(now - GONE_MS);
      db.prepare(ORPHANS).run();
      return [
        db.prepare(OLD_REQUESTS).run(now - REQUEST_MS, maxRequests).changes,
        db.prepare(OLD_GIVEN).run(maxRequests).changes,
        db.prepare(IDLE_RATES).run(now - RATE_MS).changes,
      ];
    });
    if (Math.max(...removed.map(Number)) >= ROWS) nextAt = now;
  };
}
