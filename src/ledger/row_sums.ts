/** Counts rows of `requests` in all tables of sums, many at a time. @module */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { COUNT_ACTIVITY, quarter, refused } from "./schema_activity.ts";
import {
  COLUMNS,
  GROW,
  MAX_NAME_LENGTH,
  NAMED,
  NAMES,
  sharesOf,
  STARTS,
  sumsOf,
  total,
} from "./schema_rollups.ts";

const HOUR_MS = 3_600_000;

/** Sums of new rows, in few rows: of a quarter of an hour most requests have all names in common. */
const UNCOUNTED = `CREATE TEMP TABLE IF NOT EXISTS uncounted (quarter,
  in_session, ${NAMED.join(", ")}, seq, first_at, last_at, ${COLUMNS}, refused,
  broken)`;

/** How rows are taken together: a single one as it is, in half the time that sums of it take. */
interface Taking {
  readonly total: (value: string) => string;
  readonly least: (value: string) => string;
  readonly most: (value: string) => string;
  /** What the rows of a group have in common. Of names those are kept that come first, so groups are in this order. */
  readonly by: (group: string) => string;
}
const ONE: Taking = {
  total: (value) => value,
  least: (value) => value,
  most: (value) => value,
  by: () => "",
};
const MANY: Taking = {
  total,
  least: (value) => `min(${value})`,
  most: (value) => `max(${value})`,
  by: (group) => `GROUP BY ${group} ORDER BY min(seq)`,
};

/** From `requests`: those behind `?1`, and whether they are in the session that begins with `?2`. */
const fill = ({ total, least, most, by }: Taking) =>
  `INSERT INTO uncounted SELECT ${quarter("at")}, seq >= ?2, ${
    NAMED.map((name) => `substr(${name}, 1, ${MAX_NAME_LENGTH})`).join(", ")
  }, ${least("seq")}, ${least("at")},
    ${most("at + CAST(latency_ms AS INTEGER)")},
    ${sumsOf("requests").map(total).join(", ")},
    ${total(refused("requests"))}, ${total("prefix_verdict IS 'ours'")}
  FROM requests WHERE seq > ?1 ${by([1, 2, 3, 4, 5, 6, 7].join(", "))}`;

/** Each row counts for its day, and for all time. */
const DAYS = "(SELECT 0 AS ever UNION ALL SELECT 1)";
const dayOf = (at: string) => `iif(ever, -1, ${STARTS["daily"]!(at)})`;

/** From `uncounted`. */
const countSums = (
  { total, least, most, by }: Taking,
): readonly string[] => {
  const sums = NAMES.map(total).join(", ");
  return [
    `UPDATE totals SET broken_prefixes = broken_prefixes + new.broken, ${
      NAMES.map((name) => `${name} = totals.${name} + new.${name}`).join(", ")
    }, counted = (SELECT max(seq) FROM requests)
    FROM (SELECT ${
      ["broken", ...NAMES].map((name) => `${total(name)} AS ${name}`).join(", ")
    } FROM uncounted) AS new`,
    `INSERT INTO session SELECT 1, ${least("first_at")}, ${most("last_at")},
      ${sums} FROM uncounted WHERE in_session ON CONFLICT (id) DO UPDATE SET
      started_at = min(started_at, excluded.started_at),
      last_at = max(last_at, excluded.last_at), ${GROW}`,
    `INSERT INTO buckets SELECT step, start, ${sums} FROM (${
      Object.entries(STARTS).map(([step, start]) =>
        `SELECT '${step}' AS step, ${start("quarter")} AS start, seq, ${COLUMNS}
        FROM uncounted`
      ).join(" UNION ALL ")
    }) WHERE true ${by("step, start")}
    ON CONFLICT (step, start) DO UPDATE SET ${GROW}`,
    `INSERT INTO named SELECT dimension, ${dayOf("quarter")} AS day, name,
      ${sums} FROM (${
      NAMED.map((column) =>
        `SELECT '${column}' AS dimension, ${column} AS name, seq, quarter,
        ${COLUMNS} FROM uncounted`
      ).join(" UNION ALL ")
    }), ${DAYS} WHERE true ${by("dimension, day, name")}
    ON CONFLICT (dimension, day, name) DO UPDATE SET ${GROW}`,
    `INSERT INTO activity SELECT quarter, model, ${sums}, ${total("refused")}
    FROM uncounted WHERE true ${by("quarter, model")}
    ON CONFLICT (start, model) DO UPDATE SET ${GROW},
      refused = refused + excluded.refused`,
  ];
};

