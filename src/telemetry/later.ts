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
