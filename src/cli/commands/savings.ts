/** `svc savings`: what was saved, by day, project, kind and so on. @module */
import {
  type Command,
  InvalidArgumentError,
  Option,
} from "@commander-js/extra-typings";
import { SINCE_FORMS } from "../since.ts";
import type { CliIo } from "../io.ts";
import { type GroupingName, GROUPINGS } from "../savings/report.ts";
import { runSavings } from "../savings/savings.ts";
import { parseSinceDay } from "../savings/since.ts";

const EXAMPLES = `Examples:
  svc savings                       by day, all time
  svc savings --by project          by project
  svc savings --by kind --since 7d  by kind of text, the last seven days
  svc savings --by month --csv      for a spreadsheet
`;

const NOTES = `
TOKENS IN: prompt tokens sent to providers, as billed, otherwise by our counter.
SAVED: tokens that compression removed, minus those that svc added; a failed
request saves nothing. COST: "?" stands for requests without a known price, NO
PRICE counts them. SAVED NET: what the saved tokens would have cost, cached or
not, minus what svc cost. AT LIST PRICE: the same tokens at the price of uncached
input. Days, weeks (from Monday) and months are in UTC.

A narrow terminal shows fewer columns. Piped output is 80 columns wide, or as
wide as COLUMNS says. --json and --csv have everything.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineSavings(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  const groupings = Object.keys(GROUPINGS) as GroupingName[];
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .addOption(
      new Option("--by <what>", "one row for each").choices(groupings)
        .default("day" as const),
    )
    .option(
      "--since <time>",
      `only this day (UTC) and later: ${SINCE_FORMS}`,
      (text) => dayOf(text, io.now()),
    )
    .addOption(new Option("--json", "as JSON").conflicts("csv"))
    .addOption(new Option("--csv", "as comma-separated values"))
    .action(async ({ by, since, json, csv }) => {
      const format = json ? "json" : csv ? "csv" : "text";
      await runSavings({ by, since, format }, io);
      done(0);
    });
}

function dayOf(text: string, now: number): number {
  const at = parseSinceDay(text, now);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(`Give a time, e.g. ${SINCE_FORMS}`);
}
