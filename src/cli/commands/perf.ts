/** `svc perf`: how long requests took, and what compression made of them. @module */
import {
  type Command,
  InvalidArgumentError,
  Option,
} from "@commander-js/extra-typings";
import type { CliIo } from "../io.ts";
import { runPerf } from "../perf/perf.ts";

/** Hours without `--hours`: a week. */
const HOURS = 168;

const EXAMPLES = `Examples:
  svc perf                            the last seven days
  svc perf --hours 24 --format json   a day, for programs
  svc perf --raw --format csv         one line per request
`;

const NOTES = `
Times, models and throughput cover requests that a model answered. BEFORE and
AFTER: tokens as received and as sent, by our counter; prompt caches: tokens as
the provider billed them. SHORTENED: new tool results by kind; each counts once.
RETRIEVED: how often a model asked for what was left out, of the results that
had something left out.

Single requests are kept for 30 days, at most 200,000 of them; svc savings has
the sums of all time.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function definePerf(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .option("--hours <n>", "hours to look back, 0 for all", hoursOf, HOURS)
    .addOption(
      new Option("--format <format>", "output format")
        .choices(["text", "json", "csv"] as const).default("text" as const),
    )
    .option("--raw", "one line per request: JSON, or CSV with --format csv")
    .action(async ({ hours, format, raw = false }) => {
      const span = hours === 0 ? undefined : hours;
      await runPerf({ hours: span, format, raw }, io);
      done(0);
    });
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours < 1e6) return hours;
  throw new InvalidArgumentError("Give a number of hours, e.g. 24 or 0.5");
}
