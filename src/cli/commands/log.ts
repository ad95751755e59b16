/** `svc log`: list the requests that went through the proxy. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { runLog } from "../inspect/log.ts";
import { parseSince, SINCE_FORMS } from "../since.ts";
import type { CliIo } from "../io.ts";

/** Requests listed without `--limit`. */
const LIMIT = 20;
/** Requests listed without `--limit`, but with `--since`. */
const LIMIT_SINCE = 1000;

const EXAMPLES = `Examples:
  svc log                        the last ${LIMIT} requests
  svc log --follow               then each new one as it finishes, until Ctrl-C
  svc log --since 2h             those of the last two hours
  svc log --since today --json   for programs: one JSON object per line
`;

const NOTES = `
STATUS: "failed" is a 5xx, "refused upstream" a 4xx, "passed through" a request
without a conversation. BEFORE, AFTER: prompt tokens as received and as sent, by
our counter. SAVED: the share that compression removed; 0 for a failed request.
COST: "~" marks an estimate, "?" a model without a known price, "-" a request
that reached no model. ADDED: milliseconds that the proxy added. RULES: what
changed the request; svc show <id> shows how.

A narrow terminal shows fewer columns. Piped output is 80 columns wide, or as
wide as COLUMNS says. --json has everything.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineLog(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .option("-f, --follow", "keep listing new requests until Ctrl-C")
    .option(
      "--limit <n>",
      `newest requests, at most (default: ${LIMIT}, with --since ${LIMIT_SINCE})`,
      countOf,
    )
    .option(
      "--since <time>",
      `only those since then: ${SINCE_FORMS}`,
      (text) => timeOf(text, io.now()),
    )
    .option("--json", "one JSON object per line")
    .action(async ({ follow = false, json = false, since, limit }) => {
      const most = limit ?? (since === undefined ? LIMIT : LIMIT_SINCE);
      await runLog({ limit: most, since, follow, json }, io);
      done(0);
    });
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && count < 1e9) return count;
  throw new InvalidArgumentError("Give a positive integer");
}

function timeOf(text: string, now: number): number {
  const at = parseSince(text, now);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(`Give a time, e.g. ${SINCE_FORMS}`);
}
