/** A ledger that writes no file. @module */
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type {
  Budget,
  BudgetGate,
  BudgetRefusal,
  BudgetState,
} from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { migrateTo } from "../writer/schema.ts";
import { SqlActivityReader } from "./activity_reader.ts";
import { NO_BUDGET } from "./budget_rule.ts";
import type { LedgerTask, LedgerWritten } from "./channel.ts";
import type { Ledger, LedgerState } from "./ledger.ts";
import { makeLedgerMaintenance } from "./maintenance.ts";
import { SqlReader } from "./reader.ts";
import type { StatsReport } from "./request_counts.ts";
import { RequestCounts } from "./request_counts.ts";
import { rowOf } from "./rows.ts";
import { NOTHING_KNOWN } from "./shared_budget.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";
import { LedgerTransactions } from "./transactions.ts";

/** What it needs. */
export interface MemoryLedgerOptions {
  /** Time of the budget. */
  readonly clock: Clock;
  /** `undefined` for none. */
  readonly budget: Budget | undefined;
}

/** Requests that are kept, the newest. */
const MAX_REQUESTS = 1000;
/** Rows that are written at once: a few milliseconds, while each alone would take half a one. */
const GATHERED = 8;
/** So many requests are recorded between two looks for old ones. */
const SWEEP_EVERY = 256;
/** No other process sees its rows. */
const OWNER = { path: "", run: "", process: "", slot: undefined };

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
  readonly #transactions;
  readonly #maintain;
  readonly #gate: BudgetGate;
  #budget: Budget | undefined;
  #counts = new RequestCounts();
  #waiting: LedgerTask[] = [];
  #unswept = 0;

  constructor({ clock, budget }: MemoryLedgerOptions) {
    this.#clock = clock;
    this.#budget = budget;
    migrateTo(this.#db, "", LEDGER_MIGRATIONS);
    this.#transactions = new LedgerTransactions(this.#db, OWNER);
    this.#maintain = makeLedgerMaintenance(this.#db, {
      maxRequests: MAX_REQUESTS,
      pauseMs: 0,
    });
    const write = () => void this.#write();
    this.reader = new SqlReader(this.#db, write);
    this.activity = new SqlActivityReader(this.#db, write);
    this.#gate = {
      admit: (id, nanoUsd) => Promise.resolve(this.#admit(id, nanoUsd)),
      release: (id) => void this.#write({ type: "release", id }),
      state: () => this.#spend(),
    };
  }

  get budget(): BudgetGate | undefined {
    return this.#budget && this.#gate;
  }

  setBudget(budget: Budget | undefined): void {
    this.#budget = budget;
  }

  record(entry: RequestRecord): void {
    const fresh = this.#counts.add(entry);
    this.#waiting.push({ type: "book", row: rowOf(entry, OWNER, fresh) });
    if (this.#waiting.length >= GATHERED) this.#write();
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
    this.#write();
    return Promise.resolve();
  }

  state(): LedgerState {
    return { backend: "memory", healthy: true, waiting: 0 };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  #admit(id: string, nanoUsd: number): BudgetRefusal | undefined {
    const budget = this.#budget ?? NO_BUDGET;
    const answer = this.#write({ type: "admit", id, nanoUsd, budget })
      ?.answers.at(-1);
    return typeof answer === "object" ? answer : undefined;
  }

  #spend(): BudgetState {
    const budget = this.#budget ?? NO_BUDGET;
    const spend = this.#write({ type: "probe" })?.spend ?? NOTHING_KNOWN;
    const { reservedByOthersNanoUsd: _, readAt: __, ...state } = spend;
    return { budget, ...state };
  }

  /** What ends after the proxy has stopped is counted nowhere. */
  #write(...last: readonly LedgerTask[]): LedgerWritten | undefined {
    const tasks = [...this.#waiting, ...last];
    this.#unswept += this.#waiting.length;
    this.#waiting = [];
    if (!this.#db.isOpen || tasks.length === 0) return undefined;
    const now = this.#clock.now();
    const { period } = this.#budget ?? NO_BUDGET;
    const written = this.#transactions.run({ now, tasks, period });
    if (this.#unswept >= SWEEP_EVERY) {
      this.#unswept %= SWEEP_EVERY;
      this.#maintain(now);
    }
    return written;
  }
}
