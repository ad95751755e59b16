/** Doing something after a while. @module */

/**
 * Calls `run` once after `ms` milliseconds.
 *
 * @returns Stops it; harmless when it was called already.
 */
export type Later = (ms: number, run: () => void) => () => void;

/** The real {@linkcode Later}; waiting never keeps the process alive. */
export function laterUnheld(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  Deno.unrefTimer(timer);
  return () => clearTimeout(timer);
}

/** Resolves when `work` has ended, well or not, or after `ms` milliseconds. */
export async function within(
  ms: number,
  work: Promise<unknown>,
  later: Later = laterUnheld,
): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const stop = later(ms, limit.resolve);
  await Promise.race([Promise.allSettled([work]), limit.promise]);
  stop();
}
