/** Second version of the ledger's tables: sums over time and by name. @module */

/** Tokens that compression took away; the row of a request that no provider took may say what it would have been. */
const removed = (row: string) =>
  `iif(NOT ${row}.cached AND (${row}.status < 400 OR (${row}.status = 499
    AND coalesce(${row}.input, ${row}.cache_read, ${row}.cache_write) IS NOT NULL)),
    ${row}.saved_fresh + ${row}.saved_kept, 0)`;

/** Columns of sums, and what a row of `requests` adds to each. */
const SUMS = {
  requests: () => "1",
  failed: (row) => `(${row}.status >= 500)`,
  input: (row) => `${row}.tokens_in`,
  output: (row) => `ifnull(${row}.output, 0)`,
  saved: removed,
  added: (row) => `${removed(row)} - ${row}.tokens_saved`,
  cache_read: (row) => `ifnull(${row}.cache_read, 0)`,
  cache_write: (row) => `ifnull(${row}.cache_write, 0)`,
  nano_usd: (row) => `ifnull(${row}.nano_usd, 0)`,
  saved_gross: (row) => `ifnull(${row}.saved_gross, 0)`,
  saved_net: (row) => `ifnull(${row}.saved_net, 0)`,
  unpriced: (row) =>
    `(${row}.cost_basis IS NOT NULL AND ${row}.nano_usd IS NULL)`,
} satisfies Record<string, (row: string) => string>;

/** Names of the columns of sums. */
export const NAMES = Object.keys(SUMS);
/** A list of them. */
export const COLUMNS = NAMES.join(", ");
/** Their definitions. */
export const DEFINED = NAMES.map((name) => `${name} INTEGER NOT NULL DEFAULT 0`)
  .join(",\n  ");
/** A row that is there grows by the one that would be inserted. */
export const GROW = NAMES.map((name) => `${name} = ${name} + excluded.${name}`)
  .join(", ");
/** What a row of `requests` adds to each; `row` is its table, or `NEW` in a trigger. */
export function sumsOf(row: string): readonly string[] {
  return Object.values(SUMS).map((of) => of(row));
}
/** As `total` is, exact up to 2^53 and beyond it never refused as `sum` is. */
export function total(value: string): string {
  return `CAST(total(${value}) AS INTEGER)`;
}
/** What grouped rows of `requests` add. */
export const OLD_SUMS = sumsOf("requests").map(total).join(", ");
/** What `totals` counted of requests whose rows are gone. */
const GONE = NAMES.map((name) => `totals.${name} - kept.${name} AS ${name}`)
  .join(", ");
const KEPT = NAMES.map((name) => `${total(name)} AS ${name}`).join(", ");
/** Sums of grouped rows of sums. */
export const SUMMED = NAMES.map(total).join(", ");

const DAY_MS = 86_400_000;
/** Start of the step that holds a time, all in milliseconds since the Unix epoch. Its first day was a Thursday. */
export const STARTS: Readonly<Record<string, (at: string) => string>> = {
  hourly: (at) => `${at} - ${at} % 3600000`,
  daily: (at) => `${at} - ${at} % ${DAY_MS}`,
  weekly: (at) =>
    `(${at} / ${DAY_MS} - (${at} / ${DAY_MS} + 3) % 7) * ${DAY_MS}`,
  monthly: (at) =>
    `unixepoch(${at} / 1000, 'unixepoch', 'start of month') * 1000`,
};
const startsOf = (at: string) =>
  Object.entries(STARTS).map(([step, start]) =>
    `SELECT '${step}' AS step, ${start(at)} AS start`
  ).join(" UNION ALL ");

/** What has a name by itself; kinds and tools come from `saved_by`. */
export const NAMED: readonly string[] = [
  "provider",
  "model",
  "project",
  "stack",
  "agent",
];
/** Of names that clients choose so many characters are kept. */
export const MAX_NAME_LENGTH = 200;
/** Names per day and dimension, and over all time until housekeeping folds some; further ones are `(other)`. */
const MAX_DAY_NAMES = 200;
const MAX_NAMES = 400;

const namesOf = (row: string) =>
  NAMED.map((column) =>
    `SELECT '${column}' AS dimension, substr(${row}.${column}, 1, ${MAX_NAME_LENGTH}) AS name`
  ).join(" UNION ALL ");
