/** Tables of the ledger's database. @module */
import { META_TABLE } from "../writer/schema.ts";
import { ACTIVITY } from "./schema_activity.ts";
import { ROLLUPS } from "./schema_rollups.ts";

/**
 * `requests` is only ever appended to, and the oldest rows are removed; `row_sums.ts` counts each row once in the tables
 * of sums, whatever happens around it. `seq` is never given twice: who read up to one number goes on after it. `at` is
 * when the request came: that is the hour in which it is spent.
 *
 * Money is in nano-dollars; a column is NULL where it is unknown. `lists` is JSON of what has no column.
 *
 * `places` are requests under way that a process may have at once.
 */
const FIRST = `
${META_TABLE}

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  run TEXT NOT NULL,
  process TEXT NOT NULL,
  provider TEXT NOT NULL,
  upstream TEXT NOT NULL,
  model TEXT NOT NULL,
  status INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  refused_by TEXT,
  older_decided TEXT,
  tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_saved INTEGER NOT NULL,
  saved_fresh INTEGER NOT NULL,
  saved_kept INTEGER NOT NULL,
  added_fresh INTEGER NOT NULL,
  added_kept INTEGER NOT NULL,
  input INTEGER,
  output INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  cache_write_1h INTEGER,
  further_rounds INTEGER NOT NULL,
  latency_ms REAL NOT NULL,
  overhead_ms REAL NOT NULL,
  cost_basis TEXT,
  nano_usd INTEGER,
  saved_gross INTEGER,
  saved_net INTEGER,
  lists TEXT NOT NULL
);
CREATE INDEX requests_by_run ON requests (run, seq);

CREATE TABLE given_back (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  process TEXT NOT NULL,
  event TEXT NOT NULL
);
CREATE INDEX given_back_by_run ON given_back (run, seq);

CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  requests INTEGER NOT NULL DEFAULT 0,
  input INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  saved INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  nano_usd INTEGER NOT NULL DEFAULT 0,
  saved_gross INTEGER NOT NULL DEFAULT 0,
  saved_net INTEGER NOT NULL DEFAULT 0,
  unpriced INTEGER NOT NULL DEFAULT 0
);
INSERT INTO totals (id) VALUES (1);

CREATE TABLE spend (
  hour INTEGER PRIMARY KEY,
  measured INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  estimated_records INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL,
  slot INTEGER,
  seen_at INTEGER NOT NULL,
  places INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  at INTEGER NOT NULL,
  nano_usd INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX reservations_by_process ON reservations (process);

CREATE TABLE rates (
  run TEXT NOT NULL,
  caller TEXT NOT NULL,
  at INTEGER NOT NULL,
  left REAL NOT NULL,
  PRIMARY KEY (run, caller)
) WITHOUT ROWID;
CREATE INDEX rates_by_age ON rates (at);

CREATE TRIGGER request_counted AFTER INSERT ON requests BEGIN
  UPDATE totals SET
    requests = requests + 1,
    input = input + NEW.tokens_in,
    output = output + ifnull(NEW.output, 0),
    saved = saved + max(0, NEW.tokens_saved),
    added = added + max(0, -NEW.tokens_saved),
    nano_usd = nano_usd + ifnull(NEW.nano_usd, 0),
    saved_gross = saved_gross + ifnull(NEW.saved_gross, 0),
    saved_net = saved_net + ifnull(NEW.saved_net, 0),
    unpriced = unpriced
      + (NEW.cost_basis IS NOT NULL AND NEW.nano_usd IS NULL);
END;
CREATE TRIGGER request_spent AFTER INSERT ON requests
  WHEN NEW.cost_basis IS NOT NULL BEGIN
  INSERT OR IGNORE INTO spend (hour) VALUES (NEW.at - NEW.at % 3600000);
  UPDATE spend SET
    measured = measured
      + iif(NEW.cost_basis = 'measured', ifnull(NEW.nano_usd, 0), 0),
    estimated = estimated
      + iif(NEW.cost_basis = 'estimated', ifnull(NEW.nano_usd, 0), 0),
    records = records + 1,
    estimated_records = estimated_records
      + (NEW.cost_basis = 'estimated' OR NEW.nano_usd IS NULL)
    WHERE hour = NEW.at - NEW.at % 3600000;
END;
CREATE TRIGGER process_removed AFTER DELETE ON processes BEGIN
  DELETE FROM reservations WHERE process = OLD.id;
END;
`;

/**
 * `counted` is the `seq` of the last row that is in the sums: what a running process of an older version still writes is
 * behind it, and counted with the next rows.
 */
const COUNTED = `
ALTER TABLE totals ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
UPDATE totals SET counted = (SELECT ifnull(max(seq), 0) FROM requests);
DROP TRIGGER request_counted;
DROP TRIGGER request_spent;
DROP TRIGGER request_in_buckets;
DROP TRIGGER request_named;
DROP TRIGGER request_in_session;
DROP TRIGGER request_in_activity;
DROP TRIGGER request_timed;
DROP TRIGGER request_in_conversation;
`;

/**
 * `run_sums` has as JSON what a run counted since its start or its last reset, `run_forms` the forms that are in it.
 */
const RUNS = `
CREATE TABLE run_sums (
  run TEXT PRIMARY KEY,
  sums TEXT NOT NULL
);
CREATE TABLE run_forms (
  run TEXT NOT NULL,
  key TEXT NOT NULL,
  UNIQUE (run, key)
);
`;

/** Row `i` brings a database of version `i` to version `i + 1`. Rows are only ever added. */
export const LEDGER_MIGRATIONS: readonly string[] = [
  FIRST,
  ROLLUPS,
  ACTIVITY,
  COUNTED,
  RUNS,
];
