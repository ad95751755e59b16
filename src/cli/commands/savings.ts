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
  svc savings --by kind --since 7d  by compressor, the last seven days
  svc savings --by month --csv      for a spreadsheet
`;

const NOTES = `
TOKENS IN: prompt tokens that went upstream, as billed, else as sent. SAVED: what compression took away, less what it
added; a failed request saves nothing. COST: as far as prices are known, "?" for what is not; NO PRICE: requests of
models without one. SAVED NET: what the saved tokens would have cost, at cache prices, less what svc cost itself; AT LIST
PRICE: the same tokens at the price of uncached input. Days, weeks (from Monday) and months are in UTC.
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
      new Option("--by <what>", "what a row is for").choices(groupings)
        .default("day" as const),
    )
    .option(
      "--since <time>",
      `only this day (UTC) and later ones: ${SINCE_FORMS}`,
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
