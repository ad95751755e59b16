/** What a proxy counts with: a database, in a file or in memory. @module */
import { errorMessage } from "../core/errors.ts";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Budget, BudgetGate, BudgetPeriod } from "../core/cost.ts";
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import type { Log } from "../core/log.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { SqlActivityReader } from "./activity_reader.ts";
import { Answering, within } from "./answering.ts";
import { NO_BUDGET } from "./budget_rule.ts";
import type { LedgerChannel } from "./channel.ts";
import { Outbox } from "./outbox.ts";
import { SqlReader } from "./reader.ts";
import { type KnownSpend, LedgerReads } from "./reads.ts";
import { RunCounts } from "./run_counts.ts";
import { hasManyBlocks, rowInSteps, rowOf, type RowOwner } from "./rows.ts";
import { SharedBudget } from "./shared_budget.ts";
import {
  type Heartbeat,
  makeHeartbeat,
  type SharedLimitParts,
  type SharedLimits,
  SharedPlaces,
  SharedRate,
} from "./shared_limits.ts";
import { type StatsReport, statsReport } from "./stats_report.ts";
import { noSums } from "../core/sums.ts";

/** State of what is kept. */
export interface LedgerState {
  /** Where rows go. */
  readonly backend: "sqlite" | "memory";
  /** Whether the last rows could be written. */
  readonly healthy: boolean;
  /** Rows that are not in the file yet. */
  readonly waiting: number;
}

/** What a ledger is made of. */
export interface LedgerParts {
  /** Connection for reading; closed by the ledger. */
  readonly db: DatabaseSync;
  /** Where it is. */
  readonly backend: LedgerState["backend"];
  /** Writes; closed by the ledger. */
  readonly channel: LedgerChannel;
  /** Whose rows are written. */
  readonly owner: RowOwner;
  /** Whether other processes take requests on the same port. */
  readonly isShared: boolean;
  /** Time of budgets and limits. */
  readonly clock: Clock;
  /** Where failures are noted. */
  readonly log: Log;
  /** `undefined` for none. */
  readonly budget: Budget | undefined;
  /** Makes names that are never made again. */
  readonly newId: () => string;
  /** Requests that are written together; 64 when not given. */
  readonly gathered?: number;
  /** Milliseconds that anything waits for the database; 2,000 when not given. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 2000;

/** Counts requests, keeps them, and guards what is shared. Reads run on the calling thread. */
export class Ledger implements AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #reads: LedgerReads;
  /**
   * Reads what is kept: requests are in it once they are in the file ({@linkcode Ledger.flush}), those of other
   * processes and earlier runs too. In memory: the last 1,000 requests of this process and its sums.
   */
  readonly reader: SqlReader;
  /** Reads activity over time, of the same requests. */
  readonly activity: SqlActivityReader;
  readonly #counts: RunCounts;
  readonly #outbox: Outbox;
  readonly #answering: Answering;
  readonly #parts: LedgerParts;
  readonly #gate: SharedBudget;
  #budget: Budget | undefined;
  readonly #heartbeat: Heartbeat;
  #places: SharedPlaces | undefined;
  #lifetime: Sums = noSums();
  /** What was logged since the database last recovered: a broken file would otherwise be noted with each request. */
  readonly #logged = new Set<string>();

