import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import type { RequestRecord, SentForm } from "../../src/core/ledger.ts";
import type { BlockKey } from "../../src/core/store.ts";
import { RowSums } from "../../src/ledger/row_sums.ts";
import {
  type Cell,
  cellsOf,
  INSERT_REQUEST,
  type RequestRow,
  rowOf,
} from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { anyRecord } from "./records.ts";
import { NOON, RECORD } from "./samples.ts";

const OWNER = { run: "r", process: "p" };
const HOUR = 3_600_000;
const TABLES = [
  "totals",
  "spend",
  "buckets",
  "named",
  "session",
  "activity",
  "durations",
  "conversations",
];
/** The last version whose triggers count each row when it is written. */
const WITH_TRIGGERS = 3;

function databaseOf(versions = LEDGER_MIGRATIONS.length): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS.slice(0, versions));
  return db;
}

function insert(db: DatabaseSync, row: RequestRow): void {
  db.prepare(INSERT_REQUEST).run(...cellsOf(row));
}

function sumsOf(db: DatabaseSync): Record<string, unknown> {
  return Object.fromEntries(TABLES.map((table) => [
    table,
    db.prepare(`SELECT * FROM ${table}`).all().map(({ counted: _, ...row }) =>
      row
    ),
  ]));
}

/** Both databases stay empty: what is written is undone. */
class Comparison implements Disposable {
  readonly #old = databaseOf(WITH_TRIGGERS);
  readonly #db = databaseOf();
  readonly #sums = new RowSums(this.#db);

