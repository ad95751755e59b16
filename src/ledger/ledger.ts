/** What a proxy counts with. @module */
import type { Budget, BudgetGate } from "../core/cost.ts";
import type { ActivityReader } from "../core/activity.ts";
import type { StatsLedger } from "../core/ledger.ts";
import type {
  LedgerReader,
  RequestLister,
  Sums,
} from "../core/ledger_reader.ts";
import type { StatsReport } from "./stats_report.ts";
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

/** The last stretch of requests without an hour of silence between two of them. */
export interface DisplaySession extends Sums {
  /** Milliseconds since the Unix epoch at which its first request came. */
  readonly startedAt: number;
  /** When its last request ended. */
  readonly lastAt: number;
}

/** Reads the session, too. */
export interface SessionReader extends LedgerReader {
  /** The last session, however long ago; `undefined` before the first request. */
  session(): DisplaySession | undefined;
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
  /**
   * Reads what is kept: requests are in it once they are in the file ({@linkcode Ledger.flush}), those of other
   * processes and earlier runs too. In memory: the last 1,000 requests of this process and its sums.
   */
  readonly reader: SessionReader & RequestLister;
  /** Reads activity over time, of the same requests. */
  readonly activity: ActivityReader;
  /**
   * Counts this run anew, in all its processes: here at once, in the others once this is in the file
   * ({@linkcode Ledger.flush}). What is kept stays as it is.
   */
  reset(): void;
  /** Writes what is left and closes the file. To be called once, after the last record. */
  [Symbol.asyncDispose](): Promise<void>;
}
