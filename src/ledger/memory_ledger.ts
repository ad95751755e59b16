/** A ledger that writes no file. @module */
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Budget, BudgetGate } from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { migrateTo } from "../writer/schema.ts";
import { NO_BUDGET } from "./budget_rule.ts";
import { SqlActivityReader } from "./activity_reader.ts";
import type { Ledger, LedgerState } from "./ledger.ts";
import { makeLedgerMaintenance } from "./maintenance.ts";
import { MemoryBudget } from "./memory_budget.ts";
import { SqlReader } from "./reader.ts";
import type { StatsReport } from "./request_counts.ts";
import { RequestCounts } from "./request_counts.ts";
import { RowSums } from "./row_sums.ts";
import { cellsOf, INSERT_REQUEST, rowOf } from "./rows.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";

/** What it needs. */
export interface MemoryLedgerOptions {
  /** Time of the budget. */
  readonly clock: Clock;
  /** `undefined` for none. */
  readonly budget: Budget | undefined;
}

/** Requests that are kept, the newest. */
const MAX_REQUESTS = 1000;
/** So many requests are recorded between two looks for old ones. */
const SWEEP_EVERY = 256;
/** No other process sees its rows. */
const OWNER = { run: "", process: "" };

/** Makes a ledger of this process alone: its counts, sums and spend are gone when the process ends. */
export function openMemoryLedger(options: MemoryLedgerOptions): Ledger {
  return new MemoryLedger(options);
}

class MemoryLedger implements Ledger {
  readonly reader: SqlReader;
  readonly activity: SqlActivityReader;
  readonly limits = undefined;
  readonly #clock: Clock;
  readonly #db = new DatabaseSync(":memory:");
  readonly #insert;
  readonly #sums;
  readonly #maintain;
  readonly #gate: MemoryBudget;
  #isLimited: boolean;
  #counts = new RequestCounts();
  #recorded = 0;

  constructor({ clock, budget }: MemoryLedgerOptions) {
    this.#clock = clock;
    migrateTo(this.#db, "", LEDGER_MIGRATIONS);
    this.#insert = this.#db.prepare(INSERT_REQUEST);
    this.#sums = new RowSums(this.#db);
    this.#maintain = makeLedgerMaintenance(this.#db, {
      maxRequests: MAX_REQUESTS,
      pauseMs: 0,
    });
    this.reader = new SqlReader(this.#db);
    this.activity = new SqlActivityReader(this.#db);
    // Spend is booked without a budget, too: one may be set later.
    this.#gate = new MemoryBudget(budget ?? NO_BUDGET, clock);
    this.#isLimited = budget !== undefined;
  }

  get budget(): BudgetGate | undefined {
    return this.#isLimited ? this.#gate : undefined;
  }

  setBudget(budget: Budget | undefined): void {
    this.#isLimited = budget !== undefined;
    this.#gate.setBudget(budget ?? NO_BUDGET);
  }

  record(entry: RequestRecord): void {
    // A request that ends after the proxy has stopped is counted nowhere.
    if (!this.#db.isOpen) return;
    const fresh = this.#counts.add(entry);
    this.#gate.book(entry);
    this.#insert.run(...cellsOf(rowOf(entry, OWNER, fresh)));
    this.#sums.update();
    if (++this.#recorded % SWEEP_EVERY === 0) {
      this.#maintain(this.#clock.now());
    }
  }

  retrieved(event: RetrievalEvent): void {
    this.#counts.retrieved(event);
  }

  reset(): void {
    this.#counts = new RequestCounts();
  }

  report(): StatsReport {
    return this.#counts.report({
      lifetime: this.reader.lifetime(),
      budget: this.budget?.state(),
    });
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  state(): LedgerState {
    return { backend: "memory", healthy: true, waiting: 0 };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }
}
