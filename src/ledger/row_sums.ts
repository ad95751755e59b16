/** Adds rows of `requests` to all tables of sums, many at a time. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Step } from "../core/ledger_reader.ts";
import { noSums } from "../core/sums.ts";
import { periodStart } from "./budget_rule.ts";
import { binOf } from "./durations.ts";
import { ADDED } from "./named_sums.ts";
import { listsOf } from "./row_lists.ts";
import { type Cell, type RequestRow, savedShares, sumsOfRow } from "./rows.ts";
import { COUNTS, VERDICTS } from "./schema.ts";
import { Statements } from "./statements.ts";
import { cellsOfSums, growBy, NAMES } from "./sum_columns.ts";

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** The first day of the Unix epoch was a Thursday. */
const THURSDAY_MS = 3 * 24 * HOUR_MS;

/** Start of the step that holds a time, all in milliseconds since the Unix epoch. */
const STARTS: Readonly<Record<Step, (at: number) => number>> = {
  hourly: (at) => periodStart("hourly", at),
  daily: (at) => periodStart("daily", at),
  weekly: (at) => at - (at + THURSDAY_MS) % WEEK_MS,
  monthly: (at) => periodStart("monthly", at),
};
const STEPS = Object.entries(STARTS);

/** What has a name by itself; kinds and tools come from `saved_by`. */
const NAMED = ["provider", "model", "project", "stack", "agent"] as const;
const MEASURES = ["latency", "overhead", "ttfb"] as const;
/** Day of what counts for all time. */
const EVER = -1;

/** Tables of sums: what a row of each is found by, and what is added to it. */
const TABLES = {
  totals: [["id"], [...NAMES, "broken_prefixes"]],
  spend: [
    ["hour"],
    ["measured", "estimated", "records", "estimated_records"],
  ],
  buckets: [["step", "start"], NAMES],
  named: [["dimension", "day", "name"], NAMES],
  activity: [["start", "model"], [...NAMES, "refused"]],
  durations: [["start", "measure", "bin"], ["requests"]],
} as const satisfies Readonly<
  Record<string, readonly [keys: readonly string[], sums: readonly string[]]>
>;
type Table = keyof typeof TABLES;

/** Of requests of one conversation the newest says what it is called. */
const newest = (column: string) =>
  `${column} = iif(excluded.${column} <> '' AND excluded.last_at >= last_at,
    excluded.${column}, ${column})`;

const SQL = {
  ...Object.fromEntries(
    Object.entries(TABLES).map(([table, [keys, sums]]) =>
      [table, addTo(table, [keys, [...keys, ...sums]], growBy(sums))] as const
    ),
  ) as Record<Table, string>,
  conversation: addTo(
    "conversations",
    [["id"], [
      ...["id", "first_at", "last_at", "model", "agent", "project"],
      ...NAMES,
      ...COUNTS,
    ]],
    `${["model", "agent", "project"].map(newest).join(", ")},
    first_at = min(first_at, excluded.first_at),
    last_at = max(last_at, excluded.last_at), ${growBy([...NAMES, ...COUNTS])}`,
  ),
  session: addTo(
    "session",
    [["id"], ["id", "started_at", "last_at", ...NAMES]],
    `started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at), ${growBy(NAMES)}`,
  ),
  totals: addTo(
    "totals",
    [["id"], ["id", ...TABLES.totals[1]]],
    `${growBy(TABLES.totals[1])},
    counted = (SELECT max(seq) FROM requests)`,
  ),
  lastAt: "SELECT CAST(last_at AS REAL) AS last_at FROM session",
  endSession: "DELETE FROM session",
};

/** A statement that inserts a row, or lets the one that is there grow. */
function addTo(
  table: string,
  [keys, columns]: readonly [readonly string[], readonly string[]],
  grow: string,
): string {
  return `INSERT INTO ${table} (${columns.join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${grow}`;
}

/** What is added to rows of the tables, in the order in which they were met first: of names those are kept. */
class Additions {
  readonly #rows = new Map<
    string,
    {
      readonly table: Table;
      readonly key: readonly Cell[];
      readonly sums: number[];
    }
  >();

  add(table: Table, key: readonly Cell[], sums: readonly number[]): void {
    // Only the last part can be any text.
    const name = [table, ...key].join("\0");
    const row = this.#rows.get(name);
    if (row === undefined) {
      this.#rows.set(name, { table, key, sums: [...sums] });
    } else sums.forEach((n, i) => row.sums[i]! += n);
  }

  [Symbol.iterator]() {
    return this.#rows.values();
  }
}

/** A row, and its sums as cells. */
interface Counted {
  readonly row: RequestRow;
  readonly sums: readonly number[];
}

