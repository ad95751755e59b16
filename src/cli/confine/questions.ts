/** Where the runtime would ask the user to permit what shall be forbidden. @module */
import { CliFailure, EXIT_USAGE } from "../failure.ts";

/** Whoever knows whether it would. */
export interface MayAsk {
  /** Whether the runtime may ask the user to permit what is not permitted. */
  mayAsk(): boolean;
}

/**
 * Refuses to go on where the user could be asked to permit what is forbidden.
 *
 * @param switches What forbids it, as it is given on a command line.
 * @param runtime What is known of the running program.
 * @throws {CliFailure} That says how to start it instead.
 */
export function refuseQuestions(
  switches: string,
  { mayAsk }: MayAsk,
): void {
  if (!mayAsk()) return;
  throw new CliFailure(
    `Cannot enforce ${switches}: on a terminal the runtime would ask you to permit what is forbidden; start svc with deno run --no-prompt (or with DENO_NO_PROMPT=1 in the environment)`,
    EXIT_USAGE,
  );
}
