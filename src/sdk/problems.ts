/** Telling the user of the library of failures that were passed over. @module */
import type { Log } from "../core/log.ts";

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
