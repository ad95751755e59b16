/** Time that passes when a test says so. @module */
import type { Clock } from "../../src/core/clock.ts";
import type { Wait } from "../../src/upstream/wait.ts";

/** A clock, and waits that end by it. */
export class FakeTime {
  #ms = 0;
  readonly #timers = new Set<{ readonly at: number; run(): void }>();
  /** Every wait that began, in milliseconds. */
  readonly waits: number[] = [];

  /** The clock. */
  readonly clock: Clock = { now: () => this.#ms, monotonic: () => this.#ms };

  /** Ends once the time has passed. */
  readonly wait: Wait = (ms, signal) => {
    this.waits.push(ms);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = { at: this.#ms + ms, run: resolve };
      this.#timers.add(timer);
      signal.addEventListener("abort", () => {
        this.#timers.delete(timer);
        reject(signal.reason);
      });
    });
  };

  /** Waits that have not ended. */
  get open(): number {
    return this.#timers.size;
  }

  /** Lets everything run that can, then `ms` milliseconds pass, and run what follows from it. */
  async pass(ms: number): Promise<void> {
    await settled();
    this.#ms += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#ms) continue;
      this.#timers.delete(timer);
      timer.run();
    }
    await settled();
  }
}

/** Lets everything run that can. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