/** Counts what was written; one per connection that writes. */
export class RowSums {
  readonly #sql: Statements<keyof typeof SQL>;

  /** The tables must be there for the first count. */
  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db, SQL);
  }

  /** Counts rows, once each: to be called in the transaction that inserted them. Sums are exact up to 2^53. */
  count(rows: readonly RequestRow[]): void {
    if (rows.length === 0) return;
    const all = rows.map((row): Counted => ({
      row,
      sums: cellsOfSums(sumsOfRow(row)),
    }));
    const additions = new Additions();
    for (const counted of all) {
      addSums(additions, counted);
      addNames(additions, counted);
      addSpend(additions, counted);
      addDurations(additions, counted);
      this.#addConversation(counted);
    }
    for (const { table, key, sums } of additions) {
      this.#sql.run(table, ...key, ...sums);
    }
    this.#countSession(all);
  }

  #addConversation({ row, sums }: Counted): void {
    if (row.conversation === "") return;
    const { at, model, agent, project, prefix_verdict: verdict } = row;
    this.#sql.run(
      "conversation",
      ...[row.conversation, at, at],
      ...[model, agent, project].map(cutName),
      ...sums,
      ...[refusedOf(row), listsOf(row).retrieved.length],
      ...VERDICTS.map((word) => Number(verdict === word)),
    );
  }

  /** An hour of silence ends a session. */
  #countSession(all: readonly Counted[]): void {
    const none = cellsOfSums(noSums());
    const found = this.#sql.get("lastAt")?.["last_at"];
    let last = Number(found ?? -Infinity);
    let start = Infinity;
    let session = none;
    for (const { row, sums } of all) {
      const at = Number(row.at);
      if (at > last + HOUR_MS) {
        this.#sql.run("endSession");
        [start, last, session] = [Infinity, -Infinity, none];
      }
      start = Math.min(start, at);
      last = Math.max(last, at + Math.trunc(Number(row.latency_ms)));
      session = session.map((n, i) => n + sums[i]!);
    }
    this.#sql.run("session", 1, start, last, ...session);
  }
}

function addSums(additions: Additions, { row, sums }: Counted): void {
  const at = Number(row.at);
  const isBroken = Number(row.prefix_verdict === "ours");
  additions.add("totals", [1], [...sums, isBroken]);
  for (const [step, startOf] of STEPS) {
    additions.add("buckets", [step, startOf(at)], sums);
  }
  additions.add("activity", [at - at % QUARTER_MS, cutName(row.model)], [
    ...sums,
    refusedOf(row),
  ]);
}

/** Each row counts for its day, and for all time. */
function addNames(additions: Additions, { row, sums }: Counted): void {
  for (const day of [STARTS.daily(Number(row.at)), EVER]) {
    for (const dimension of NAMED) {
      const name = cutName(row[dimension]);
      additions.add("named", [dimension, day, name], sums);
    }
    for (const [key, tokens] of savedShares(row)) {
      if (tokens === 0) continue;
      const [dimension, name] = [key.slice(0, 4), key.slice(5)];
      const [saved, added] = name === ADDED ? [0, -tokens] : [tokens, 0];
      const share = { ...noSums(), requests: 1, saved, added };
      additions.add("named", [dimension, day, name], cellsOfSums(share));
    }
  }
}

function addSpend(additions: Additions, { row }: Counted): void {
  const { at, cost_basis: basis, nano_usd: nanoUsd } = row;
  if (basis === null) return;
  const spent = Number(nanoUsd);
  const isEstimated = basis === "estimated";
  additions.add("spend", [STARTS.hourly(Number(at))], [
    isEstimated ? 0 : spent,
    isEstimated ? spent : 0,
    1,
    Number(isEstimated || nanoUsd === null),
  ]);
}

/** What an upstream did not begin to answer has none. */
function addDurations(additions: Additions, { row }: Counted): void {
  if (row.ttfb_ms === null) return;
  const hour = STARTS.hourly(Number(row.at));
  for (const measure of MEASURES) {
    const bin = binOf(Number(row[`${measure}_ms`]));
    additions.add("durations", [hour, measure, bin], [1]);
  }
}

/** 1 for an answer with 4xx: who left (499) was not refused. */
function refusedOf({ status }: RequestRow): number {
  return Number(Number(status) >= 400 && Number(status) < 499);
}

/** Characters that are kept of names that clients choose. */
const MAX_NAME_CHARS = 200;

function cutName(cell: Cell): string {
  const name = String(cell);
  return name.length <= MAX_NAME_CHARS
    ? name
    : [...name].slice(0, MAX_NAME_CHARS).join("");
}
