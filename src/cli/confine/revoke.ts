/** Giving up permissions of the running process. @module */
import type { GivenUp } from "../io.ts";
import { type MayAsk, refuseQuestions } from "./questions.ts";

/** The part of the runtime that takes permissions away. */
export type Revoke = (permission: Deno.PermissionDescriptor) => unknown;

/**
 * Gives up what a command does not need, also what was permitted by name, for this thread and those that it starts.
 *
 * @param what Nothing is given up where nothing is asked for.
 * @param runtime The runtime, and whether it would ask the user for what was given up.
 * @throws {CliFailure} If it would: nothing was given up.
 */
export function giveUp(
  { files, network }: GivenUp,
  { revoke, ...runtime }: MayAsk & { readonly revoke: Revoke },
): void {
  const names = [
    ...files ? ["write"] as const : [],
    ...network ? ["net"] as const : [],
  ];
  if (names.length === 0) return;
  const switches = [
    ...files ? ["SVC_STATELESS"] : [],
    ...network ? ["SVC_OFFLINE"] : [],
  ];
  refuseQuestions(switches.join(" and "), runtime);
  for (const name of [...names, "run", "ffi"] as const) revoke({ name });
}
