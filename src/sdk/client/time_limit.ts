/** Waiting for a bounded time. @module */

/** Nothing happened in time. */
export class TimedOut extends Error {
  /** Milliseconds that were waited. */
  readonly ms: number;

  /** Makes the error. */
  constructor(ms: number) {
    super(`No answer in ${ms} ms`);
    this.ms = ms;
  }
}

/** A longer time would be taken for none at all by timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long, and for whom. */
export interface TimeLimit {
  /** Milliseconds; more than 24 days, e.g. infinity: without a bound. */
  readonly ms: number;
  /** The caller's; aborting it ends the wait. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs `work` and waits for it; also where it does not look at its signal.
 *
 * @param work Its signal is aborted when nobody waits any more.
 * @throws {TimedOut} If it takes longer.
 * @throws {unknown} The reason of the caller's signal, if that is aborted.
 */
export async function within<T>(
  { ms, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  let giveUp: (reason: unknown) => void = () => {};
  const gaveUp = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      reject(reason);
      stop.abort(reason);
    };
  });
  const onAbort = () => giveUp(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = ms > MAX_TIMER_MS
    ? undefined
    : setTimeout(() => giveUp(new TimedOut(ms)), ms);
  try {
    return await Promise.race([work(stop.signal), gaveUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