const OF_FORMS = ["kind", "tool"];
/** Keys and values of the JSON object that holds them, in SQL. */
export function sharesOf(row: string): string {
  const rest = OF_FORMS.map((dimension) =>
    `'${dimension}:(other)', ${removed(row)},
      '${dimension}:(added)', ${row}.tokens_saved - ${removed(row)}`
  ).join(", ");
  return `json_each(ifnull(${row}.saved_by, json_object(${rest})))`;
}
/** Tokens of a row by kind and tool, with `kind:` or `tool:` before the name; one written by the first version has none. */
const SHARES = `SELECT substr(key, 1, 4) AS dimension,
      substr(key, 6, ${MAX_NAME_LENGTH}) AS name, value AS tokens
    FROM ${sharesOf("NEW")}`;
/** Day of a row, and of all time. */
const DAYS = [STARTS["daily"]!("NEW.at"), "-1"];

/** Rows of the first version name the kind and the tool only of forms that were new; the rest has no name. Added tokens never have. */
const OLD_SHARES = Object.entries({ kind: "strategy", tool: "toolName" }).map(
  ([dimension, member]) => `
INSERT INTO named (dimension, day, name, requests, saved)
  SELECT '${dimension}', ${STARTS["daily"]!("requests.at")} AS day,
    iif(value ->> '${member}' = '(added)', '(other)',
      substr(value ->> '${member}', 1, ${MAX_NAME_LENGTH})) AS name,
    count(DISTINCT requests.seq), ${total("value ->> 'saved'")}
  FROM requests, json_each(requests.lists, '$.forms')
  GROUP BY day, name;
INSERT INTO named (dimension, day, name, saved, added)
  SELECT '${dimension}', day, '(other)', rest, 0 FROM (
    SELECT start AS day, saved - (SELECT ${total("saved")}
      FROM named WHERE dimension = '${dimension}' AND day = start) AS rest
    FROM buckets WHERE step = 'daily') WHERE rest <> 0
  ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};
INSERT INTO named (dimension, day, name, requests, added)
  SELECT '${dimension}', ${STARTS["daily"]!("requests.at")} AS day, '(added)',
    count(*), ${total(SUMS.added("requests"))}
  FROM requests WHERE ${SUMS.added("requests")} <> 0 GROUP BY day
  ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};`,
).join("");

/**
 * `totals` counted tokens saved over requests that gained, and added over those that lost: of requests whose rows are
 * gone that stays.
 *
 * A row of `named` whose day is -1 holds all time.
 *
 * `session` is the last stretch of requests without an hour of silence. `resets` says for a run behind which rows its
 * counts begin. What was given back has an id, so that it counts once.
 */
export const ROLLUPS = `
ALTER TABLE requests ADD COLUMN project TEXT NOT NULL DEFAULT 'default';
ALTER TABLE requests ADD COLUMN stack TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN conversation TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN ttfb_ms REAL;
ALTER TABLE requests ADD COLUMN prefix_verdict TEXT;
ALTER TABLE requests ADD COLUMN prefix_previous INTEGER;
ALTER TABLE requests ADD COLUMN prefix_equal INTEGER;
ALTER TABLE requests ADD COLUMN prefix_difference TEXT;
ALTER TABLE requests ADD COLUMN saved_by TEXT;
CREATE INDEX requests_by_time ON requests (at);

ALTER TABLE given_back ADD COLUMN id TEXT;
CREATE UNIQUE INDEX given_back_by_id ON given_back (id);

ALTER TABLE totals ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN cache_read INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN cache_write INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN broken_prefixes INTEGER NOT NULL DEFAULT 0;

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

CREATE TABLE resets (
  run TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  given INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO buckets SELECT 'hourly', ${
  STARTS["hourly"]!("requests.at")
} AS hour, ${OLD_SUMS} FROM requests GROUP BY hour;
INSERT INTO buckets SELECT 'daily', ${
  STARTS["daily"]!("start")
} AS day, ${SUMMED}
  FROM buckets WHERE step = 'hourly' GROUP BY day;
${
  ["weekly", "monthly"].map((step) => `
INSERT INTO buckets SELECT '${step}', ${
    STARTS[step]!("start")
  } AS begins, ${SUMMED}
  FROM buckets WHERE step = 'daily' GROUP BY begins;`).join("")
}
${
  ["provider", "model"].map((column) => `
