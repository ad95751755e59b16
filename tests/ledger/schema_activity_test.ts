import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import type { TimeSpan } from "../../src/core/activity.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { SqlActivityReader } from "../../src/ledger/activity_reader.ts";
import { RowSums } from "../../src/ledger/row_sums.ts";
import {
  cellsOf,
  INSERT_REQUEST,
  REQUEST_COLUMNS,
  rowOf,
} from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import {
  FOLD_OLD_ACTIVITY,
  middleOfBin,
} from "../../src/ledger/schema_activity.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { anyRecord } from "./records.ts";
import { costOf, NOON, RECORD } from "./samples.ts";

const DAY = 86_400_000;
const QUARTER = 900_000;
const EVER: TimeSpan = { from: 0, until: Number.MAX_SAFE_INTEGER };
const ALL = { ...EVER, limit: 1000, after: undefined };
const OWNER = { run: "r", process: "p" };
/** Columns of the second version. */
const SECOND = REQUEST_COLUMNS.filter((name) =>
  name !== "error_type" && name !== "failures"
);

function databaseOf(versions = LEDGER_MIGRATIONS.length): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS.slice(0, versions));
  return db;
}

function insert(db: DatabaseSync, entry: RequestRecord): void {
  db.prepare(INSERT_REQUEST).run(...cellsOf(rowOf(entry, OWNER, entry.forms)));
  new RowSums(db).update();
}

/** Writes a row as the second version did. */
function insertSecond(db: DatabaseSync, entry: RequestRecord): void {
  const row = rowOf(entry, OWNER, entry.forms);
  db.prepare(
    `INSERT INTO requests (${SECOND.join()})
      VALUES (${SECOND.map(() => "?").join()})`,
  ).run(...SECOND.map((column) => row[column]));
}

/** All that can be read, whatever order it comes in. */
function everything(db: DatabaseSync) {
  const reader = new SqlActivityReader(db);
  return {
    models: reader.models(EVER).toSorted((a, b) => a.name < b.name ? -1 : 1),
    durations: reader.durations(EVER),
    conversations: reader.conversations(ALL),
  };
}

Deno.test("ACTIVITY makes of rows that are there what its triggers make of new ones", () => {
  const unique = fc.uniqueArray(anyRecord, {
    maxLength: 12,
    selector: ({ id }) => id,
  });
  fc.assert(
    fc.property(unique, (entries) => {
      // The newest row says what a conversation is called: in both in the order of time.
      const rows = entries.toSorted((a, b) => a.at - b.at)
        .map((entry, i) => ({ ...entry, at: entry.at + i }));
      using fresh = databaseOf();
      for (const entry of rows) insert(fresh, entry);
      using old = databaseOf(2);
      for (const entry of rows) insertSecond(old, entry);
      migrateTo(old, "2.0.0", LEDGER_MIGRATIONS);
      const [made, migrated] = [everything(fresh), everything(old)];
      // Refusals of the oldest day are not in the sums by name that it comes from.
      const withoutRefused = ({ models, ...rest }: typeof made) => ({
        ...rest,
        models: models.map(({ refused: _, ...model }) => model),
      });
      assert.deepEqual(withoutRefused(migrated), withoutRefused(made));
    }),
    { numRuns: 60 },
  );
});

Deno.test("ACTIVITY keeps sums of days whose requests are gone", () => {
  using db = databaseOf(2);
  insertSecond(db, { ...RECORD, id: "gone", at: NOON - 40 * DAY });
  insertSecond(db, { ...RECORD, id: "kept", at: NOON });
  db.exec("DELETE FROM requests WHERE id = 'gone'");
  migrateTo(db, "2.0.0", LEDGER_MIGRATIONS);
  const reader = new SqlActivityReader(db);
  const day = NOON - NOON % DAY - 40 * DAY;
  const requests = (span: TimeSpan) =>
    reader.models(span).map(({ requests }) => requests);
  assert.deepEqual(requests({ from: day, until: day + DAY }), [1]);
  assert.deepEqual(requests(EVER), [2]);
});

Deno.test("rows that the second version writes to new tables count in all of them with the next ones", () => {
  using db = databaseOf();
  insertSecond(db, { ...RECORD, conversation: "c", ttfbMs: 3, status: 429 });
  new RowSums(db).update();
  const { models, durations, conversations } = everything(db);
  assert.deepEqual(models.map(({ refused }) => refused), [1]);
  assert.equal(durations.length, 3);
  assert.deepEqual(conversations.map(({ id }) => id), ["c"]);
});

Deno.test("FOLD_OLD_ACTIVITY keeps all sums, a row per day and model", () => {
  using db = databaseOf();
  const day = NOON - NOON % DAY;
  for (let i = 0; i < 96; i++) {
    insert(db, {
      ...RECORD,
      id: `${i}`,
      at: day + i * QUARTER,
      ttfbMs: 10,
      model: i % 2 === 0 ? "a" : "b",
      cost: costOf(i),
    });
  }
  const before = everything(db);
  const count = (table: string) =>
    Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  for (const cutoff of [day, day + DAY, day + DAY]) {
    for (const statement of FOLD_OLD_ACTIVITY) {
      db.prepare(statement).run(cutoff);
    }
    assert.equal(count("activity"), cutoff === day ? 96 : 2);
    assert.deepEqual(everything(db), before);
  }
  assert.equal(count("durations"), 3);
});

Deno.test("models of a quarter of an hour are bounded, and their sums stay", () => {
  using db = databaseOf();
  for (let i = 0; i < 120; i++) {
    insert(db, { ...RECORD, id: `${i}`, model: `model-${i}` });
  }
  const { models } = everything(db);
  assert.equal(models.length, 51);
  const requests = models.reduce((sum, model) => sum + model.requests, 0);
  assert.equal(requests, 120);
});

Deno.test("middleOfBin is at most 10 % off what is in the bin", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 1e7, noNaN: true }), (ms) => {
      using db = databaseOf();
      insert(db, { ...RECORD, latencyMs: ms, ttfbMs: 1 });
      const reader = new SqlActivityReader(db);
      const [found] = reader.durations(EVER)
        .filter(({ measure }) => measure === "latency");
      assert(found !== undefined);
      assert(Math.abs(found.ms / ms - 1) < 0.1, `${ms} ${found.ms}`);
    }),
    { numRuns: 50, examples: [[0.1], [0.118], [0.1189208]] },
  );
  assert.equal(middleOfBin(0), 0.1);
});
