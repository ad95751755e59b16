/** A ledger that keeps nothing. @module */
import type { Clock } from "../core/clock.ts";
import type { Budget } from "../core/cost.ts";
import { NO_BUDGET } from "./budget_rule.ts";
import { NO_LIFETIME } from "./cost_report.ts";
import type { Ledger } from "./ledger.ts";
import { MemoryBudget } from "./memory_budget.ts";
import { RequestCounts } from "./request_counts.ts";

/** What it needs. */
export interface MemoryLedgerOptions {
  /** Time of the budget. */
  readonly clock: Clock;
  /** `undefined` for none. */
  readonly budget: Budget | undefined;
}

/** Makes a ledger of this process alone: its counts and spend are gone when the process ends. */
export function openMemoryLedger(options: MemoryLedgerOptions): Ledger {
  const counts = new RequestCounts();
  // Spend is booked without a budget, too: one may be set later.
  const gate = new MemoryBudget(options.budget ?? NO_BUDGET, options.clock);
  let isLimited = options.budget !== undefined;
  const budgetGate = () => isLimited ? gate : undefined;
  return {
    get budget() {
      return budgetGate();
    },
    setBudget(budget) {
      isLimited = budget !== undefined;
      gate.setBudget(budget ?? NO_BUDGET);
    },
    limits: undefined,
    record(entry) {
      counts.add(entry);
      gate.book(entry);
    },
    retrieved: (event) => counts.retrieved(event),
    report: () =>
      counts.report({ lifetime: NO_LIFETIME, budget: budgetGate()?.state() }),
    flush: () => Promise.resolve(),
    state: () => ({ backend: "memory", healthy: true, waiting: 0 }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
