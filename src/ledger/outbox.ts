/** Tasks on their way to the worker, which writes many in one transaction. @module */
import { errorMessage } from "../core/errors.ts";
import type { Clock } from "../core/clock.ts";
import type { BudgetPeriod } from "../core/cost.ts";
import type { Log } from "../core/log.ts";
import { isLocked } from "../writer/database_file.ts";
import type {
  AskedTask,
  KeptTask,
  LedgerChannel,
  LedgerTask,
  LedgerWritten,
  TaskAnswer,
} from "./channel.ts";
import type { KnownSpend } from "./reads.ts";

/** What an outbox needs. */
interface OutboxParts {
  /** The way to the database; closed by the outbox. */
  readonly channel: LedgerChannel;
  /** Time of the transactions. */
  readonly clock: Clock;
  /** The budget's period, `undefined` without one. */
  readonly period: () => BudgetPeriod | undefined;
  /** Where failures are noted, once until something was written again. */
  readonly log: Log;
  /** Tasks that gather while nobody waits; 16 when not given. */
  readonly gathered?: number | undefined;
  /** Takes the spend after each transaction that changed it. */
  readonly onSpend: (spend: KnownSpend) => void;
}

/** One task that waits. */
interface Entry {
  readonly task: LedgerTask;
  /** `undefined` when nobody waits: then it is kept until it is written. */
  readonly asked: PromiseWithResolvers<TaskAnswer> | undefined;
}

/** Tasks per transaction: a few milliseconds. */
const MAX_TASKS = 256;
/**
 * Tasks that nobody waits for gather up to this many, or for this long in milliseconds. The worker takes two or three
 * milliseconds for so many; a request may wait for its core meanwhile.
 */
const GATHERED = 16;
const GATHER_MS = 250;
/** Tasks that are kept while the database cannot be written; beyond it the oldest are lost. */
const MAX_WAITING = 10_000;
/** Times that a transaction is tried while others hold the lock: about five seconds. */
const LOCK_TRIES = 100;

/** Sends tasks in order, one transaction at a time. */
export class Outbox implements AsyncDisposable {
  readonly #parts: OutboxParts;
  #waiting: Entry[] = [];
  /** The present transaction. */
  #writing: readonly Entry[] = [];
  /** Tasks that were ever given, and those of them that are done with. */
  #given = 0;
  #settled = 0;
  /** Those that are still made. */
  readonly #late = new Set<Promise<void>>();
  #sending: Promise<void> | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #failing = false;
  #lost = 0;

  /** Sends nothing. */
  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Tasks that are not in the file yet. */
  get waiting(): number {
    return this.#given - this.#settled;
  }

  /** Those tasks, in order. */
  *unwritten(): Iterable<LedgerTask> {
    for (const { task } of this.#writing) yield task;
    for (const { task } of this.#waiting) yield task;
  }

  /** Whether the last transaction was written. */
  get healthy(): boolean {
    return !this.#failing;
  }

  /** Does a task soon: with a budget at once, since others count its money, without one with those that follow. Never throws. */
  keep(task: KeptTask): void {
    this.#push({ task, asked: undefined });
    const { period, gathered = GATHERED } = this.#parts;
    const isUrgent = period() !== undefined ||
      this.#waiting.length >= gathered;
    if (isUrgent) this.#begin();
    else this.#gathering ??= setTimeout(() => this.#begin(), GATHER_MS);
  }

  /** The same for a task that is still made, which never rejects; {@linkcode Outbox.flush} waits for it. */
  async keepLater(task: Promise<KeptTask>): Promise<void> {
    const kept = task.then((task) => this.keep(task));
    this.#late.add(kept);
    await kept;
    this.#late.delete(kept);
  }

  /**
   * Does a task now.
   *
   * @throws {Error} If it could not be written; it was not done then, or its answer got lost.
   */
  ask(task: AskedTask): Promise<TaskAnswer> {
    const asked = Promise.withResolvers<TaskAnswer>();
    this.#push({ task, asked });
    this.#begin();
    return asked.promise;
  }

  /** Settles when all that was given before is in the file, or cannot be written now. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(this.#late);
    const last = this.#given;
    do {
      this.#begin();
      await this.#sending;
    } while (this.#settled < last && !this.#failing);
  }

  /** Writes what is left and closes the database. What cannot be written is lost, and logged. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    if (this.waiting > 0) {
      this.#parts.log("error", "ledger_rows_lost", { rows: this.waiting });
    }
    await this.#parts.channel[Symbol.asyncDispose]();
  }

  #push(entry: Entry): void {
    this.#given++;
    this.#waiting.push(entry);
    if (this.#waiting.length > MAX_WAITING) this.#loseOldest();
  }

  #begin(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#sending ??= this.#send();
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    // What is given in the same turn goes along.
    await null;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_TASKS);
      this.#writing = batch;
      try {
        this.#done(batch, await this.#write(batch));
      } catch (error) {
        this.#failed(batch, error);
        break;
      }
    }
    this.#sending = undefined;
  }

  async #write(batch: readonly Entry[]): Promise<LedgerWritten> {
    const { channel, clock, period } = this.#parts;
    const tasks = batch.map(({ task }) => task);
    for (let left = LOCK_TRIES - 1;; left--) {
      try {
        return await channel.run({
          now: clock.now(),
          tasks,
          period: period(),
        });
      } catch (error) {
        if (left === 0 || !isLocked(error)) throw error;
      }
    }
  }

  #done(batch: readonly Entry[], { answers, spend }: LedgerWritten): void {
    this.#settled += batch.length;
    this.#writing = [];
    this.#failing = false;
    if (spend !== undefined) this.#parts.onSpend(spend);
    for (const [i, { asked }] of batch.entries()) asked?.resolve(answers[i]);
  }

  /** Whoever asked is told; the rest is tried again with the next task. */
  #failed(batch: readonly Entry[], error: unknown): void {
    const reason = errorMessage(error);
    if (!this.#failing) {
      this.#parts.log("warn", "ledger_write_failed", { reason });
    }
    this.#failing = true;
    const kept: Entry[] = [];
    for (const entry of [...batch, ...this.#waiting]) {
      if (entry.asked === undefined) kept.push(entry);
      else entry.asked.reject(new Error(reason));
    }
    const asked = batch.length + this.#waiting.length - kept.length;
    this.#settled += asked;
    this.#writing = [];
    this.#waiting = kept;
    while (this.#waiting.length > MAX_WAITING) this.#loseOldest();
  }

  #loseOldest(): void {
    const oldest = this.#waiting.shift();
    this.#settled++;
    oldest?.asked?.reject(new Error("Cannot write so much to the ledger"));
    if (this.#lost++ === 0) {
      this.#parts.log("error", "ledger_rows_lost", { waiting: MAX_WAITING });
    }
  }
}
