/** Code of the caller's that runs inside a call: hooks, listeners, functions that compress. @module */
import { type Attempt, isAbort, reasonOf } from "../pipeline/attempt.ts";

/** Runs work whose failure must not fail a call: gives `fallback` then. */
export type Absorb = <T>(
  stage: string,
  work: () => Promise<T>,
  fallback: T,
) => Promise<T>;

/**
 * Makes an attempt that absorbs aborts too: what the caller's code aborts is its own, not the call.
 *
 * @param attempt Absorbs everything else.
 */
export function absorbing(attempt: Attempt): Absorb {
  return (stage, work, fallback) =>
    attempt(
      stage,
      async () => {
        try {
          return await work();
        } catch (error) {
          if (!isAbort(error)) throw error;
          throw new Error(reasonOf(error), { cause: error });
        }
      },
      fallback,
    );
}
