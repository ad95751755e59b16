/** Failures that are passed over: of code of the caller's that runs inside a call, and of compression. @module */
import { type Attempt, isAbort, reasonOf } from "../pipeline/attempt.ts";
import type { Log } from "../core/log.ts";
import type { CompressResult } from "./compress_types.ts";

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

/** A failure that was passed over: the messages went on as they were. */
export interface Problem {
  /** What was done when it happened, a slug, e.g. `compress_block`. */
  readonly stage: string;
  /** What happened, in words; never a text of the messages. */
  readonly reason: string;
}

/** Turns log records into problems; on the console where nobody listens. */
export function logOf(
  onProblem: (problem: Problem) => void = warn,
): Log {
  return (_, event, { stage = event, reason = "" } = {}) =>
    onProblem({ stage: `${stage}`, reason: `${reason}` });
}

function warn({ stage, reason }: Problem): void {
  // deno-lint-ignore no-console
  console.warn(`svc: ${stage}: ${reason}`);
}

/** The result for messages of which nothing is known but that they go on as they are. */
export function unchanged<M>(
  messages: readonly M[],
  reason: string,
): CompressResult<M> {
  return {
    messages: [...messages],
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    compressionRatio: 1,
    transformsApplied: [],
    transformsSummary: {},
    ccrHashes: [],
    compressed: false,
    reason,
  };
}
