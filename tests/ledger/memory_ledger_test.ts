import assert from "node:assert/strict";
import { openMemoryLedger } from "../../src/ledger/memory_ledger.ts";
import { spent, standingClock } from "./samples.ts";

Deno.test("openMemoryLedger counts a run and its budget, and nothing durable", async () => {
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
  assert.equal(persistent_savings.lifetime.requests, 0);
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
