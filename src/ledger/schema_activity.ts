/** Third version of the ledger's tables: activity by time and model, durations, conversations. @module */
import {
  COLUMNS,
  DEFINED,
  GROW,
  MAX_NAME_LENGTH,
  OLD_SUMS,
  SUMMED,
  sumsOf,
} from "./schema_rollups.ts";

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Models per quarter of an hour; further ones are `(other)`. */
const MAX_MODELS = 50;
/** Steps that a doubling of a duration is divided into: the middle of one is at most 9 % off. */
const BINS_PER_DOUBLING = 4;
/** The first bin holds what is shorter, in milliseconds. */
const SHORTEST_MS = 0.1;
/** Bins in all: up to 55 hours. */
const BINS = 31 * BINS_PER_DOUBLING;

/** Where a bin begins, in milliseconds. */
const leastOf = (bin: number) =>
  bin === 0 ? 0 : SHORTEST_MS * 2 ** ((bin - 1) / BINS_PER_DOUBLING);

/** A duration in the middle of a bin, in milliseconds. */
export function middleOfBin(bin: number): number {
  return bin === 0
    ? SHORTEST_MS
    : SHORTEST_MS * 2 ** ((bin - 0.5) / BINS_PER_DOUBLING);
}

/** Day of a time, at noon: the same date in nearly all time zones. Rows that are old are kept by day. */
const noonOf = (at: string) => `(${at} - ${at} % ${DAY_MS} + ${DAY_MS / 2})`;

/** Answered with 4xx; who left (499) was not refused. */
export function refused(row: string): string {
  return `(${row}.status BETWEEN 400 AND 498)`;
}
const retrievals = (row: string) =>
  `ifnull(json_array_length(${row}.lists, '$.retrieved'), 0)`;
const verdict = (row: string, word: string) =>
  `(${row}.prefix_verdict IS '${word}')`;
const name = (column: string) => `substr(${column}, 1, ${MAX_NAME_LENGTH})`;
/** Start of the quarter of an hour that holds a time. */
export function quarter(at: string): string {
  return `${at} - ${at} % ${QUARTER_MS}`;
}
const hour = (at: string) => `${at} - ${at} % ${HOUR_MS}`;

const VERDICTS = ["extended", "client", "decided", "ours"];
const COUNTS = ["refused", "retrievals", ...VERDICTS];
const countsOf = (row: string) => [
  refused(row),
  retrievals(row),
  ...VERDICTS.map((word) => verdict(row, word)),
];
const BOUNDS = Array.from(
  { length: BINS },
  (_, bin) => `(${bin}, ${leastOf(bin)})`,
).join(", ");

/** The three durations of a request, and the bin of each. What an upstream did not begin to answer has none. */
const timeOf = (row: string) => (measure: string) =>
  `SELECT '${measure}' AS measure, (SELECT bin FROM duration_bins
      WHERE least <= max(0, ${row}.${measure}_ms) ORDER BY least DESC LIMIT 1) AS bin`;
const MEASURES = ["latency", "overhead", "ttfb"];
const timesOf = (row: string) => MEASURES.map(timeOf(row)).join(" UNION ALL ");

/** Of requests of one conversation the newest says what it is called. */
const newest = (column: string) =>
  `${column} = iif(excluded.${column} <> '' AND excluded.last_at >= last_at,
    excluded.${column}, ${column})`;

const GROW_CONVERSATION = `ON CONFLICT (id) DO UPDATE SET
      ${["model", "agent", "project"].map(newest).join(", ")},
      first_at = min(first_at, excluded.first_at),
      last_at = max(last_at, excluded.last_at), ${GROW},
      ${
  COUNTS.map((count) => `${count} = ${count} + excluded.${count}`).join(", ")
}`;

/**
 * `activity` has a row per quarter of an hour and model: quarters begin at full hours in every time zone. Rows of days
 * before the oldest request come from `named`, and have their day's noon.
 *
 * `failures` is JSON of the steps that failed in a request that was sent as it came.
 */