  /** Writes rows one by one to a database with triggers, in batches to a new one, and compares all sums. */
  compare(batches: readonly (readonly RequestRow[])[]): void {
    for (const db of [this.#old, this.#db]) db.exec("BEGIN");
    for (const row of batches.flat()) insert(this.#old, row);
    for (const batch of batches) {
      for (const row of batch) insert(this.#db, row);
      this.#sums.update();
    }
    const [sums, old] = [sumsOf(this.#db), sumsOf(this.#old)];
    for (const db of [this.#old, this.#db]) db.exec("ROLLBACK");
    assert.deepEqual(sums, old);
  }

  [Symbol.dispose](): void {
    this.#old.close();
    this.#db.close();
  }
}

function rowsOf(entries: readonly RequestRecord[]): readonly RequestRow[] {
  return entries.map((entry) => rowOf(entry, OWNER, entry.forms));
}

function batchesOf<T>(all: readonly T[], size: number): readonly T[][] {
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, i) => all.slice(i * size, (i + 1) * size),
  );
}

const DAY = 24 * HOUR;
/** Starts of a quarter, an hour, a day, a week and a month, and what is just before and behind them. */
const border = fc.tuple(
  fc.constantFrom(
    NOON,
    NOON + HOUR / 4,
    NOON + HOUR / 2,
    Date.UTC(2026, 2, 16),
    Date.UTC(2026, 3, 1),
    Date.UTC(2026, 11, 31) + DAY,
  ),
  fc.constantFrom(-HOUR, -1, 0, 1, HOUR),
).map(([at, by]) => at + by);
/** The same 200 characters begin two names, and units are more than characters. */
const longName = fc.constantFrom(
  `${"x".repeat(200)}a`,
  `${"x".repeat(200)}b`,
  "\u{1f600}".repeat(201),
  "\u{1f600}".repeat(200),
);
const row: fc.Arbitrary<RequestRow> = fc.record({
  entry: anyRecord,
  at: fc.option(border, { nil: undefined }),
  conversation: fc.constantFrom("", "c", "d"),
  names: fc.option(longName, { nil: undefined }),
  isFirstVersion: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
}).map(({ entry, at = entry.at, conversation, names, isFirstVersion }) => {
  const written = rowOf({ ...entry, at, conversation }, OWNER, entry.forms);
  const long: Record<string, Cell> = names === undefined
    ? {}
    : { project: names, agent: names, stack: names, model: names };
  return { ...written, ...long, ...(isFirstVersion && { saved_by: null }) };
});

Deno.test("RowSums counts batches of any requests as triggers counted each row", () => {
  using comparison = new Comparison();
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), {
        maxLength: 4,
      }),
      (batches) => comparison.compare(batches),
    ),
    { numRuns: 50 },
  );
});

Deno.test("RowSums counts batches of one session and of several as triggers counted each row", () => {
  using comparison = new Comparison();
  const gap = fc.constantFrom(0, 1, 1000, HOUR - 1, HOUR, HOUR + 1, -HOUR, -1);
  const step = fc.tuple(gap, fc.constantFrom(0, 0.5, 1, HOUR / 2, HOUR));
  fc.assert(
    fc.property(fc.array(fc.array(step)), (batches) => {
      let at = NOON;
      let n = 0;
      comparison.compare(
        batches.map((batch) =>
          rowsOf(batch.map(([passed, latencyMs]) => ({
            ...RECORD,
            id: `${n++}`,
            at: at += passed,
            latencyMs,
          })))
        ),
      );
    }),
    { numRuns: 50 },
  );
});

Deno.test("RowSums keeps the names that came first, and folds the rest, as triggers did", () => {
  using comparison = new Comparison();
  const form = (name: string): SentForm => ({
    key: name as BlockKey,
    entry: undefined,
    toolName: name,
    strategy: `k${name}`,
    saved: 3,
  });
  const names = fc.array(fc.integer({ min: 0, max: 500 }), {
    minLength: 500,
    maxLength: 600,
    size: "max",
  });
  for (const size of [100, 250]) {
    fc.assert(
      fc.property(names, (numbers) => {
        const entries = numbers.map((number, i): RequestRecord => {
          // A client may take the name that stands for the rest.
          const name = number === 0 ? "(other)" : `n${number}`;
          return {
            ...RECORD,
            id: `${i}`,
            at: NOON + (i > 400 ? DAY : 0),
            model: name,
            project: name,
            stack: i % 2 === 0 ? "" : name,
            agent: `a${number % 3}`,
            forms: [form(name), form(`n${number + 1}`)],
          };
        });
        comparison.compare(batchesOf(rowsOf(entries), size));
      }),
      { numRuns: 2, endOnFailure: true },
    );
  }
});

Deno.test("RowSums counts a row once, also if it is written or counted again", () => {
  using db = databaseOf();
  const sums = new RowSums(db);
  const [a, b] = rowsOf([{ ...RECORD, id: "a" }, { ...RECORD, id: "b" }]);
  for (const written of [a, b, a, undefined]) {
    if (written !== undefined) insert(db, written);
    sums.update();
  }
  const row = db.prepare("SELECT requests, counted FROM totals").get();
  assert.deepEqual({ ...row }, { requests: 2, counted: 2 });
});

Deno.test("RowSums counts what another process wrote and did not count", () => {
  using db = databaseOf();
  const rows = rowsOf([{ ...RECORD, id: "a" }, { ...RECORD, id: "b" }]);
  for (const row of rows) insert(db, row);
  db.exec("DELETE FROM requests WHERE id = 'a'");
  const [first, second] = [new RowSums(db), new RowSums(db)];
  first.update();
  second.update();
  const { requests } = db.prepare("SELECT requests FROM totals").get() ?? {};
  assert.equal(requests, 1);
});

Deno.test("RowSums leaves no sum of a transaction that is undone", () => {
  using db = databaseOf();
  const sums = new RowSums(db);
  const before = sumsOf(db);
  const [row] = rowsOf([RECORD]);
  db.exec("BEGIN");
  insert(db, row!);
  sums.update();
  db.exec("ROLLBACK");
  assert.deepEqual(sumsOf(db), before);
  insert(db, row!);
  sums.update();
  const { requests } = db.prepare("SELECT requests FROM session").get() ?? {};
  assert.equal(requests, 1);
});

Deno.test("RowSums never refuses sums beyond 2^53", () => {
  using db = databaseOf();
  const sums = new RowSums(db);
  const rows = rowsOf(["a", "b", "c"].map((id) => ({
    ...RECORD,
    id,
    usage: { input: 9e18, output: 1e300 },
  })));
  for (const row of rows) insert(db, row);
  sums.update();
  const { input } = db.prepare("SELECT total(input) AS input FROM totals")
    .get() ?? {};
  assert(Number(input) > 9e18);
});
