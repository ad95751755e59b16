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
 * Calls `callback` once after `ms` milliseconds, unless it is stopped before.
 *
 * @returns Stops it; harmless when it was called already.
 */
export function later(
  wait: Wait,
  ms: number,
  callback: () => void,
): () => void {
  if (wait === waitFor) {
    // A timer alone: there are two for each request.
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
  const stopped = new AbortController();
  // The only reason to reject is that it was stopped.
  wait(ms, stopped.signal).then(callback, () => {});
  return () => stopped.abort(STOPPED);
}

/** Nobody sees it; without a reason the signal would make an exception. */
const STOPPED = "stopped";
