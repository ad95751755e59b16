/** Removing rows that are too old, a little at a time. Sums over all time stay as they are. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Dimension } from "../core/ledger_reader.ts";
import { inTransaction } from "../writer/in_transaction.ts";
import { COLUMNS, growBy, NAMES, SUMMED } from "./sum_columns.ts";

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
/** How long steps are kept, in milliseconds; months are kept for ever. */
const STEP_MS = {
  hourly: 90 * DAY_MS,
  daily: 1100 * DAY_MS,
  weekly: 1100 * DAY_MS,
} as const;
/** Quarters of an hour become days after 90 days, and are kept for three years. */
const QUARTERS_MS = 90 * DAY_MS;
const ACTIVITY_MS = 1100 * DAY_MS;
/** Sums by name of a day are kept for 400 days. */
const NAMED_MS = 400 * DAY_MS;
/** Names of a dimension that are kept for ever; the sums of others go into `(other)`. */
const MAX_NAMES = 200;
/** A name that was seen in the last 30 days is of use. */
const SEEN_MS = 30 * DAY_MS;
/** A process that was not seen for an hour, in milliseconds, left nothing behind that counts; it may only have slept. */
const GONE_MS = 3_600_000;
/** After two minutes, in milliseconds, a caller has its whole share again. */
const RATE_MS = 120_000;

/** Forms that are known to be counted; the oldest are forgotten, and would be counted anew. */
const MAX_FORMS = 100_000;

/** In the order of `seq`, which is that of time; the last column is removed from. */
const OLD_REQUESTS = `DELETE FROM requests WHERE seq IN (
  SELECT seq FROM requests ORDER BY seq LIMIT ${ROWS})
  AND (at < ?1 OR seq <= (SELECT max(seq) FROM requests) - ?2)`;
const OLD_GIVEN = `DELETE FROM given_back WHERE seq IN (
  SELECT seq FROM given_back ORDER BY seq LIMIT ${ROWS})
  AND seq <= (SELECT max(seq) FROM given_back) - ?`;
const OLD_SPEND = `DELETE FROM spend WHERE hour < ?`;
const OLD_BUCKETS = `DELETE FROM buckets WHERE step = ? AND start < ?`;
const OLD_NAMED = `DELETE FROM named WHERE dimension = ?
  AND day BETWEEN 0 AND ?`;
/** Those are folded first that were not seen of late, and those that saved least. */
const RARE = `SELECT name FROM named
  WHERE dimension = ?1 AND day = -1 AND name NOT IN ('(other)', '(added)')
  ORDER BY name IN (SELECT name FROM named WHERE dimension = ?1 AND day >= ?2),
    saved - added, name
  LIMIT max(0, (SELECT count(*) FROM named
    WHERE dimension = ?1 AND day = -1
      AND name NOT IN ('(other)', '(added)')) - ${MAX_NAMES})`;
const FOLD = `INSERT INTO named SELECT dimension, day, '(other)', ${COLUMNS}
  FROM named WHERE dimension = ? AND day = -1 AND name = ?
  ON CONFLICT (dimension, day, name) DO UPDATE SET ${growBy(NAMES)}`;
const FOLDED = `DELETE FROM named
  WHERE dimension = ? AND day = -1 AND name = ?`;
/** Rows before `?1` that have no noon yet, and their noon: the same date in nearly all time zones. */
const OF_QUARTERS = `start < ?1 AND start % ${DAY_MS} <> ${DAY_MS / 2}`;
const NOON = `start - start % ${DAY_MS} + ${DAY_MS / 2} AS noon`;
/** One row per day is kept of what is old. */
const FOLD_OLD_ACTIVITY: readonly string[] = [
  `INSERT INTO activity SELECT ${NOON}, model, ${SUMMED},
    CAST(total(refused) AS INTEGER) FROM activity
  WHERE ${OF_QUARTERS} GROUP BY noon, model
  ON CONFLICT (start, model) DO UPDATE SET ${growBy([...NAMES, "refused"])}`,
  `DELETE FROM activity WHERE ${OF_QUARTERS}`,
  `INSERT INTO durations SELECT ${NOON}, measure, bin, sum(requests)
  FROM durations WHERE ${OF_QUARTERS} GROUP BY noon, measure, bin
  ON CONFLICT (start, measure, bin) DO UPDATE SET ${growBy(["requests"])}`,
  `DELETE FROM durations WHERE ${OF_QUARTERS}`,
];
const OLD_ACTIVITY = `DELETE FROM activity WHERE start < ?`;
const OLD_DURATIONS = `DELETE FROM durations WHERE start < ?`;
/** A conversation is kept as long as one of its requests. */
const OLD_CONVERSATIONS = `DELETE FROM conversations WHERE id IN (
  SELECT id FROM conversations WHERE last_at < max(?, ifnull(
    (SELECT at FROM requests ORDER BY seq LIMIT 1), 0))
  ORDER BY last_at LIMIT ${ROWS})`;
