/** `svc ccr`: look at the originals that are kept on disk, and remove them. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import {
  CCR_CLEAR_EXAMPLES,
  CCR_EXAMPLES,
  CCR_LIST_EXAMPLES,
  CCR_SHOW_EXAMPLES,
  CCR_STATS_EXAMPLES,
} from "../help.ts";
import type { CliIo } from "../io.ts";
import { runClear } from "../originals/clear.ts";
import { runList } from "../originals/list.ts";
import { runShow } from "../originals/show.ts";
import { runStats } from "../originals/stats.ts";

/** Originals listed without `--limit`. */
const LIMIT = 20;

/** Adds the subcommands to the command. `done` takes the exit code. */
export function defineCcr(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", CCR_EXAMPLES)
    .showHelpAfterError("(svc ccr --help lists the commands)");
  subcommand(command, "list", CCR_LIST_EXAMPLES)
    .option("--limit <n>", "originals at most", countOf, LIMIT)
    .option("--json", "as JSON")
    .action(async ({ limit, json = false }) => {
      await runList({ limit, json }, io);
      done(0);
    });
  subcommand(command, "show", CCR_SHOW_EXAMPLES)
    .argument("<hash>", "24 hexadecimal digits, or at least the first 6")
    .option("--lines <range>", "only these lines, e.g. 41-80")
    .option("--query <text>", "only the parts with these words")
    .option("--path <place>", "only this place in a JSON text, e.g. items[3]")
    .option("--json", "as JSON, with its metadata")
    .action(async (hash, { json = false, ...part }) => {
      await runShow(hash, { json, ...part }, io);
      done(0);
    });
  subcommand(command, "stats", CCR_STATS_EXAMPLES)
    .option("--json", "as JSON")
    .action(async ({ json = false }) => {
      await runStats(json, io);
      done(0);
    });
  subcommand(command, "clear", CCR_CLEAR_EXAMPLES)
    .option("--all", "also originals of running conversations")
    .option("--dry-run", "show what would be removed, remove nothing")
    .action(async ({ all = false, dryRun = false }) => {
      await runClear({ all, dryRun }, io);
      done(0);
    });
}

/** Subcommands with what the help says of them. */
const SUMMARIES = {
  list: "list originals, the last used first",
  show: "print an original, or a part of it, byte for byte",
  stats: "show how much is stored, and what was retrieved",
  clear: "remove originals of idle conversations",
} as const;

function subcommand(
  command: Command,
  name: keyof typeof SUMMARIES,
  examples: string,
): Command {
  return command.command(name).description(SUMMARIES[name])
    .addHelpText("before", examples)
    .showHelpAfterError(`(svc ccr ${name} --help lists the options)`);
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && Number.isSafeInteger(count)) {
    return count;
  }
  throw new InvalidArgumentError("Give a positive integer");
}
