/** `svc show`: one request, and what was changed in it. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { runShowRequest } from "../inspect/show.ts";
import type { CliIo } from "../io.ts";

const EXAMPLES = `Examples:
  svc show                       the newest request
  svc show 3f2a9c01              the request whose id starts like this
  svc show 3f2a9c01 --block 2    only its second tool result
  svc show 3f2a9c01 --json       for programs, with both texts of each block
`;

const NOTES = `
A block is a tool result that is new in this request. What was left out is red
on a terminal and [-like this-] elsewhere; what the proxy wrote instead is green,
or {+like this+}. Long unchanged stretches are folded. Originals are shown as
long as they are stored (SVC_CCR_TTL_SECONDS); other texts are not kept.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineShow(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .argument(
      "[request-id]",
      "its id, or the first characters of it; see svc log",
    )
    .option("--block <n>", "only this block, counted from 1", numberOf)
    .option("--no-diff", "only the facts, no texts")
    .option("--json", "as JSON, with both texts of each block")
    .action(async (id, { block, diff, json = false }) => {
      await runShowRequest(id, { block, diff, json }, io);
      done(0);
    });
}

function numberOf(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && number < 1e9) return number;
  throw new InvalidArgumentError("Give a positive integer");
}