/** From `requests` behind `?1`. */
const COUNT_ROWS: readonly string[] = [
  `INSERT INTO spend SELECT at - at % ${HOUR_MS} AS hour,
    iif(cost_basis = 'measured', ifnull(nano_usd, 0), 0),
    iif(cost_basis = 'estimated', ifnull(nano_usd, 0), 0),
    1, cost_basis = 'estimated' OR nano_usd IS NULL
  FROM requests WHERE seq > ?1 AND cost_basis IS NOT NULL
  ON CONFLICT (hour) DO UPDATE SET measured = measured + excluded.measured,
    estimated = estimated + excluded.estimated,
    records = records + excluded.records,
    estimated_records = estimated_records + excluded.estimated_records`,
  `INSERT INTO named (dimension, day, name, requests, saved, added)
  SELECT dimension, day, name, requests, saved, added FROM (
    SELECT substr(key, 1, 4) AS dimension, ${dayOf("at")} AS day,
      substr(key, 6, ${MAX_NAME_LENGTH}) AS name, count(*) AS requests,
      ${total("iif(substr(key, 6) = '(added)', 0, value)")} AS saved,
      ${total("iif(substr(key, 6) = '(added)', -value, 0)")} AS added,
      min(seq) AS seq, shares.id AS place
    FROM requests CROSS JOIN ${sharesOf("requests")} AS shares
      CROSS JOIN ${DAYS}
    WHERE seq > ?1 AND saved_by IS NOT '{}' AND value <> 0
    GROUP BY dimension, day, name) ORDER BY seq, place
  ON CONFLICT (dimension, day, name) DO UPDATE SET
    requests = requests + excluded.requests, saved = saved + excluded.saved,
    added = added + excluded.added`,
  ...COUNT_ACTIVITY,
];

/** The last row behind `?1` that ended an hour of silence; 0 for none. */
const SESSION_START = `SELECT ifnull(max(seq), 0) AS seq FROM (
  SELECT seq, at, max(ended) OVER (
    ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM (SELECT ?1 AS seq, NULL AS at, last_at AS ended FROM session
    UNION ALL SELECT seq, at, at + CAST(latency_ms AS INTEGER) FROM requests
    WHERE seq > ?1))
  WHERE before < at - ${HOUR_MS} AND EXISTS (SELECT 1 FROM requests
    WHERE seq > ?1
      AND at > ifnull((SELECT last_at FROM session), 0) + ${HOUR_MS})`;
const ENDS = `SELECT counted,
  (SELECT ifnull(max(seq), 0) FROM requests) - counted AS new FROM totals`;

/** Counts what was written; one per connection that writes. */
export class RowSums {
  readonly #ends: StatementSync;
  readonly #sessionStart: StatementSync;
  readonly #endSession: StatementSync;
  readonly #fillOne: StatementSync;
  readonly #fillMany: StatementSync;
  readonly #countRows: readonly StatementSync[];
  readonly #countOne: readonly StatementSync[];
  readonly #countMany: readonly StatementSync[];
  readonly #clear: StatementSync;

  /** The tables must be there. Makes a temporary one, in memory. */
  constructor(db: DatabaseSync) {
    db.exec(`PRAGMA temp_store = MEMORY; ${UNCOUNTED}`);
    const prepare = (sql: string) => db.prepare(sql);
    this.#ends = prepare(ENDS);
    this.#sessionStart = prepare(SESSION_START);
    this.#endSession = prepare("DELETE FROM session");
    this.#fillOne = prepare(fill(ONE));
    this.#fillMany = prepare(fill(MANY));
    this.#countRows = COUNT_ROWS.map(prepare);
    this.#countOne = countSums(ONE).map(prepare);
    this.#countMany = countSums(MANY).map(prepare);
    this.#clear = prepare("DELETE FROM uncounted");
  }

  /**
   * Counts each row that is not counted yet, whoever wrote it. Call it in the transaction that writes.
   *
   * The sums are what they would be if each row was counted when it was written, exact up to 2^53 in one call.
   */
  update(): void {
    const ends = this.#ends.get();
    const rows = Number(ends?.["new"]);
    if (rows <= 0) return;
    const counted = Number(ends?.["counted"]);
    const start = Number(this.#sessionStart.get(counted)?.["seq"]);
    if (start > 0) this.#endSession.run();
    const fill = rows === 1 ? this.#fillOne : this.#fillMany;
    const { changes } = fill.run(counted, start);
    const counts = Number(changes) === 1 ? this.#countOne : this.#countMany;
    for (const statement of this.#countRows) statement.run(counted);
    for (const statement of counts) statement.run();
    this.#clear.run();
  }
}
