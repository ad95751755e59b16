import { testBudgetGate } from "./budget_rules.ts";
import assert from "node:assert/strict";
import { openLedger, openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import { ids, RECORD, spent, standingClock } from "./samples.ts";

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
  numRuns: 50,
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
