import assert from "node:assert/strict";
import type { Budget } from "../../src/core/cost.ts";
import type { LedgerTask } from "../../src/ledger/channel.ts";
import { rowOf } from "../../src/ledger/rows.ts";
import { RunSums } from "../../src/ledger/run_sums.ts";
import { LedgerTransactions } from "../../src/ledger/transactions.ts";
import { bookOf } from "./counted.ts";
import { databaseOf } from "./database.ts";
import { FORM, NOON, RECORD, spent } from "./samples.ts";

const BUDGET: Budget = {
  limitNanoUsd: 100,
  period: "daily",
  estimatedBasis: "count",
};

const GIVEN: LedgerTask = {
  type: "given",
  id: "g",
  event: JSON.stringify({
    key: "k",
    toolName: "Bash",
    strategy: "log",
    tokens: 5,
  }),
};
const PROBE: LedgerTask = { type: "probe" };

const JOB = { period: "daily" } as const;

function scene() {
  const db = databaseOf();
  const of = (process: string, slot?: number) =>
    new LedgerTransactions(db, {
      path: ":memory:",
      run: "run",
      process,
      slot,
    });
  const rows = (table: string) =>
    db.prepare(`SELECT * FROM ${table}`).all().map((row) => ({ ...row }));
  return { db, of, rows };
}

function insert(id: string, nanoUsd: number): LedgerTask {
  const row = rowOf(spent(id, nanoUsd), { run: "run", process: "p" }, []);
  return { type: "insert", row };
}

function sumOf(
  rows: (table: string) => readonly Readonly<Record<string, unknown>>[],
  topic: string,
  ...[field, name]: readonly [field: string, name?: string]
): number | undefined {
  const json = rows("run_sums")[0]?.["sums"];
  return json === undefined
    ? undefined
    : new RunSums(String(json)).of(topic, name)[field];
}

const admit = (id: string, nanoUsd = 1): LedgerTask => ({
  type: "admit",
  budget: BUDGET,
  id,
  nanoUsd,
});
const take = (perMinute = 60): LedgerTask => ({
  type: "take",
  caller: "c",
  perMinute,
});

Deno.test("LedgerTransactions counts a row once, and says what is spent then", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const p = of("p");
  const tasks = [insert("a", 30), insert("b", 40), insert("a", 30)];
  const { spend } = p.run({ ...JOB, now: NOON, tasks });
  assert.equal(spend?.measuredNanoUsd, 70);
  assert.equal(spend?.records, 2);
  p.run({ ...JOB, now: NOON, tasks });
  assert.equal(rows("requests").length, 2);
  assert.equal(rows("totals")[0]?.["requests"], 2);
  assert.equal(rows("totals")[0]?.["nano_usd"], 70);
  assert.equal(
    p.run({ ...JOB, now: NOON, tasks: [{ type: "heartbeat" }] }).spend,
    undefined,
  );
});

Deno.test("LedgerTransactions takes a reservation back with the row that books it", () => {
  const { db, of } = scene();
  using _ = db;
  const p = of("p");
  const run = (...tasks: LedgerTask[]) => p.run({ ...JOB, now: NOON, tasks });
  const reserved = run(admit("a", 60), admit("b", 50));
  assert.deepEqual(reserved.answers, [undefined, undefined]);
  assert.equal(reserved.spend?.reservedNanoUsd, 110);
  const inserted = run(insert("a", 10));
  assert.equal(inserted.spend?.reservedNanoUsd, 50);
  assert.equal(inserted.spend?.measuredNanoUsd, 10);
  assert.equal(run({ type: "release", id: "b" }).spend?.reservedNanoUsd, 0);
});

Deno.test("LedgerTransactions notes a reservation that was made without it at its time, once", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const at = NOON - 5;
  const reserve = { type: "reserve" as const, id: "a", nanoUsd: 60, at };
  const tasks = [admit("a", 60), reserve, reserve];
  const { spend } = of("p").run({ ...JOB, now: NOON, tasks });
  assert.equal(spend?.reservedNanoUsd, 60);
  assert.equal(spend?.reservedByOthersNanoUsd, 0);
  assert.equal(rows("reservations")[0]?.["at"], at);
  const { spend: seen } = of("q").run({ ...JOB, now: NOON, tasks: [PROBE] });
  assert.equal(seen?.reservedByOthersNanoUsd, 60);
});

Deno.test("LedgerTransactions fails a probe where it cannot write, or look budgets up", () => {
  const { db, of } = scene();
  using _ = db;
  const p = of("p");
  const probe = () => p.run({ ...JOB, now: NOON, tasks: [PROBE] });
  assert.equal(probe().spend?.measuredNanoUsd, 0);
  db.exec("PRAGMA query_only = ON");
  assert.throws(probe, /readonly/);
  db.exec("PRAGMA query_only = OFF; DROP TABLE reservations");
  assert.throws(probe);
});

Deno.test("LedgerTransactions does all of a job or nothing", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const bad = { ...insert("b", 1), row: { lists: null } } as unknown;
  const p = of("p");
  const tasks = [admit("a"), insert("c", 1), bad as LedgerTask];
  assert.throws(() => p.run({ ...JOB, now: NOON, tasks }));
  for (const table of ["requests", "reservations", "processes", "spend"]) {
    assert.deepEqual(rows(table), [], table);
  }
  p.run({ ...JOB, now: NOON, tasks: [admit("a")] });
  assert.equal(rows("processes").length, 1);
});

