import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { makeLedgerMaintenance } from "../../src/ledger/maintenance.ts";
import { SqlActivityReader } from "../../src/ledger/activity_reader.ts";
import { databaseOf } from "./database.ts";
import { costOf, NOON, RECORD, spent } from "./samples.ts";

const DAY = 86_400_000;

/** A ledger with one request per time. */
function ledgerOf(times: readonly number[]): DatabaseSync {
  return databaseOf(times.map((at, i) => ({ ...spent(`r${i}`, 1), at })));
}

const countOf = (db: DatabaseSync, table: string) =>
  db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];

Deno.test("makeLedgerMaintenance removes requests of more than 30 days ago, bit by bit, and no sum", () => {
  const old = Array.from({ length: 600 }, () => NOON - 31 * DAY);
  using db = ledgerOf([...old, NOON - 29 * DAY, NOON]);
  const maintain = makeLedgerMaintenance(db);
  maintain(NOON);
  assert.equal(countOf(db, "requests"), 602 - 256);
  maintain(NOON);
  maintain(NOON);
  assert.equal(countOf(db, "requests"), 2);
  const totals = db.prepare("SELECT requests, nano_usd FROM totals").get();
  assert.deepEqual({ ...totals }, { requests: 602, nano_usd: 602 });
  assert.equal(countOf(db, "spend"), 3);
});

Deno.test("makeLedgerMaintenance keeps a conversation as long as one of its requests, and days of old activity", () => {
  using db = ledgerOf([
    NOON - 100 * DAY,
    NOON - 31 * DAY,
    NOON - 29 * DAY,
    NOON,
  ]);
  const conversations = ["gone", "gone", "kept", "kept"];
  for (const [i, id] of conversations.entries()) {
    db.prepare("UPDATE requests SET conversation = ? WHERE seq = ?")
      .run(id, i + 1);
  }
  db.exec(`INSERT INTO conversations
    (id, first_at, last_at, model, agent, project) VALUES
      ('gone', ${NOON - 100 * DAY}, ${NOON - 31 * DAY}, '', '', ''),
      ('kept', ${NOON - 29 * DAY}, ${NOON}, '', '', '')`);
  makeLedgerMaintenance(db)(NOON);
  const ids = db.prepare("SELECT id FROM conversations").all();
  assert.deepEqual(ids.map(({ id }) => id), ["kept"]);
  const starts = db.prepare("SELECT start FROM activity ORDER BY start").all()
    .map(({ start }) => Number(start) % DAY / 3_600_000);
  // Half past ten, but for what is old: noon of its day.
  assert.deepEqual(starts, [12, 10.5, 10.5, 10.5]);
  assert.equal(countOf(db, "requests"), 2);
});

Deno.test("makeLedgerMaintenance keeps the newest requests, and no number is given twice", () => {
  using db = ledgerOf(Array.from({ length: 50 }, () => NOON));
  makeLedgerMaintenance(db, { maxRequests: 20 })(NOON);
  const seqs = db.prepare("SELECT seq FROM requests").all();
  assert.deepEqual([seqs.length, seqs[0]?.["seq"]], [20, 31]);
  db.exec("DELETE FROM requests");
  db.exec(`INSERT INTO requests SELECT * FROM requests WHERE 0`);
  const row = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?")
    .get("requests");
  assert.equal(row?.["seq"], 50);
});

Deno.test("makeLedgerMaintenance removes what dead processes and idle callers left", () => {
  using db = ledgerOf([]);
  db.exec(`
    INSERT INTO processes (id, run, seen_at) VALUES
      ('dead', 'run', ${NOON - 3_600_001}), ('alive', 'run', ${NOON - 60_000});
    INSERT INTO reservations VALUES
      ('a', 'dead', ${NOON}, 1), ('b', 'alive', ${NOON}, 1),
      ('c', 'nobody', ${NOON}, 1);
    INSERT INTO rates VALUES
      ('run', 'idle', ${NOON - 120_001}, 1), ('run', 'busy', ${NOON}, 1);
    INSERT INTO spend (hour) VALUES (${NOON - 401 * DAY}), (${NOON})`);
  makeLedgerMaintenance(db)(NOON);
  assert.deepEqual(
    db.prepare("SELECT id FROM reservations").all().map(({ id }) => id),
    ["b"],
  );
  for (const table of ["processes", "rates", "spend"]) {
    assert.equal(countOf(db, table), 1, table);
  }
});

Deno.test("makeLedgerMaintenance looks once a minute when there is nothing to do", () => {
  using db = ledgerOf([NOON]);
  const maintain = makeLedgerMaintenance(db);
  maintain(NOON);
  db.exec("DROP TABLE given_back");
  maintain(NOON + 59_999);
  assert.throws(() => maintain(NOON + 60_000));
});

