/** A clock that tests move by hand. @module */
import type { Clock } from "../../src/core/clock.ts";

/** Starts on a fixed day; `pass` moves it. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 0, 1);

  /** Moves on by `ms` milliseconds. */
  pass(ms: number): void {
    this.#now += ms;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }
}
