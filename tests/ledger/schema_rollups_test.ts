import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { Dimension, Step, Sums } from "../../src/core/ledger_reader.ts";
import { SqlReader } from "../../src/ledger/reader.ts";
import { RowSums } from "../../src/ledger/row_sums.ts";
import { REQUEST_COLUMNS, rowOf } from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { costOf, FORM, NOON, RECORD } from "./samples.ts";

const DAY = 86_400_000;
const OWNER = { run: "r", process: "p" };
const OLD_COLUMNS = REQUEST_COLUMNS.slice(
  0,
  REQUEST_COLUMNS.indexOf("lists") + 1,
);
const STEPS: readonly Step[] = ["hourly", "daily", "weekly", "monthly"];
const DIMENSIONS: readonly Dimension[] = [
  "provider",
  "model",
  "project",
  "stack",
  "agent",
  "kind",
  "tool",
];

/** A database of the first version. */
function first(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS.slice(0, 1));
  return db;
}

/** Writes a row as the first version did. */
function insertOld(db: DatabaseSync, entry: RequestRecord): void {
  const row = rowOf(entry, OWNER, entry.forms);
  const { blocks: _, ...lists } = JSON.parse(String(row.lists));
  const old = { ...row, lists: JSON.stringify(lists) };
  db.prepare(
    `INSERT INTO requests (${OLD_COLUMNS.join()})
      VALUES (${OLD_COLUMNS.map(() => "?").join()})`,
  ).run(...OLD_COLUMNS.map((column) => old[column]));
}

const form = { ...FORM, entry: undefined, saved: 150 };
const ENTRIES: readonly RequestRecord[] = [
  { ...RECORD, id: "gone", at: NOON - 40 * DAY, cost: costOf(9) },
  { ...RECORD, id: "a", at: NOON - 2 * DAY, forms: [form], cost: costOf(5) },
  { ...RECORD, id: "b", status: 502, cost: costOf(undefined) },
  {
    ...RECORD,
    id: "c",
    model: "m2",
    tokensBefore: 100,
    savedTokens: { fresh: 30, kept: 70, addedFresh: 0, addedKept: 600 },
    usage: { input: 10, cacheRead: 20, cacheWrite: 30 },
  },
];

/** All fields of all rows. */
function addUp(rows: readonly Sums[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      if (typeof value === "number") sums[key] = (sums[key] ?? 0) + value;
    }
  }
  delete sums["start"];
  return sums;
}

Deno.test("ROLLUPS keep the rows of the first version, and sum up what is gone with the oldest", () => {
  using db = first();
  for (const entry of ENTRIES) insertOld(db, entry);
  db.exec("DELETE FROM requests WHERE id = 'gone'");
  migrateTo(db, "2.0.0", LEDGER_MIGRATIONS);
  const reader = new SqlReader(db);
  assert.deepEqual(reader.requests({ limit: 9 }).map(({ id }) => id), [
    "c",
    "b",
    "a",
  ]);
  const oldest = reader.request("a");
  assert.deepEqual([oldest?.project, oldest?.blocks, oldest?.prefix], [
    "default",
    [],
    undefined,
  ]);
  const lifetime = reader.lifetime();
  assert.deepEqual([lifetime.requests, lifetime.nanoUsd], [4, 14]);
  assert.deepEqual([lifetime.failed, lifetime.cacheRead], [1, 20]);
  for (const step of STEPS) {
    assert.deepEqual(addUp(reader.buckets(step)), { ...lifetime }, step);
  }
  assert.deepEqual(
    reader.buckets("daily").map(({ requests }) => requests),
    [2, 2],
  );
  for (const by of DIMENSIONS) {
    const { saved, added, requests } = addUp(reader.breakdown(by));
    assert.deepEqual([saved, added], [lifetime.saved, lifetime.added], by);
    if (by !== "kind" && by !== "tool") assert.equal(requests, 4, by);
    assert.deepEqual(
      addUp(reader.breakdown(by, 0)),
      addUp(reader.breakdown(by)),
    );
  }
  const names = reader.breakdown("kind").map(({ name, saved, added }) =>
    `${name} ${saved} ${added}`
  );
  // Of what is gone, and of what is there but for the form.
  const other = 400 + 250 + 100;
  assert.deepEqual(names, [`(other) ${other} 0`, "log 150 0", "(added) 0 600"]);
});

Deno.test("rows that the first version writes to new tables count in all of them with the next ones", () => {
  using db = first();
  migrateTo(db, "2.0.0", LEDGER_MIGRATIONS);
  for (const entry of ENTRIES) insertOld(db, entry);
  new RowSums(db).update();
  const reader = new SqlReader(db);
  const lifetime = reader.lifetime();
  assert.equal(lifetime.requests, 4);
  for (const step of STEPS) {
    assert.deepEqual(addUp(reader.buckets(step)), { ...lifetime }, step);
  }
  for (const by of DIMENSIONS) {
    const { saved, added } = addUp(reader.breakdown(by));
    assert.deepEqual([saved, added], [lifetime.saved, lifetime.added], by);
  }
  assert.deepEqual([lifetime.saved, lifetime.added], [400 + 400 + 100, 600]);
});

Deno.test("ROLLUPS count tokens of kept rows anew, and leave those of rows that are gone", () => {
  using db = first();
  const lost = { ...RECORD, tokensAfter: 1100 };
  insertOld(db, { ...lost, id: "gone" });
  db.exec("DELETE FROM requests");
  insertOld(db, { ...lost, id: "kept" });
  insertOld(db, { ...lost, id: "left", status: 499 });
  insertOld(db, { ...lost, id: "billed", status: 499, usage: { input: 1 } });
  migrateTo(db, "2.0.0", LEDGER_MIGRATIONS);
  const { saved, added } = new SqlReader(db).lifetime();
  // The first version knew of 100 tokens that were lost in each.
  assert.deepEqual([saved, added], [400 + 400, 100 + 500 + 500]);
});

Deno.test("ROLLUPS find nothing to sum up in an empty ledger, and totals whose rows are all gone", () => {
  using empty = first();
  migrateTo(empty, "2.0.0", LEDGER_MIGRATIONS);
  assert.deepEqual(new SqlReader(empty).buckets("daily"), []);
  using db = first();
  insertOld(db, { ...RECORD, cost: costOf(5) });
  db.exec("DELETE FROM requests");
  migrateTo(db, "2.0.0", LEDGER_MIGRATIONS);
  const reader = new SqlReader(db);
  assert.deepEqual(addUp(reader.buckets("hourly")), { ...reader.lifetime() });
  assert.equal(reader.breakdown("project")[0]?.name, "(other)");
});