Deno.test("makeLedgerMaintenance keeps hours for 90 days, days by name for 400, days and weeks for three years, months for ever", () => {
  const ages = [89, 91, 399, 401, 1090, 1110];
  using db = ledgerOf(ages.map((days) => NOON - days * DAY));
  makeLedgerMaintenance(db)(NOON);
  const steps = db.prepare(
    "SELECT step, sum(requests) AS n FROM buckets GROUP BY step",
  ).all().map(({ step, n }) => `${step} ${n}`);
  assert.deepEqual(steps, ["daily 5", "hourly 1", "monthly 6", "weekly 5"]);
  const days = db.prepare(
    "SELECT count(*) AS n FROM named WHERE dimension = 'tool' AND day >= 0",
  ).get();
  assert.equal(days?.["n"], 3);
  const tools = db.prepare(
    "SELECT sum(saved) AS n FROM named WHERE dimension = 'tool' AND day = -1",
  ).get();
  assert.equal(tools?.["n"], 6 * 400);
});

Deno.test("makeLedgerMaintenance folds names beyond 200, those not seen of late first, then those that saved least", () => {
  using db = ledgerOf([]);
  const insert = db.prepare(`INSERT INTO named
    (dimension, day, name, requests, saved) VALUES ('model', ?, ?, 1, ?)`);
  for (let i = 0; i < 210; i++) insert.run(-1, `m${i}`, i);
  for (let i = 0; i < 205; i++) {
    insert.run(NOON - NOON % DAY - (i % 2) * DAY, `m${i}`, i);
  }
  makeLedgerMaintenance(db)(NOON);
  const names = db.prepare(`SELECT name, requests, saved FROM named
    WHERE dimension = 'model' AND day = -1`).all();
  const other = names.find(({ name }) => name === "(other)");
  assert.equal(names.length, 201);
  // Five were not seen of late; of the others five saved least.
  const saved = 205 + 206 + 207 + 208 + 209 + 0 + 1 + 2 + 3 + 4;
  assert.deepEqual({ ...other }, { name: "(other)", requests: 10, saved });
  makeLedgerMaintenance(db)(NOON);
  assert.equal(
    db.prepare("SELECT 1 FROM named WHERE day = -1").all().length,
    201,
  );
});

Deno.test("makeLedgerMaintenance removes resets of runs that ended a month ago", () => {
  using db = ledgerOf([]);
  db.exec(`INSERT INTO processes (id, run, seen_at)
      VALUES ('p', 'alive', ${NOON});
    INSERT INTO resets VALUES ('alive', 1, 0, 0, 0), ('dead', 1, 0, 0, 0),
      ('late', 1, ${NOON - DAY}, 0, 0)`);
  makeLedgerMaintenance(db)(NOON);
  assert.deepEqual(
    db.prepare("SELECT run FROM resets ORDER BY run").all().map(({ run }) =>
      run
    ),
    ["alive", "late"],
  );
});

Deno.test("makeLedgerMaintenance removes sums of runs that have neither processes nor requests", () => {
  using db = ledgerOf([NOON]);
  db.exec(`INSERT INTO processes (id, run, seen_at)
      VALUES ('p', 'alive', ${NOON})`);
  for (const run of ["run", "alive", "dead"]) {
    db.exec(`INSERT INTO run_sums VALUES ('${run}', '{}');
      INSERT INTO run_forms VALUES ('${run}', 'key')`);
  }
  makeLedgerMaintenance(db)(NOON);
  for (const table of ["run_sums", "run_forms"]) {
    const rows = db.prepare(`SELECT run FROM ${table} ORDER BY run`).all();
    assert.deepEqual(rows.map(({ run }) => run), ["alive", "run"], table);
  }
});

Deno.test("makeLedgerMaintenance keeps all sums of old activity, a row per day and model", () => {
  const day = NOON - NOON % DAY;
  using db = databaseOf(Array.from({ length: 96 }, (_, i) => ({
    ...RECORD,
    id: `${i}`,
    at: day + i * 900_000,
    ttfbMs: 10,
    model: i % 2 === 0 ? "a" : "b",
    cost: costOf(i),
  })));
  const everything = () => {
    const ever = { from: 0, until: Number.MAX_SAFE_INTEGER };
    const reader = new SqlActivityReader(db);
    return [reader.models(ever), reader.durations(ever)];
  };
  const before = everything();
  for (const days of [90, 91, 92]) {
    makeLedgerMaintenance(db)(day + days * DAY);
    assert.equal(countOf(db, "activity"), days === 90 ? 96 : 2);
    assert.deepEqual(everything(), before);
  }
  assert.equal(countOf(db, "durations"), 3);
});