  /** The tables must exist. */
  constructor(parts: LedgerParts) {
    const { db, clock, log, budget, channel, gathered, timeoutMs } = parts;
    this.#db = db;
    this.#reads = new LedgerReads(db);
    this.reader = new SqlReader(db);
    this.activity = new SqlActivityReader(db);
    this.#parts = parts;
    this.#budget = budget;
    this.#outbox = new Outbox({
      channel,
      clock,
      log,
      gathered,
      period: () => this.#budget?.period,
      onSpend: (spend) => this.#gate.note(spend),
    });
    this.#answering = new Answering({
      outbox: this.#outbox,
      clock,
      timeoutMs,
      onRecovery: () => this.#recovered(),
    });
    this.#heartbeat = makeHeartbeat(
      () => this.#holds(),
      () => this.#sendHeartbeat(),
    );
    this.#gate = new SharedBudget({
      ...this.#gateParts("budget_unavailable"),
      budget: () => this.#budget ?? NO_BUDGET,
      outbox: this.#outbox,
      answering: this.#answering,
      spend: (period) => this.#spendOf(period),
    });
    this.#counts = new RunCounts({
      reads: this.#reads,
      run: parts.owner.run,
      unwritten: () => this.#outbox.unwritten(),
      attempt: (read) => this.#read(read),
    });
    if (!parts.isShared) return;
    // What a dead process of this slot held is free from now on.
    this.#sendHeartbeat();
  }

  /** `undefined` when no budget is set. */
  get budget(): BudgetGate | undefined {
    return this.#budget === undefined ? undefined : this.#gate;
  }

  /** Goes on under another budget, or none. What was spent and reserved stays. */
  setBudget(budget: Budget | undefined): void {
    this.#budget = budget;
  }

  /** `undefined` when this process shares no file with others: then its limits are its own. */
  get limits(): SharedLimits | undefined {
    if (!this.#parts.isShared) return undefined;
    const parts: SharedLimitParts = {
      ...this.#gateParts("limits_unavailable"),
      ask: (task) => this.#answering.ask(task),
    };
    return {
      inFlight: (limit) => {
        this.#places ??= new SharedPlaces(limit, parts);
        this.#places.resize(limit);
        return this.#places;
      },
      rateLimit: (perMinute) => new SharedRate(perMinute, parts),
    };
  }

  /** Counts one request; of very many blocks by when the promise resolves. Accounting must not fail a request: it never throws. */
  record(entry: RequestRecord): Promise<void> | undefined {
    const { owner } = this.#parts;
    const fresh = this.#counts.fresh(entry);
    if (hasManyBlocks(entry)) return this.#recordLater(entry, fresh);
    const row = rowOf(entry, owner, fresh);
    this.#outbox.keep({ type: "insert", row });
    this.#gate.recorded(entry.id);
    return undefined;
  }

  async #recordLater(
    entry: RequestRecord,
    fresh: readonly SentForm[],
  ): Promise<void> {
    const row = rowInSteps(entry, this.#parts.owner, fresh);
    await this.#outbox.keepLater(
      row.then((row) => ({ type: "insert", row })),
    );
    this.#gate.recorded(entry.id);
  }

  /** Counts an original that was given back through another door. Never throws. */
  retrieved(event: RetrievalEvent): void {
    const id = this.#parts.newId();
    this.#outbox.keep({ type: "given", id, event: JSON.stringify(event) });
  }

  /**
   * Counts this run anew, in all its processes: here at once, in the others once this is in the file
   * ({@linkcode Ledger.flush}). What is kept stays as it is.
   */
  reset(): void {
    this.#counts.forget();
    this.#outbox.keep({ type: "reset" });
  }

  /** Snapshot of the run, of all its processes as far as they are in the file; cheap enough for every scrape. */
  report(): StatsReport {
    this.#lifetime = this.#read(() => this.reader.lifetime()) ??
      this.#lifetime;
    return statsReport(this.#counts.sums(), {
      lifetime: this.#lifetime,
      budget: this.budget?.state(),
    });
  }

  /** Settles when what was recorded before is in the file, or after two seconds without. Never rejects. */
  async flush(): Promise<void> {
    if (!this.#answering.answers) return;
    try {
      await this.#answering.waitFor(() => this.#outbox.flush());
    } catch (error) {
      this.#note("ledger_slow", error);
    }
  }

  /** For health reports. */
  state(): LedgerState {
    const { healthy, waiting } = this.#outbox;
    return { backend: this.#parts.backend, healthy, waiting };
  }

  /** Writes what is left and closes the file. To be called once, after the last record. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#heartbeat[Symbol.dispose]();
    this.#answering[Symbol.dispose]();
    await this.#outbox.flush();
    const { timeoutMs = TIMEOUT_MS } = this.#parts;
    try {
      await within(this.#outbox.ask({ type: "leave" }), timeoutMs);
    } catch (error) {
      // Others stop counting it after a minute.
      this.#note("ledger_not_left", error);
    }
    // First, so that the worker closes last and moves the log into the database off this thread.
    this.#db.close();
    await this.#outbox[Symbol.asyncDispose]();
  }

  #spendOf(period: BudgetPeriod): KnownSpend | undefined {
    const now = this.#parts.clock.now();
    const { process } = this.#parts.owner;
    return this.#read(() => this.#reads.spend(period, now, process));
  }

  /** What the database says; `undefined` when it fails: a report must not, and has the last known figures. */
  #read<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      this.#note("ledger_read_failed", error);
      return undefined;
    }
  }

  #gateParts(event: string) {
    const { clock } = this.#parts;
    return {
      clock,
      onFailure: (error: unknown) => this.#note(event, error),
      onHeld: () => this.#heartbeat.update(),
    };
  }

  #holds(): boolean {
    return this.#gate.held > 0 || (this.#places?.taken ?? 0) > 0;
  }

  /** A new failure is news again. */
  #recovered(): void {
    this.#logged.clear();
    this.#gate.recovered();
  }

  #sendHeartbeat(): void {
    this.#answering.ask({ type: "heartbeat" }).catch((error: unknown) =>
      this.#note("ledger_no_beat", error)
    );
    void this.#places?.renew();
  }

  #note(event: string, error: unknown): void {
    if (this.#logged.has(event)) return;
    this.#logged.add(event);
    const reason = errorMessage(error);
    this.#parts.log("warn", event, { reason });
  }
}

function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SQLITE_ERROR";
}
