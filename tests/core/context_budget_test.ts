import assert from "node:assert/strict";
import { contextBudget } from "../../src/core/context_budget.ts";

Deno.test("contextBudget is what the model takes less the room for its answer, and nothing where that is unknown", () => {
  assert.equal(contextBudget(undefined, { outputBuffer: 5 }), undefined);
  assert.deepEqual(contextBudget(10_000, {}), { limit: 10_000, budget: 5904 });
  assert.deepEqual(contextBudget(10_000, { outputBuffer: 0 }), {
    limit: 10_000,
    budget: 10_000,
  });
  assert.deepEqual(contextBudget(10_000, { limit: 50, outputBuffer: 20 }), {
    limit: 50,
    budget: 30,
  });
  assert.deepEqual(contextBudget(undefined, { limit: 50 }), {
    limit: 50,
    budget: 0,
  });
});
