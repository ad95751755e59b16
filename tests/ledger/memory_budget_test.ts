import { MemoryBudget } from "../../src/ledger/memory_budget.ts";
import { testBudgetGate } from "./budget_rules.ts";

testBudgetGate({
  name: "MemoryBudget",
  numRuns: 300,
  open: (budget, clock) => {
    const gate = new MemoryBudget(budget, clock);
    return Promise.resolve({
      gates: [gate],
      book: (_, entry) => Promise.resolve(gate.book(entry)),
      beat: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
});