export const ACTIVITY = `
ALTER TABLE requests ADD COLUMN error_type TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN failures TEXT;
CREATE INDEX requests_by_conversation ON requests (conversation, seq)
  WHERE conversation <> '';
CREATE INDEX requests_with_problems ON requests (seq)
  WHERE (status >= 400 AND status <> 499) OR failures IS NOT NULL;

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
INSERT INTO duration_bins VALUES ${BOUNDS};
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

CREATE TEMP TABLE oldest AS SELECT ifnull(
  (SELECT min(at) - min(at) % ${DAY_MS} + ${DAY_MS} FROM requests),
  9e15) AS next_day;
INSERT INTO activity SELECT ${noonOf("day")}, name, ${COLUMNS}, 0 FROM named
  WHERE dimension = 'model' AND day >= 0
    AND day < (SELECT next_day FROM oldest);
INSERT INTO activity SELECT ${quarter("requests.at")} AS begins,
    ${name("requests.model")} AS of_model, ${OLD_SUMS},
    sum(${refused("requests")})
  FROM requests WHERE at >= (SELECT next_day FROM oldest)
  GROUP BY begins, of_model;
DROP TABLE oldest;
INSERT INTO durations SELECT begins, measure, bin, count(*) FROM (
${
  ["latency", "overhead", "ttfb"].map((measure) =>
    `SELECT ${hour("at")} AS begins, '${measure}' AS measure,
    (SELECT bin FROM duration_bins WHERE least <= max(0, ${measure}_ms)
      ORDER BY least DESC LIMIT 1) AS bin
    FROM requests WHERE ttfb_ms IS NOT NULL`
  ).join("\n  UNION ALL ")
}) GROUP BY begins, measure, bin;
INSERT INTO conversations SELECT conversation, min(at), max(at), '', '', '',
    ${OLD_SUMS}, ${
  countsOf("requests").map((count) => `sum(${count})`).join(", ")
}
  FROM requests WHERE conversation <> '' GROUP BY conversation;
UPDATE conversations SET ${
  ["model", "agent", "project"].map((column) =>
    `${column} = ifnull((SELECT ${name(column)} FROM requests
    WHERE requests.conversation <> ''
      AND requests.conversation = conversations.id
      AND requests.${column} <> '' ORDER BY requests.seq DESC LIMIT 1), '')`
  ).join(",\n  ")
};

CREATE TRIGGER request_in_activity AFTER INSERT ON requests BEGIN
  INSERT INTO activity SELECT ${quarter("NEW.at")}, ${name("NEW.model")},
      ${sumsOf("NEW").join(", ")}, ${refused("NEW")} WHERE true
    ON CONFLICT (start, model) DO UPDATE SET ${GROW},
      refused = refused + excluded.refused;
END;
CREATE TRIGGER models_bounded AFTER INSERT ON activity
  WHEN NEW.model <> '(other)' AND
    (SELECT count(*) FROM activity WHERE start = NEW.start) > ${MAX_MODELS} BEGIN
  INSERT INTO activity SELECT start, '(other)', ${COLUMNS}, refused
    FROM activity WHERE start = NEW.start AND model = NEW.model
    ON CONFLICT (start, model) DO UPDATE SET ${GROW},
      refused = refused + excluded.refused;
  DELETE FROM activity WHERE start = NEW.start AND model = NEW.model;
END;
CREATE TRIGGER request_timed AFTER INSERT ON requests
  WHEN NEW.ttfb_ms IS NOT NULL BEGIN
  INSERT INTO durations SELECT ${hour("NEW.at")}, measure, bin, 1
    FROM (${timesOf("NEW")}) WHERE true
    ON CONFLICT (start, measure, bin) DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER request_in_conversation AFTER INSERT ON requests
  WHEN NEW.conversation <> '' BEGIN
  INSERT INTO conversations SELECT NEW.conversation, NEW.at, NEW.at,
      ${name("NEW.model")}, ${name("NEW.agent")}, ${name("NEW.project")},
      ${sumsOf("NEW").join(", ")}, ${countsOf("NEW").join(", ")} WHERE true
    ${GROW_CONVERSATION};
END;
`;

/** Statements that count rows of `requests` behind `seq` ?1: of a conversation the newest row says what it is called. */
export const COUNT_ACTIVITY: readonly string[] = [
  `INSERT INTO durations SELECT start, measure, bin, 1 FROM (
    ${
    MEASURES.map((measure) =>
      `${timeOf("requests")(measure)}, ${hour("at")} AS start FROM requests
    WHERE seq > ?1 AND ttfb_ms IS NOT NULL`
    ).join(" UNION ALL ")
  }) WHERE true
  ON CONFLICT (start, measure, bin) DO UPDATE SET requests = requests + 1`,
  `INSERT INTO conversations SELECT conversation, at, at, ${name("model")},
    ${name("agent")}, ${name("project")}, ${sumsOf("requests").join(", ")},
    ${countsOf("requests").join(", ")} FROM requests
  WHERE seq > ?1 AND conversation <> '' ORDER BY seq ${GROW_CONVERSATION}`,
];

/** Statements that keep one row per day of what is older than `?1`: rows of a noon are there already. */
export const FOLD_OLD_ACTIVITY: readonly string[] = [
  `INSERT INTO activity SELECT ${noonOf("start")} AS noon, model, ${SUMMED},
    CAST(total(refused) AS INTEGER) FROM activity
  WHERE start < ?1 AND start % ${DAY_MS} <> ${DAY_MS / 2} GROUP BY noon, model
  ON CONFLICT (start, model) DO UPDATE SET ${GROW},
    refused = refused + excluded.refused`,
  `DELETE FROM activity WHERE start < ?1 AND start % ${DAY_MS} <> ${
    DAY_MS / 2
  }`,
  `INSERT INTO durations SELECT ${
    noonOf("start")
  } AS noon, measure, bin, sum(requests) FROM durations
  WHERE start < ?1 AND start % ${DAY_MS} <> ${
    DAY_MS / 2
  } GROUP BY noon, measure, bin
  ON CONFLICT (start, measure, bin) DO UPDATE SET
    requests = requests + excluded.requests`,
  `DELETE FROM durations WHERE start < ?1 AND start % ${DAY_MS} <> ${
    DAY_MS / 2
  }`,
];
