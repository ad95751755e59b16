/** Letting time pass. @module */

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it fires before. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** The real {@linkcode Wait}. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

/**
 * Calls `callback` once after `ms` milliseconds, unless it is stopped before. A long wait may take a second more.
 *
 * @returns Stops it; harmless when it was called already.
 */
export function later(
  wait: Wait,
  ms: number,
  callback: () => void,
): () => void {
  if (wait === waitFor) return afterMs(ms, callback);
  const stopped = new AbortController();
  // The only reason to reject is that it was stopped.
  wait(ms, stopped.signal).then(callback, () => {});
  return () => stopped.abort(STOPPED);
}

/** Nobody sees it; without a reason the signal would make an exception. */
const STOPPED = "stopped";

/** Waits from this many milliseconds on share one timer, which looks at them so often. */
const LONG_MS = 10_000;
const TICK_MS = 1000;

/** A wait that is counted in ticks. */
interface LongWait {
  readonly due: number;
  readonly callback: () => void;
}

/** Calls `tick` every `ms` milliseconds until the returned function is called. */
type Every = (ms: number, tick: () => void) => () => void;

/** Waits of many seconds: every request has some that hardly ever end, and a timer for each would cost more than all of them. */
export class LongWaits {
  readonly #every: Every;
  readonly #waits = new Set<LongWait>();
  #ticks = 0;
  #stop: (() => void) | undefined;

  /** `every` is the runtime's interval unless given; it runs while there are waits. */
  constructor(every: Every = everyMs) {
    this.#every = every;
  }

  /**
   * Calls `callback` once after `ms` milliseconds, or up to a second later, unless it is stopped before.
   *
   * @returns Stops it; harmless when it was called already.
   */
  add(ms: number, callback: () => void): () => void {
    // One more, since the next tick may come at once.
    const due = this.#ticks + Math.ceil(ms / TICK_MS) + 1;
    const one = { due, callback };
    this.#waits.add(one);
    this.#stop ??= this.#every(TICK_MS, () => this.#tick());
    return () => void this.#waits.delete(one);
  }

  #tick(): void {
    this.#ticks++;
    for (const one of this.#waits) {
      if (one.due > this.#ticks) continue;
      this.#waits.delete(one);
      one.callback();
    }
    if (this.#waits.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

function everyMs(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  return () => clearInterval(timer);
}

const longWaits = new LongWaits();

/** {@linkcode later} by the runtime's timers. */
export function afterMs(ms: number, callback: () => void): () => void {
  if (ms >= LONG_MS) return longWaits.add(ms, callback);
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
