import assert from "node:assert/strict";
import type { Budget } from "../../src/core/cost.ts";
import type { Spend } from "../../src/ledger/budget_rule.ts";
import type { AskedTask, KeptTask } from "../../src/ledger/channel.ts";
import { SharedBudget } from "../../src/ledger/shared_budget.ts";
import { openSqliteLedger } from "../../src/ledger/sqlite_ledger.ts";
import { testBudgetGate } from "./budget_rules.ts";
import { ids, RECORD, standingClock } from "./samples.ts";

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

function scene(ask: (task: AskedTask) => Promise<undefined>) {
  const clock = standingClock();
  const asked: AskedTask[] = [];
  const kept: KeptTask[] = [];
  const failures: string[] = [];
  const spend: Spend = {
    periodStart: Date.UTC(2026, 2, 15),
    measuredNanoUsd: 0,
    estimatedNanoUsd: 0,
    records: 0,
    estimatedRecords: 0,
    reservedNanoUsd: 0,
  };
  const gate = new SharedBudget({
    budget: () => BUDGET,
    clock,
    outbox: {
      ask: (task) => (asked.push(task), ask(task)),
      keep: (task) => void kept.push(task),
    },
    spend: () => spend,
    onFailure: (error) => failures.push(String(error)),
    onHeld: () => {},
    patienceMs: 5,
  });
  return { gate, clock, asked, kept, failures, spend };
}

Deno.test("SharedBudget refuses without a look at the database what is sure until the period ends", async () => {
  const { gate, clock, asked, spend } = scene(() => Promise.resolve(undefined));
  gate.note({ ...spend, measuredNanoUsd: 100 });
  assert.equal((await gate.admit("a", 1))?.reason, "spent");
  assert.equal(asked.length, 0);
  // What others reserved may be given back.
  gate.note({ ...spend, reservedNanoUsd: 100 });
  assert.equal(await gate.admit("a", 1), undefined);
  gate.note({ ...spend, measuredNanoUsd: 100 });
  clock.time = Date.UTC(2026, 2, 16);
  assert.equal(await gate.admit("b", 1), undefined);
  assert.equal(asked.length, 2);
});

Deno.test("SharedBudget lets requests pass when nobody answers in time, or with an error", async () => {
  const hanging = scene(() => new Promise(() => {}));
  assert.equal(await hanging.gate.admit("a", 1), undefined);
  assert.deepEqual(hanging.failures, ["Error: no answer within 5 ms"]);
  const broken = scene(() => Promise.reject(new Error("disk is full")));
  assert.equal(await broken.gate.admit("a", 1), undefined);
  assert.deepEqual(broken.failures, ["Error: disk is full"]);
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
  assert.deepEqual(kept, [{ type: "release", id: "a" }]);
  assert.equal(gate.held, 0);
});
