import { openSqliteLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import type { Budget } from "../../src/core/cost.ts";
import type {
  AskedTask,
  KeptTask,
  LedgerTask,
  TaskAnswer,
} from "../../src/ledger/channel.ts";
import type { KnownSpend } from "../../src/ledger/reads.ts";
import { rowOf } from "../../src/ledger/rows.ts";
import {
  NOTHING_KNOWN,
  ownView,
  SharedBudget,
} from "../../src/ledger/shared_budget.ts";
import { testBudgetGate } from "./budget_rules.ts";
import { ids, NOON, RECORD, spent, standingClock } from "./samples.ts";

testBudgetGate({
  name: "SharedBudget of two ledgers on one file",
  numRuns: 10,
  async open(budget, clock) {
    const dir = await Deno.makeTempDir();
    const newId = ids("id");
    const logged: string[] = [];
    const open = () =>
      openSqliteLedger({
        path: `${dir}/ledger.db`,
        clock,
        log: (_, event) => logged.push(event),
        version: "1.2.3",
        budget,
        newId,
      });
    const ledgers = [await open(), await open()];
    return {
      gates: ledgers.map((ledger) => ledger.budget!),
      async book(i, entry) {
        ledgers[i]!.record(entry);
        await ledgers[i]!.flush();
      },
      async beat() {
        for (const ledger of ledgers) {
          ledger.record({ ...RECORD, id: newId() });
          await ledger.flush();
        }
      },
      async [Symbol.asyncDispose]() {
        for (const ledger of ledgers) await ledger[Symbol.asyncDispose]();
        await Deno.remove(dir, { recursive: true });
        assert.deepEqual(logged, []);
      },
    };
  },
});

const BUDGET: Budget = {
  limitNanoUsd: 100,
  period: "daily",
  estimatedBasis: "count",
};

const SPEND: KnownSpend = {
  periodStart: Date.UTC(2026, 2, 15),
  measuredNanoUsd: 0,
  estimatedNanoUsd: 0,
  records: 0,
  estimatedRecords: 0,
  reservedNanoUsd: 0,
  reservedByOthersNanoUsd: 0,
  readAt: NOON,
};

/** A gate whose database gives these answers, or none. */
function scene(ask: (task: AskedTask) => Promise<TaskAnswer>) {
  const clock = standingClock();
  const asked: AskedTask[] = [];
  const kept: KeptTask[] = [];
  const unwritten: LedgerTask[] = [];
  const failures: string[] = [];
  const file: { spend: KnownSpend | undefined } = { spend: SPEND };
  const answering = {
    answers: true,
    ask: (task: AskedTask) => (asked.push(task), ask(task)),
  };
  const gate = new SharedBudget({
    budget: () => BUDGET,
    clock,
    answering,
    outbox: {
      keep: (task) => void kept.push(task),
      unwritten: () => unwritten,
    },
    spend: () => file.spend,
    onFailure: (error) => failures.push(String(error)),
    onHeld: () => {},
  });
  const book = (id: string, nanoUsd: number) => {
    const owner = { run: "r", process: "p" };
    unwritten.push({
      type: "insert",
      row: rowOf(spent(id, nanoUsd), owner, []),
    });
    gate.recorded(id);
  };
  return { gate, clock, asked, kept, failures, file, answering, book };
}

const silent = () => Promise.reject(new Error("no answer"));

Deno.test("SharedBudget refuses without a look at the database what is sure until the period ends", async () => {
  const { gate, clock, asked } = scene(() => Promise.resolve(undefined));
  gate.note({ ...SPEND, measuredNanoUsd: 100 });
  assert.equal((await gate.admit("a", 1))?.reason, "spent");
  assert.equal(asked.length, 0);
  // What others reserved may be given back.
  gate.note({ ...SPEND, reservedNanoUsd: 100 });
  assert.equal(await gate.admit("a", 1), undefined);
  gate.note({ ...SPEND, measuredNanoUsd: 100 });
  clock.time = Date.UTC(2026, 2, 16);
  assert.equal(await gate.admit("b", 1), undefined);
  assert.equal(asked.length, 2);
});

Deno.test("SharedBudget decides without an answer by what it last knew and did itself", async () => {
  const { gate, failures, book } = scene(silent);
  gate.note({ ...SPEND, measuredNanoUsd: 40, records: 1 });
  assert.equal(await gate.admit("a", 30), undefined);
  assert.equal(await gate.admit("b", 30), undefined);
  assert.equal((await gate.admit("c", 1))?.reason, "reserved");
  book("a", 20);
  assert.equal(await gate.admit("c", 1), undefined);
  book("b", 50);
  const refused = await gate.admit("d", 1);
  assert.equal(refused?.reason, "spent");
  assert.equal(refused?.spentNanoUsd, 110);
  assert.deepEqual(new Set(failures), new Set(["Error: no answer"]));
});

Deno.test("SharedBudget lets one of many have the rest when none of them gets an answer", async () => {
  const { gate } = scene(silent);
  const answers = await Promise.all(
    ["a", "b", "c"].map((id) => gate.admit(id, 100)),
  );
  assert.deepEqual(
    answers.map((refusal) => refusal?.reason),
    [undefined, "reserved", "reserved"],
  );
});

Deno.test("SharedBudget lets requests pass when nothing is known", async () => {
  const { gate, file, clock, book } = scene(silent);
  file.spend = undefined;
  // Known of another day only.
  gate.note({ ...SPEND, measuredNanoUsd: 500 });
  clock.time = Date.UTC(2026, 2, 16, 1);
  assert.equal(await gate.admit("a", 1), undefined);
  book("a", 500);
  assert.equal(await gate.admit("b", 1), undefined);
});

Deno.test("SharedBudget tells the database what it reserved without it, and has refused ones given back", async () => {
  const { gate, kept, asked, answering } = scene(silent);
  await gate.admit("a", 60);
  await gate.admit("b", 60);
  assert.equal((await gate.admit("c", 60))?.reason, "reserved");
  // Its question may still arrive.
  assert.deepEqual(kept.splice(0), [{ type: "release", id: "c" }]);
  answering.answers = false;
  assert.equal((await gate.admit("d", 60))?.reason, "reserved");
  assert.deepEqual(kept, []);
  assert.equal(gate.held, 2);
  gate.recorded("b");
  gate.recovered();
  gate.recovered();
  const reserve = { type: "reserve" as const, id: "a", nanoUsd: 60, at: NOON };
  assert.deepEqual(kept, [reserve]);
  assert.equal(asked.length, 4);
});

Deno.test("SharedBudget reports its own view while there is no answer, or nothing to read", async () => {
  const { gate, file, answering, book } = scene(silent);
  await gate.admit("a", 30);
  book("b", 20);
  assert.equal(gate.state().measuredNanoUsd, 0);
  const own = { ...SPEND, measuredNanoUsd: 20, records: 1 };
  const { reservedByOthersNanoUsd: _, readAt: __, ...shown } = own;
  const expected = { budget: BUDGET, ...shown, reservedNanoUsd: 30 };
  answering.answers = false;
  assert.deepEqual(gate.state(), expected);
  answering.answers = true;
  file.spend = undefined;
  assert.deepEqual(gate.state(), expected);
});

Deno.test("SharedBudget gives back what it holds once", async () => {
  const { gate, kept } = scene(() => Promise.resolve(undefined));
  await gate.admit("a", 1);
  await gate.admit("b", 1);
  assert.equal(gate.held, 2);
  gate.release("a");
  gate.release("a");
  gate.recorded("b");
  gate.release("b");
  gate.recovered();
  assert.deepEqual(kept, [{ type: "release", id: "a" }]);
  assert.equal(gate.held, 0);
});

const MIDNIGHT = Date.UTC(2026, 2, 15);

const KNOWN: KnownSpend = {
  periodStart: MIDNIGHT,
  measuredNanoUsd: 1,
  estimatedNanoUsd: 2,
  records: 3,
  estimatedRecords: 1,
  reservedNanoUsd: 70,
  reservedByOthersNanoUsd: 30,
  readAt: NOON,
};

const IDLE = {
  unwritten: [],
  reservedNanoUsd: 0,
  periodStart: MIDNIGHT,
  now: NOON,
};

function book(entry: typeof RECORD): LedgerTask {
  return { type: "insert", row: rowOf(entry, { run: "r", process: "p" }, []) };
}

Deno.test("ownView adds what was not written as the database will", () => {
  const unwritten: LedgerTask[] = [
    { type: "heartbeat" },
    book(spent("a", 10)),
    book(spent("b", 20, "estimated")),
    book(spent("c", undefined)),
    book(RECORD),
    book({ ...spent("d", 40), at: MIDNIGHT - 1 }),
  ];
  assert.deepEqual(ownView(KNOWN, { ...IDLE, unwritten, reservedNanoUsd: 5 }), {
    periodStart: MIDNIGHT,
    measuredNanoUsd: 11,
    estimatedNanoUsd: 22,
    records: 6,
    estimatedRecords: 3,
    reservedNanoUsd: 35,
  });
});

Deno.test("ownView believes for a minute what others reserved", () => {
  const at = (now: number) => ownView(KNOWN, { ...IDLE, now }).reservedNanoUsd;
  assert.deepEqual([at(NOON + 60_000), at(NOON + 60_001)], [30, 0]);
});

Deno.test("ownView takes nothing from an earlier period, and a later one as part of a longer one", () => {
  const measured = (periodStart: number, known = KNOWN) =>
    ownView(known, { ...IDLE, periodStart }).measuredNanoUsd;
  assert.equal(measured(MIDNIGHT + 3_600_000), 0);
  assert.equal(measured(Date.UTC(2026, 2, 1)), 1);
  assert.equal(measured(MIDNIGHT, NOTHING_KNOWN), 0);
});
