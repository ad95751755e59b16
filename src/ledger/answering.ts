/** Asking the database without waiting for one that does not answer. @module */
import type { Clock } from "../core/clock.ts";
import type { AskedTask, TaskAnswer } from "./channel.ts";
import type { Outbox } from "./outbox.ts";

/** Milliseconds that anything waits for the database. */
const TIMEOUT_MS = 2000;
/** Milliseconds until a database that did not answer is asked again; doubled each time, up to the longest pause. */
const PAUSE_MS = 500;
/** As long a recovered one must go on answering; one that answers by turns is asked ever more rarely. */
const MAX_PAUSE_MS = 30_000;

/** What is needed. */
interface AnsweringParts {
  /** The way to the database. */
  readonly outbox: Pick<Outbox, "ask">;
  /** Time. */
  readonly clock: Clock;
  /** Called when the database answers again. */
  readonly onRecovery: () => void;
  /** Milliseconds that anything waits; 2,000 when not given. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds before the first probe; 500 when not given. */
  readonly pauseMs?: number | undefined;
}

/**
 * Knows whether the database answers. One that did not, in time or at all, is asked in the background until it does;
 * whoever asks meanwhile is told so at once.
 */
export class Answering implements Disposable {
  readonly #parts: AnsweringParts;
  /** Why the database does not answer; `undefined` while it does. */
  #failure: Error | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = 0;
  #recoveredAt = -Infinity;
  #isClosed = false;

  /** Trusts the database. */
  constructor(parts: AnsweringParts) {
    this.#parts = parts;
  }

  /** Whether the last that is known of the database is an answer. */
  get answers(): boolean {
    return this.#failure === undefined;
  }

  /**
   * Does a task now.
   *
   * @throws {Error} If it could not be written, there was no answer in time, or none can be expected.
   */
  ask(task: AskedTask): Promise<TaskAnswer> {
    return this.waitFor(() => this.#parts.outbox.ask(task));
  }

  /** Waits for something that takes an answer of the database. Throws as {@linkcode Answering.ask} does. */
  async waitFor<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    const { timeoutMs = TIMEOUT_MS } = this.#parts;
    try {
      return await within(begin(), timeoutMs);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  /** Asks no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #failed(error: unknown): void {
    // Others that were waiting for it as well.
    if (this.#failure || this.#isClosed) return;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    const { clock, pauseMs = PAUSE_MS } = this.#parts;
    if (clock.monotonic() - this.#recoveredAt > MAX_PAUSE_MS) {
      this.#pauseMs = pauseMs;
    }
    this.#probeLater();
  }

  #probeLater(): void {
    this.#timer = setTimeout(() => void this.#probe(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }

  /** Never rejects. */
  async #probe(): Promise<void> {
    // However long it takes: nobody waits. The outbox notes what went wrong.
    const hasAnswered = await this.#parts.outbox.ask({ type: "probe" })
      .then(() => true, () => false);
    if (this.#isClosed) return;
    if (!hasAnswered) return this.#probeLater();
    this.#recoveredAt = this.#parts.clock.monotonic();
    this.#failure = undefined;
    this.#parts.onRecovery();
  }
}

/**
 * Settles as `promise` does.
 *
 * @throws {Error} After `ms` milliseconds without; what `promise` does later is ignored.
 */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${ms} ms`)),
    ms,
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