Deno.test("LedgerTransactions gives places of the living only, and takes those of its own slot back", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const places = (wanted: number): LedgerTask => ({
    type: "places",
    wanted,
    limit: 10,
  });
  const ask = (process: string, now: number, wanted: number, slot = 0) =>
    of(process, slot).run({ ...JOB, now, tasks: [places(wanted)] }).answers[0];
  assert.equal(ask("p", NOON, 7, 1), 7);
  assert.equal(ask("q", NOON, 7, 2), 3);
  assert.equal(ask("p", NOON, 9, 1), 7);
  assert.equal(ask("q", NOON + 60_001, 9, 2), 9);
  // What it had is still its own when it is back, as far as there is room.
  assert.equal(ask("p", NOON + 60_001, 9, 1), 1);
  assert.equal(ask("r", NOON + 60_001, 9, 1), 1);
  assert.equal(rows("processes").length, 2);
  of("q").run({ ...JOB, now: NOON + 60_001, tasks: [{ type: "leave" }] });
  assert.equal(ask("r", NOON + 60_001, 20, 1), 10);
});

Deno.test("LedgerTransactions fills a caller's share with time, and not when the clock goes back", () => {
  const { db, of } = scene();
  using _ = db;
  const p = of("p");
  const wait = (now: number) =>
    p.run({ ...JOB, now, tasks: [take()] }).answers[0];
  for (let i = 0; i < 60; i++) assert.equal(wait(NOON), 0);
  assert.equal(wait(NOON), 1000);
  assert.equal(wait(NOON + 400), 600);
  assert.equal(wait(NOON + 1000), 0);
  assert.equal(wait(NOON - 5000), 1000);
  assert.equal(wait(NOON - 4000), 0);
  for (let i = 0; i < 60; i++) assert.equal(wait(NOON + 1e7), 0);
  assert.equal(wait(NOON + 1e7), 1000);
});

Deno.test("LedgerTransactions keeps text as it came", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const entry = { ...RECORD, id: "a", model: `m"'; DROP TABLE requests--` };
  const row = rowOf(entry, { run: "run", process: "p" }, []);
  of("p").run({ ...JOB, now: NOON, tasks: [{ type: "insert", row }] });
  assert.equal(rows("requests")[0]?.["model"], entry.model);
});

Deno.test("LedgerTransactions notes what was given back once", () => {
  const { db, of, rows } = scene();
  using _ = db;
  for (const tasks of [[GIVEN, GIVEN], [GIVEN]]) {
    of("p").run({ ...JOB, now: NOON, tasks });
  }
  assert.deepEqual(rows("given_back"), [
    { seq: 1, run: "run", process: "p", event: "", id: "g" },
  ]);
  assert.equal(sumOf(rows, "retrievals", "total"), 1);
});

Deno.test("LedgerTransactions counts a run anew behind a reset, whoever wrote what was before", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const reset: LedgerTask = { type: "reset" };
  const total = () => sumOf(rows, "all", "requests");
  of("p").run({ ...JOB, now: NOON, tasks: [reset, insert("a", 1)] });
  const at = NOON + 1;
  of("q").run({ ...JOB, now: at, tasks: [insert("b", 1), GIVEN] });
  assert.equal(total(), 2);
  of("q").run({
    ...JOB,
    now: at,
    tasks: [insert("c", 1), reset, insert("d", 1)],
  });
  of("p").run({ ...JOB, now: at, tasks: [insert("e", 1), insert("a", 1)] });
  assert.equal(total(), 2);
  const { number } = rows("resets")[0]!;
  assert.equal(number, 2);
});

Deno.test("LedgerTransactions counts a form of a run once, and forgets a run that leaves alone", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const form = { ...FORM, entry: undefined, saved: 5 };
  const send = (id: string) => bookOf({ ...RECORD, id, forms: [form] });
  const forms = () => sumOf(rows, "form_strategy", "forms", "log");
  of("p").run({ ...JOB, now: NOON, tasks: [send("a"), send("b")] });
  of("q", 1).run({ ...JOB, now: NOON, tasks: [send("c")] });
  assert.equal(forms(), 1);
  of("q", 1).run({ ...JOB, now: NOON, tasks: [{ type: "leave" }] });
  assert.equal(forms(), 1);
  of("p").run({ ...JOB, now: NOON, tasks: [{ type: "leave" }] });
  assert.deepEqual([rows("run_sums"), rows("run_forms")], [[], []]);
});

Deno.test("LedgerTransactions that fails leaves no sum, and counts once when it is tried again", () => {
  const { db, of, rows } = scene();
  using _ = db;
  const bad = { type: "insert", row: { lists: null } } as unknown as LedgerTask;
  const p = of("p");
  assert.throws(() =>
    p.run({ ...JOB, now: NOON, tasks: [insert("a", 1), bad] })
  );
  for (const table of ["buckets", "named", "session", "run_sums"]) {
    assert.deepEqual(rows(table), [], table);
  }
  for (let i = 0; i < 2; i++) {
    p.run({ ...JOB, now: NOON, tasks: [insert("a", 1), insert("b", 1)] });
  }
  for (const { requests } of rows("buckets")) assert.equal(requests, 2);
});
