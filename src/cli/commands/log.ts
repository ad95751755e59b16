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
  svc log --follow               and each new one as it ends, until Ctrl-C
  svc log --since 2h             those of the last two hours
  svc log --since today --json   for programs: one JSON object per line
`;

const NOTES = `
STATUS: "failed" is a 5xx, as /stats counts it; "refused upstream" a 4xx; "passed through" carried no conversation.
TOKENS: as received -> as sent, by our counter; the share is what compression took away, and 0 for a request that
failed. COST: "~" before an estimate, "?" for a model without a known price, "-" where no model was asked.
ADDED: milliseconds that the proxy added. RULES: what changed the request; svc show <id> shows how.
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
    .option("-f, --follow", "go on with new requests until Ctrl-C")
    .option(
      "--limit <n>",
      `requests at most, the newest (default: ${LIMIT}, with --since ${LIMIT_SINCE})`,
      countOf,
    )
    .option(
      "--since <time>",
      `only those that came then or later: ${SINCE_FORMS}`,
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