INSERT INTO named SELECT '${column}',
    ${STARTS["daily"]!("requests.at")} AS day,
    substr(requests.${column}, 1, ${MAX_NAME_LENGTH}) AS name, ${OLD_SUMS}
  FROM requests GROUP BY day, name;`).join("")
}
INSERT INTO named SELECT column1, start, column2, ${COLUMNS} FROM buckets,
  (VALUES ('project', 'default'), ('stack', ''), ('agent', ''))
  WHERE step = 'daily';
${OLD_SHARES}

UPDATE totals SET (failed, cache_read, cache_write, saved, added) = (
  SELECT kept.failed, kept.cache_read, kept.cache_write,
    totals.saved + kept.saved - old.saved, totals.added + kept.added - old.added
    FROM (SELECT ${KEPT} FROM buckets WHERE step = 'monthly') AS kept,
      (SELECT ${total("max(0, tokens_saved)")} AS saved,
        ${total("max(0, -tokens_saved)")} AS added FROM requests) AS old);
CREATE TEMP TABLE gone AS SELECT (SELECT ifnull(min(at), ifnull(
    (SELECT max(hour) FROM spend), unixepoch() * 1000)) FROM requests) AS at,
  ${COLUMNS} FROM (SELECT ${GONE} FROM totals,
    (SELECT ${KEPT} FROM buckets WHERE step = 'monthly') AS kept)
  WHERE requests > 0;
INSERT INTO buckets SELECT step, start, ${COLUMNS} FROM gone, (
    ${startsOf("(SELECT at FROM gone)")}) WHERE true
  ON CONFLICT (step, start) DO UPDATE SET ${GROW};
INSERT INTO named SELECT column1, ${
  STARTS["daily"]!("at")
}, '(other)', ${COLUMNS}
  FROM gone, (VALUES ${NAMED.map((name) => `('${name}')`).join(", ")})
  WHERE true
  ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};
INSERT INTO named (dimension, day, name, saved, added)
  SELECT dimension, ${STARTS["daily"]!("at")}, name, saved, added
  FROM (${
  OF_FORMS.map((dimension) =>
    `SELECT '${dimension}' AS dimension, at, '(other)' AS name, saved, 0 AS added FROM gone
    UNION ALL SELECT '${dimension}', at, '(added)', 0, added FROM gone`
  ).join(" UNION ALL ")
}) WHERE saved <> 0 OR added <> 0
  ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};
DROP TABLE gone;
INSERT INTO named SELECT dimension, -1, name, ${SUMMED}
  FROM named GROUP BY dimension, name;

DROP TRIGGER request_counted;
CREATE TRIGGER request_counted AFTER INSERT ON requests BEGIN
  UPDATE totals SET ${
  Object.entries(SUMS).map(([name, of]) => `${name} = ${name} + ${of("NEW")}`)
    .join(", ")
},
    broken_prefixes = broken_prefixes + (NEW.prefix_verdict IS 'ours');
END;
CREATE TRIGGER request_in_buckets AFTER INSERT ON requests BEGIN
  INSERT INTO buckets SELECT step, start, ${sumsOf("NEW").join(", ")}
    FROM (${startsOf("NEW.at")}) WHERE true
    ON CONFLICT (step, start) DO UPDATE SET ${GROW};
END;
CREATE TRIGGER request_named AFTER INSERT ON requests BEGIN${
  DAYS.map((day) => `
  INSERT INTO named SELECT dimension, ${day}, name, ${sumsOf("NEW").join(", ")}
    FROM (${namesOf("NEW")}) WHERE true
    ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};
  INSERT INTO named (dimension, day, name, requests, saved, added)
    SELECT dimension, ${day}, name, 1,
      iif(name = '(added)', 0, tokens), iif(name = '(added)', -tokens, 0)
    FROM (${SHARES}) WHERE tokens <> 0
    ON CONFLICT (dimension, day, name) DO UPDATE SET
      requests = requests + 1, saved = saved + excluded.saved,
      added = added + excluded.added;`).join("")
}
END;
CREATE TRIGGER name_bounded AFTER INSERT ON named
  WHEN NEW.name NOT IN ('(other)', '(added)') AND (SELECT count(*) FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day)
    > iif(NEW.day < 0, ${MAX_NAMES}, ${MAX_DAY_NAMES}) BEGIN
  INSERT INTO named SELECT dimension, day, '(other)', ${COLUMNS} FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day AND name = NEW.name
    ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW};
  DELETE FROM named
    WHERE dimension = NEW.dimension AND day = NEW.day AND name = NEW.name;
END;
CREATE TRIGGER request_in_session AFTER INSERT ON requests BEGIN
  DELETE FROM session WHERE last_at < NEW.at - 3600000;
  INSERT INTO session SELECT 1, NEW.at, NEW.at + CAST(NEW.latency_ms AS INTEGER),
      ${sumsOf("NEW").join(", ")} WHERE true
    ON CONFLICT (id) DO UPDATE SET
      started_at = min(started_at, excluded.started_at),
      last_at = max(last_at, excluded.last_at), ${GROW};
END;
`;
