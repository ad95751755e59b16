/** Tables of the ledger's database. @module */
import { BIN_STARTS } from "./durations.ts";
import { META_TABLE, type Migrations } from "../writer/schema.ts";
import { COLUMNS, DEFINED, growBy, NAMES } from "./sum_columns.ts";

/** Names per day and dimension, and over all time until housekeeping folds some; further ones are `(other)`. */
const MAX_DAY_NAMES = 200;
const MAX_NAMES = 400;
/** Each bin of durations, and where it begins: for whoever reads the file without this program. */
const BINS = BIN_STARTS.map((least, bin) => `(${bin}, ${least})`).join(", ");
/** Models per quarter of an hour; further ones are `(other)`. */
const MAX_MODELS = 50;

/** Verdicts on prefixes that conversations count. */
export const VERDICTS = ["extended", "client", "decided", "ours"] as const;
/** What conversations count beside sums. */
export const COUNTS: readonly string[] = ["refused", "retrievals", ...VERDICTS];

/**
 * `requests` is only ever appended to, and the oldest rows are removed; `row_sums.ts` counts each row once in the tables
 * of sums. `seq` is never given twice: who read up to one number goes on after it. `at` is when the request came: that is
 * the hour in which it is spent. Money is in nano-dollars; a column is NULL where it is unknown. `lists` is JSON of what
 * has no column. `failures` is JSON of the steps that failed in a request that was sent as it came.
 *
 * `totals.counted` is the `seq` of the last row that is in the sums.
 *
 * A row of `named` whose day is -1 holds all time. `session` is the last stretch of requests without an hour of silence.
 * `activity` has a row per quarter of an hour and model: quarters begin at full hours in every time zone. Rows that are
 * old are kept by day, and have its noon.
 *
 * `resets` says how often a run was counted anew. `run_sums` has as JSON what it counted since its start or its last
 * reset, `run_forms` the forms that are in it. What was given back has an id, so that it counts once.
 *
 * `places` are requests under way that a process may have at once.
 */
const TABLES = `
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
  lists TEXT NOT NULL,
  project TEXT NOT NULL DEFAULT 'default',
  stack TEXT NOT NULL DEFAULT '',
  agent TEXT NOT NULL DEFAULT '',
  conversation TEXT NOT NULL DEFAULT '',
  ttfb_ms REAL,
  prefix_verdict TEXT,
  prefix_previous INTEGER,
  prefix_equal INTEGER,
  prefix_difference TEXT,
  saved_by TEXT,
  error_type TEXT NOT NULL DEFAULT '',
  failures TEXT
);
CREATE INDEX requests_by_run ON requests (run, seq);
CREATE INDEX requests_by_time ON requests (at);
CREATE INDEX requests_by_conversation ON requests (conversation, seq)
  WHERE conversation <> '';
CREATE INDEX requests_with_problems ON requests (seq)
  WHERE (status >= 400 AND status <> 499) OR failures IS NOT NULL;

CREATE TABLE given_back (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  process TEXT NOT NULL,
  event TEXT NOT NULL,
  id TEXT
);
CREATE INDEX given_back_by_run ON given_back (run, seq);
CREATE UNIQUE INDEX given_back_by_id ON given_back (id);

CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  ${DEFINED},
  broken_prefixes INTEGER NOT NULL DEFAULT 0,
  counted INTEGER NOT NULL DEFAULT 0
);
INSERT INTO totals (id) VALUES (1);

CREATE TABLE spend (
  hour INTEGER PRIMARY KEY,
  measured INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  records INTEGER NOT NULL DEFAULT 0,
  estimated_records INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE buckets (
  step TEXT NOT NULL,
  start INTEGER NOT NULL,
  ${DEFINED},
  PRIMARY KEY (step, start)
) WITHOUT ROWID;

CREATE TABLE named (
  dimension TEXT NOT NULL,
  day INTEGER NOT NULL,
  name TEXT NOT NULL,
  ${DEFINED},
  PRIMARY KEY (dimension, day, name)
) WITHOUT ROWID;

CREATE TABLE session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ${DEFINED}
);

CREATE TABLE activity (
  start INTEGER NOT NULL,
  model TEXT NOT NULL,
  ${DEFINED},
  refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (start, model)
) WITHOUT ROWID;

CREATE TABLE duration_bins (
  bin INTEGER NOT NULL,
  least REAL PRIMARY KEY
) WITHOUT ROWID;
INSERT INTO duration_bins VALUES ${BINS};
CREATE TABLE durations (
  start INTEGER NOT NULL,
  measure TEXT NOT NULL,
  bin INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (start, measure, bin)
) WITHOUT ROWID;

CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  model TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  ${DEFINED},
  ${COUNTS.map((count) => `${count} INTEGER NOT NULL DEFAULT 0`).join(",\n  ")}
) WITHOUT ROWID;
CREATE INDEX conversations_by_time ON conversations (last_at, id);

CREATE TABLE resets (
  run TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  given INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE run_sums (
  run TEXT PRIMARY KEY,
  sums TEXT NOT NULL
);
CREATE TABLE run_forms (
  run TEXT NOT NULL,
  key TEXT NOT NULL,
  UNIQUE (run, key)
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

CREATE TRIGGER process_removed AFTER DELETE ON processes BEGIN
  DELETE FROM reservations WHERE process = OLD.id;
END;
CREATE TRIGGER name_bounded AFTER INSERT ON named
  WHEN NEW.name NOT IN ('(other)', '(added)') AND (SELECT count(*) FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day)
    > iif(NEW.day < 0, ${MAX_NAMES}, ${MAX_DAY_NAMES}) BEGIN
  INSERT INTO named SELECT dimension, day, '(other)', ${COLUMNS} FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day AND name = NEW.name
    ON CONFLICT (dimension, day, name) DO UPDATE SET ${growBy(NAMES)};
  DELETE FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day AND name = NEW.name;
END;
CREATE TRIGGER models_bounded AFTER INSERT ON activity
  WHEN NEW.model <> '(other)' AND
    (SELECT count(*) FROM activity WHERE start = NEW.start) > ${MAX_MODELS} BEGIN
  INSERT INTO activity SELECT start, '(other)', ${COLUMNS}, refused
    FROM activity WHERE start = NEW.start AND model = NEW.model
    ON CONFLICT (start, model) DO UPDATE SET ${growBy([...NAMES, "refused"])};
  DELETE FROM activity WHERE start = NEW.start AND model = NEW.model;
END;
`;

/** The tables are those of version 5; the four before it were never released. Rows are only ever added. */
export const LEDGER_MIGRATIONS: Migrations = [TABLES, null, null, null, null];
