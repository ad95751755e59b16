import { HANG_MS } from "../hang.ts";
import { inPlace, lifetimeOf } from "./place.ts";
import { Writer, type WriterThread } from "../../src/writer/writer.ts";
import type { BlockKey } from "../../src/core/store.ts";
import type { Budget } from "../../src/core/cost.ts";
import { DatabaseSync } from "node:sqlite";
import { testBudgetGate } from "./budget_rules.ts";
import assert from "node:assert/strict";
import { openLedger, openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import {
  FORM,
  ids,
  NOON,
  RECORD,
  RETRIEVAL,
  spent,
  standingClock,
} from "./samples.ts";

Deno.test("openLedger keeps nothing without a path", async () => {
  const logged: string[] = [];
  await using ledger = await openLedger(optionsOf(undefined, logged));
  assert.equal(ledger.state().backend, "memory");
  assert.deepEqual(logged, []);
});

Deno.test("openLedger falls back to memory with one warning, and leaves a file that it cannot use as it is", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/ledger.db`;
  const text = "no database ".repeat(100);
  await Deno.writeTextFile(path, text);
  const logged: string[] = [];
  {
    await using ledger = await openLedger(optionsOf(path, logged));
    assert.equal(ledger.state().backend, "memory");
    ledger.record(RECORD);
    assert.equal(ledger.report().requests.total, 1);
  }
  assert.deepEqual(logged, ["ledger_unavailable"]);
  assert.equal(await Deno.readTextFile(path), text);
  {
    // A path below a file cannot be made.
    await using ledger = await openLedger(optionsOf(`${path}/x.db`, logged));
    assert.equal(ledger.state().backend, "memory");
  }
  const ledger = await openLedger(optionsOf(`${dir}/good.db`, logged));
  assert.equal(ledger.state().backend, "sqlite");
  assert.equal(logged.length, 2);
  await ledger[Symbol.asyncDispose]();
  await Deno.remove(dir, { recursive: true });
});

function optionsOf(path: string | undefined, logged: string[]) {
  return {
    path,
    clock: standingClock(),
    log: (_: unknown, event: string) => void logged.push(event),
    version: "1.2.3",
    budget: undefined,
    newId: ids("id"),
  };
}

Deno.test("openMemoryLedger counts a run and its budget, from zero", async () => {
  await using ledger = openMemoryLedger({
    clock: standingClock(),
    budget: { limitNanoUsd: 1e9, period: "daily", estimatedBasis: "count" },
  });
  assert.equal(await ledger.budget?.admit("a", 1), undefined);
  ledger.record(spent("a", 1e9));
  await ledger.flush();
  const { requests, cost, persistent_savings } = ledger.report();
  assert.equal(requests.total, 1);
  assert.equal(cost.budget_basis?.total_usd, 1);
  assert.equal(persistent_savings.lifetime.requests, 1);
  assert.equal((await ledger.budget?.admit("b", 1))?.reason, "spent");
  ledger.setBudget(undefined);
  const hasBudget = () => ledger.budget !== undefined;
  assert.equal(hasBudget(), false);
  ledger.setBudget({
    limitNanoUsd: 2e9,
    period: "hourly",
    estimatedBasis: "count",
  });
  assert.equal(await ledger.budget?.admit("b", 1), undefined);
  assert.equal(ledger.limits, undefined);
  assert.equal(ledger.state().backend, "memory");
});

Deno.test("openMemoryLedger keeps about the last 1,000 requests, and all sums, also over a reset", async () => {
  await using ledger = openMemoryLedger({
    clock: standingClock(),
    budget: undefined,
  });
  for (let i = 0; i < 1500; i++) ledger.record(spent(`r${i}`, 1));
  ledger.reset();
  assert.equal(ledger.report().requests.total, 0);
  ledger.record(spent("last", 1));
  await ledger.flush();
  assert.equal(ledger.report().requests.total, 1);
  const { reader } = ledger;
  assert.equal(reader.lifetime().nanoUsd, 1501);
  assert.equal(reader.buckets("hourly")[0]?.requests, 1501);
  const requests = reader.requests({ limit: 9999 });
  assert.equal(requests[0]?.id, "last");
  assert.ok(requests.length >= 1000 && requests.length < 1300);
  // Twice is once.
  ledger.record(spent("last", 1));
  await ledger.flush();
  assert.equal(reader.session()?.requests, 1501);
});

testBudgetGate({
  name: "the budget of openMemoryLedger",
  numRuns: 300,
  open: (budget, clock) => {
    const ledger = openMemoryLedger({ clock, budget });
    return Promise.resolve({
      gates: [ledger.budget!],
      book: (_, entry) => {
        ledger.record(entry);
        return ledger.flush();
      },
      beat: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose](),
    });
  },
});

const DAILY: Budget = {
  limitNanoUsd: 100,
  period: "daily",
  estimatedBasis: "count",
};

/** The service's own worker; `refused` is called when it refuses a job. */
function listenTo(refused: () => void): WriterThread {
  const url = new URL("../../src/writer_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.type === "refused") refused();
  });
  return worker;
}

Deno.test("a ledger keeps lifetime sums over restarts, and counts its run anew", () =>
  inPlace(async ({ open, logged }) => {
    {
      await using ledger = await open();
      ledger.record({ ...spent("a", 5e8), usage: { input: 600, output: 7 } });
      ledger.record({ ...spent("b", undefined), tokensAfter: 1100 });
      // Twice is once in the file.
      ledger.record({ ...spent("a", 5e8), usage: { input: 600, output: 7 } });
      await ledger.flush();
      assert.deepEqual(lifetimeOf(ledger), {
        requests: 2,
        tokens_saved: 300,
        tokens_added: 500,
        input_tokens: 1700,
        output_tokens: 7,
        compression_savings_usd: 0.5,
        gross_savings_usd: 1,
        total_cost_usd: 0.5,
        unpriced_requests: 1,
      });
    }
    await using again = await open();
    assert.equal(again.report().requests.total, 0);
    assert.equal(lifetimeOf(again).requests, 2);
    assert.deepEqual(logged, []);
  }));

Deno.test("a ledger writes what was recorded last when it is closed", () =>
  inPlace(async ({ open, path }) => {
    {
      await using ledger = await open();
      for (let i = 0; i < 1000; i++) ledger.record(spent(`r${i}`, 1));
    }
    using db = new DatabaseSync(path, { readOnly: true });
    const row = db.prepare("SELECT count(*) AS n FROM requests").get();
    assert.equal(row?.["n"], 1000);
    assert.equal(db.prepare("SELECT * FROM processes").all().length, 0);
  }));

Deno.test("a ledger's files are readable by their owner only", () =>
  inPlace(async ({ open, path }) => {
    await using ledger = await open();
    ledger.record(RECORD);
    await ledger.flush();
    if (Deno.build.os === "windows") return;
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600, file);
    }
  }));

Deno.test("processes of one run report the sum of all; another run shares lifetime sums only", () =>
  inPlace(async ({ open }) => {
    const shared = (slot: number) => ({ shared: { run: "run", slot } });
    await using one = await open(shared(0));
    await using two = await open(shared(1));
    await using other = await open();
    one.record({ ...spent("a", 1e9), forms: [FORM] });
    one.retrieved({ ...RETRIEVAL, via: "http" });
    two.record({ ...spent("b", 2e9), model: "m2", forms: [FORM] });
    other.record(spent("c", 4e9));
    for (const ledger of [one, two, other, one, two]) await ledger.flush();
    const reports = [one, two].map((ledger) => ledger.report());
    for (const report of reports) {
      assert.deepEqual(report.requests.by_model, { m1: 1, m2: 1 });
      assert.equal(report.cost.total_cost_usd, 3);
      assert.equal(report.tokens.saved, 800);
      assert.deepEqual(report.retrievals.by_strategy["log"], {
        forms: 1,
        elided: 1,
        tokens_saved: 50,
        asked_for: 1,
        tokens_given_back: 20,
        net_tokens_saved: 30,
      });
      assert.equal(report.persistent_savings.lifetime.total_cost_usd, 7);
    }
    assert.equal(other.report().requests.total, 1);
    assert.equal(lifetimeOf(other).requests, 3);
    // One that takes a place later has all that was counted before.
    await using late = await open(shared(1));
    await late.flush();
    assert.equal(late.report().requests.total, 2);
  }));

Deno.test("a process counts what others wrote beyond one turn's bound", () =>
  inPlace(async ({ open }) => {
    const shared = (slot: number) => ({ shared: { run: "run", slot } });
    await using one = await open(shared(0));
    await using two = await open(shared(1));
    for (let i = 0; i < 1201; i++) one.record(spent(`r${i}`, 1));
    await one.flush();
    await two.flush();
    assert.equal(two.report().requests.total, 1201);
    assert.equal(two.report().requests.total, 1201);
  }));

Deno.test("a budget is shared by all proxies of a workspace and survives restarts", () =>
  inPlace(async ({ open, clock, logged }) => {
    {
      await using one = await open({ budget: DAILY });
      await using two = await open({ budget: DAILY });
      assert.equal(await one.budget?.admit("a", 60), undefined);
      one.record(spent("a", 90));
      await one.flush();
      assert.equal(await two.budget?.admit("b", 10), undefined);
      const refused = await one.budget?.admit("c", 1);
      assert.equal(refused?.reason, "reserved");
      assert.equal(refused?.spentNanoUsd, 90);
      two.record(spent("b", 10));
      await two.flush();
      assert.equal((await one.budget?.admit("d", 1))?.reason, "spent");
    }
    await using again = await open({ budget: DAILY });
    assert.deepEqual(await again.budget?.admit("e", 1), {
      reason: "spent",
      period: "daily",
      limitNanoUsd: 100,
      spentNanoUsd: 100,
      retryAfterMs: Date.UTC(2026, 2, 16) - NOON,
    });
    const { cost } = again.report();
    assert.equal(cost.budget_limit_usd, 1e-7);
    assert.equal(cost.budget_basis?.measured_usd, 1e-7);
    assert.equal(cost.budget_basis?.records, 2);
    clock.time = Date.UTC(2026, 2, 16);
    assert.equal(await again.budget?.admit("f", 1), undefined);
    // Back on the day before: what was spent then still is.
    clock.time = NOON;
    assert.equal((await again.budget?.admit("g", 1))?.reason, "spent");
    assert.deepEqual(logged, []);
  }));

Deno.test("a reservation of a process that is not seen for a minute does not count", () =>
  inPlace(async ({ open, clock, path }) => {
    await using one = await open({ budget: DAILY });
    {
      using db = new DatabaseSync(path);
      db.exec(`INSERT INTO processes (id, run, seen_at)
          VALUES ('dead', 'x', ${NOON - 59_000});
        INSERT INTO reservations VALUES ('lost', 'dead', ${NOON}, 100)`);
    }
    assert.equal((await one.budget?.admit("a", 1))?.reason, "reserved");
    clock.time += 2000;
    assert.equal(await one.budget?.admit("a", 1), undefined);
  }));

Deno.test("a process that takes the place of a dead one frees what that held", () =>
  inPlace(async ({ open, path }) => {
    const shared = (slot: number) => ({
      shared: { run: "run", slot },
      budget: DAILY,
    });
    await using one = await open(shared(0));
    using db = new DatabaseSync(path);
    db.exec(`INSERT INTO processes (id, run, slot, seen_at, places)
        VALUES ('dead', 'run', 1, ${NOON}, 4), ('far', 'else', 1, ${NOON}, 4);
      INSERT INTO reservations VALUES ('lost', 'dead', ${NOON}, 100)`);
    const inFlight = one.limits!.inFlight(4);
    assert.equal(await inFlight.enter(), undefined);
    assert.equal((await one.budget?.admit("a", 1))?.reason, "reserved");
    await using next = await open(shared(1));
    const leave = await next.limits!.inFlight(4).enter();
    assert.ok(leave);
    assert.equal(await one.budget?.admit("a", 1), undefined);
    assert.ok(await inFlight.enter());
    leave();
  }));

Deno.test("limits hold for the processes of one run together", () =>
  inPlace(async ({ open, clock }) => {
    const shared = (slot: number) => ({ shared: { run: "run", slot } });
    await using one = await open(shared(0));
    await using two = await open(shared(1));
    const [a, b] = [one.limits!.rateLimit(60), two.limits!.rateLimit(60)];
    const waits = await Promise.all(
      Array.from({ length: 61 }, (_, i) => (i % 2 ? a : b).take("caller")),
    );
    assert.deepEqual(waits.filter((ms) => ms > 0), [1000]);
    assert.equal(await a.take("another"), 0);
    clock.time += 1000;
    assert.equal(await a.take("caller"), 0);
    assert.equal(await b.take("caller"), 1000);
    await using alone = await open();
    assert.equal(alone.limits, undefined);
  }));

Deno.test("a ledger goes on under another budget, with what was spent before", () =>
  inPlace(async ({ open }) => {
    await using ledger = await open();
    ledger.record(spent("a", 150));
    await ledger.flush();
    const hasBudget = () => ledger.budget !== undefined;
    assert.equal(hasBudget(), false);
    ledger.setBudget(DAILY);
    const gate = ledger.budget;
    assert.equal((await gate?.admit("b", 1))?.reason, "spent");
    ledger.setBudget({ ...DAILY, limitNanoUsd: 151, period: "hourly" });
    assert.equal(await gate?.admit("b", 1), undefined);
    assert.equal((await gate?.admit("c", 1))?.reason, "reserved");
    assert.equal(ledger.report().cost.budget_period, "hourly");
    ledger.setBudget(undefined);
    // Requests of the earlier configuration may still come by.
    assert.equal(await gate?.admit("c", 1), undefined);
    assert.equal("budget_period" in ledger.report().cost, false);
  }));

Deno.test("limits asked for again hold with what is under way", () =>
  inPlace(async ({ open }) => {
    await using ledger = await open({ shared: { run: "run", slot: 0 } });
    const limits = ledger.limits!;
    const before = limits.inFlight(2);
    const leave = await before.enter();
    const after = limits.inFlight(1);
    assert.equal(await after.enter(), undefined);
    leave?.();
    assert.ok(await after.enter());
    assert.equal(await before.enter(), undefined);
  }));

Deno.test("a ledger goes on counting when its file breaks, keeps to its budget by what it knows, and says so once", () =>
  inPlace(async ({ open, path, logged }) => {
    await using ledger = await open({ budget: DAILY, timeoutMs: 1000 });
    {
      using db = new DatabaseSync(path);
      db.exec("ALTER TABLE requests RENAME TO gone; DROP TABLE reservations");
    }
    for (const id of ["a", "b"]) {
      assert.equal(await ledger.budget?.admit(id, 1), undefined);
      ledger.record(spent(id, 50));
    }
    const refused = await ledger.budget?.admit("c", 1);
    assert.deepEqual([refused?.reason, refused?.spentNanoUsd], ["spent", 100]);
    await ledger.flush();
    assert.equal(ledger.report().cost.budget_basis?.measured_usd, 1e-7);
    assert.equal(ledger.report().requests.total, 2);
    assert.equal(lifetimeOf(ledger).requests, 0);
    assert.deepEqual(ledger.state(), {
      backend: "sqlite",
      healthy: false,
      waiting: 2,
    });
    assert.deepEqual(new Set(logged).size, logged.length);
    assert.ok(logged.includes("budget_unavailable"), `${logged}`);
    assert.ok(logged.includes("ledger_write_failed"));
  }));

Deno.test("a ledger waits out another writer and loses nothing", () =>
  inPlace(async ({ open, path, logged }) => {
    const refused = Promise.withResolvers<void>();
    const writer = new Writer({ spawn: () => listenTo(refused.resolve) });
    await using ledger = await open({ budget: DAILY, writer });
    using db = new DatabaseSync(path);
    db.exec("BEGIN IMMEDIATE");
    ledger.record(spent("a", 1));
    const admitted = ledger.budget!.admit("b", 1);
    await refused.promise;
    db.exec("COMMIT");
    assert.equal(await admitted, undefined);
    await ledger.flush();
    assert.equal(lifetimeOf(ledger).requests, 1);
    assert.deepEqual(logged, []);
  }));

Deno.test("a ledger whose file is locked is waited for once, keeps to its budget, and says so again next time", () =>
  inPlace(async ({ open, path, logged, clock }) => {
    // Requests wait a millisecond for a database that takes as long as it needs: by itself no test gets here.
    await using ledger = await open({ budget: DAILY, timeoutMs: 1 });
    const gate = () => ledger.budget!;
    const unavailable = () =>
      logged.filter((event) => event === "budget_unavailable").length;
    for (const day of [15, 16]) {
      clock.time = Date.UTC(2026, 2, day, 10);
      const id = (name: string) => `${name}${day}`;
      const record = (name: string, nanoUsd: number) =>
        ledger.record({ ...spent(id(name), nanoUsd), at: clock.time });
      using db = new DatabaseSync(path, { timeout: HANG_MS });
      db.exec("BEGIN IMMEDIATE");
      assert.equal(await gate().admit(id("a"), 60), undefined);
      record("a", 60);
      assert.equal(await gate().admit(id("b"), 60), undefined);
      const refused = await gate().admit(id("c"), 60);
      assert.equal(refused?.reason, "reserved");
      record("b", 60);
      assert.equal((await gate().admit(id("d"), 1))?.reason, "spent");
      assert.equal(unavailable(), day - 14);
      db.exec("COMMIT");
      clock.time += 24 * 3_600_000;
      // Let in by itself, and told to the file when that answers again.
      assert.equal(await gate().admit(id("e"), 1), undefined);
      const told = db.prepare("SELECT 1 FROM reservations WHERE id = ?");
      while (told.get(id("e")) === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      gate().release(id("e"));
      const spend = db.prepare("SELECT sum(measured) AS sum FROM spend").get();
      assert.equal(spend?.["sum"], 120 * (day - 14));
    }
  }));

Deno.test("openSqliteLedger refuses the schema of another version and leaves the file as it is", () =>
  inPlace(async ({ open, path }) => {
    {
      await using ledger = await open();
      ledger.record(RECORD);
    }
    const others = [
      [99, /schema 99, written by version 1\.2\.3/],
      [4, /schema 4 is older than those of released versions: move it away/],
    ] as const;
    for (const [version, reason] of others) {
      using db = new DatabaseSync(path);
      db.exec(`UPDATE meta SET value = '${version}'
        WHERE name = 'schema_version'`);
      await assert.rejects(open(), reason);
      const rows = db.prepare("SELECT id FROM requests").all();
      assert.deepEqual(rows.map(({ id }) => id), [RECORD.id]);
    }
  }));

Deno.test("openSqliteLedger makes one file, also when others open it at once", () =>
  inPlace(async ({ open }) => {
    const ledgers = await Promise.all([open(), open(), open()]);
    for (const [i, ledger] of ledgers.entries()) {
      ledger.record(spent(`${i}`, 1));
    }
    for (const ledger of ledgers) await ledger.flush();
    assert.equal(ledgers[0]?.reader.lifetime().requests, 3);
    for (const ledger of ledgers) await ledger[Symbol.asyncDispose]();
  }));

Deno.test("Ledger.record takes a request with very many blocks in several turns, before it is flushed or closed", async () => {
  await inPlace(async ({ open }) => {
    const block = {
      key: "b" as BlockKey,
      entry: undefined,
      isKnown: false,
      messageIndex: 1,
      toolName: "Read",
      kind: "",
      outcome: "alone",
      strategy: "",
      reason: "too_small",
      bytes: 1,
      tokensBefore: undefined,
      tokensAfter: undefined,
    } as const;
    const blocks = Array.from({ length: 5000 }, () => block);
    {
      await using ledger = await open({ timeoutMs: HANG_MS });
      const kept = ledger.record({ ...RECORD, id: "a", blocks });
      assert.equal(ledger.report().requests.total, 0);
      await ledger.flush();
      assert.equal(ledger.report().requests.total, 1);
      await kept;
      // Not waited for.
      void ledger.record({ ...RECORD, id: "b", blocks });
    }
    await using again = await open();
    const rows = again.reader.requests({ limit: 9 });
    assert.deepEqual(rows.map((row) => row.blocks.length), [5000, 5000]);
  });
});