const OLD_RESETS = `DELETE FROM resets WHERE at < ?
  AND run NOT IN (SELECT run FROM processes)`;
/** A run is over when nothing is left of it. */
const OVER = `run IN (SELECT run FROM run_sums AS r
  WHERE run NOT IN (SELECT run FROM processes)
    AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.run = r.run))`;
const OLD_RUNS = ["run_forms", "run_sums"].map((table) =>
  `DELETE FROM ${table} WHERE ${OVER}`
);
const OLD_FORMS = `DELETE FROM run_forms
  WHERE rowid <= (SELECT max(rowid) FROM run_forms) - ${MAX_FORMS}`;
const GONE = `DELETE FROM processes WHERE seen_at < ?`;
const ORPHANS = `DELETE FROM reservations
  WHERE process NOT IN (SELECT id FROM processes)`;
const IDLE_RATES = `DELETE FROM rates WHERE (run, caller) IN (
  SELECT run, caller FROM rates WHERE at < ? LIMIT ${ROWS})`;

const DIMENSIONS: readonly Dimension[] = [
  "provider",
  "model",
  "project",
  "stack",
  "agent",
  "kind",
  "tool",
];

/** Bounds of what is kept. */
interface LedgerBounds {
  /** Requests that are kept, the newest; 200,000 when not given. */
  readonly maxRequests?: number;
  /** Milliseconds between runs while nothing is left to do; 60,000 when not given. */
  readonly pauseMs?: number;
}

/**
 * Makes the sweep of one connection. Call it after each write; it does little at a time and often nothing.
 *
 * @param db Connection that may write.
 * @returns Takes the time in milliseconds since the Unix epoch. Throws what the database throws.
 */
export function makeLedgerMaintenance(
  db: DatabaseSync,
  { maxRequests = MAX_REQUESTS, pauseMs = PAUSE_MS }: LedgerBounds = {},
): (now: number) => void {
  let nextAt = -Infinity;
  return (now) => {
    if (now < nextAt) return;
    nextAt = now + pauseMs;
    const removed = inTransaction(db, () => {
      db.prepare(OLD_SPEND).run(now - SPEND_MS);
      db.prepare(GONE).run(now - GONE_MS);
      db.prepare(ORPHANS).run();
      db.prepare(OLD_RESETS).run(now - REQUEST_MS);
      for (const statement of OLD_RUNS) db.prepare(statement).run();
      db.prepare(OLD_FORMS).run();
      boundRollups(db, now);
      boundActivity(db, now);
      return [
        db.prepare(OLD_REQUESTS).run(now - REQUEST_MS, maxRequests).changes,
        db.prepare(OLD_GIVEN).run(maxRequests).changes,
        db.prepare(OLD_CONVERSATIONS).run(now - REQUEST_MS).changes,
        db.prepare(IDLE_RATES).run(now - RATE_MS).changes,
      ];
    });
    if (Math.max(...removed.map(Number)) >= ROWS) nextAt = now;
  };
}

function boundActivity(db: DatabaseSync, now: number): void {
  const old = now - QUARTERS_MS;
  // By whole days: a day is not folded while it goes on.
  for (const statement of FOLD_OLD_ACTIVITY) {
    db.prepare(statement).run(old - old % DAY_MS);
  }
  db.prepare(OLD_ACTIVITY).run(now - ACTIVITY_MS);
  db.prepare(OLD_DURATIONS).run(now - ACTIVITY_MS);
}

function boundRollups(db: DatabaseSync, now: number): void {
  const oldBuckets = db.prepare(OLD_BUCKETS);
  for (const [step, ms] of Object.entries(STEP_MS)) {
    oldBuckets.run(step, now - ms);
  }
  const oldNamed = db.prepare(OLD_NAMED);
  const rare = db.prepare(RARE);
  for (const dimension of DIMENSIONS) {
    oldNamed.run(dimension, now - NAMED_MS);
    for (const { name } of rare.all(dimension, now - SEEN_MS)) {
      // A column of text.
      const cells = [dimension, String(name)];
      db.prepare(FOLD).run(...cells);
      db.prepare(FOLDED).run(...cells);
    }
  }
}
