/** `svc show`: one request, and what was changed in it. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { runShowRequest } from "../inspect/show.ts";
import type { CliIo } from "../io.ts";

const EXAMPLES = `Examples:
  svc show                       the newest request
  svc show 3f2a9c01              the request with this id; its first characters are enough
  svc show 3f2a9c01 --block 2    only its second tool result
  svc show 3f2a9c01 --json       for programs, with both texts of each block
`;

const NOTES = `
A block is a tool result that the request brought for the first time. What was left out is red on a terminal and
[-like this-] elsewhere, what the proxy wrote instead green, or {+like this+}; long stretches are folded. Originals
are shown while the store has them (SVC_CCR_TTL_SECONDS); nothing further is kept of a request.
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
    .argument("[request-id]", "id, or its first characters; see svc log")
    .option("--block <n>", "only this block, counted from 1", numberOf)
    .option("--no-diff", "the facts only, no texts")
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
