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

/** Every request has some that hardly ever end, and a timer each would cost more than the rest of the bookkeeping. */
const longWaits = new Set<LongWait>();
let ticks = 0;
let ticker: ReturnType<typeof setInterval> | undefined;

/** {@linkcode later} by the runtime's timers. */
export function afterMs(ms: number, callback: () => void): () => void {
  if (ms < LONG_MS) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
  // One more, since the next tick may come at once.
  const one = { due: ticks + Math.ceil(ms / TICK_MS) + 1, callback };
  longWaits.add(one);
  ticker ??= setInterval(tick, TICK_MS);
  return () => void longWaits.delete(one);
}

function tick(): void {
  ticks++;
  for (const one of longWaits) {
    if (one.due > ticks) continue;
    longWaits.delete(one);
    one.callback();
  }
  if (longWaits.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}
