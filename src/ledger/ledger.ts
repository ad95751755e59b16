/** What a proxy counts with. @module */
import type { Budget, BudgetGate } from "../core/cost.ts";
import type { StatsLedger } from "../core/ledger.ts";
import type { StatsReport } from "./report.ts";
import type { SharedLimits } from "./shared_limits.ts";

/** State of what is kept. */
export interface LedgerState {
  /** Where rows go. */
  readonly backend: "sqlite" | "memory";
  /** Whether the last rows could be written. */
  readonly healthy: boolean;
  /** Rows that are not in the file yet. */
  readonly waiting: number;
}

/** Counts requests, keeps them, and guards what is shared. */
export interface Ledger extends StatsLedger<StatsReport>, AsyncDisposable {
  /** `undefined` when no budget is set. */
  readonly budget: BudgetGate | undefined;
  /** Goes on under another budget, or none. What was spent and reserved stays. */
  setBudget(budget: Budget | undefined): void;
  /** `undefined` when this process shares no file with others: then its limits are its own. */
  readonly limits: SharedLimits | undefined;
  /**
   * Settles when what was recorded before is in the file and what other processes wrote is counted here, or after
   * two seconds without. Never rejects.
   */
  flush(): Promise<void>;
  /** For health reports. */
  state(): LedgerState;
  /** Writes what is left and closes the file. To be called once, after the last record. */
  [Symbol.asyncDispose](): Promise<void>;
}
