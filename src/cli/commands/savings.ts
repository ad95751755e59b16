/** `svc savings`: what was saved, by day, project, kind and so on. @module */
import type { Define } from "./options.ts";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parseSince, SINCE_FORMS } from "../since.ts";
import { noSums } from "../../core/sums.ts";
import type { CliIo } from "../io.ts";
import { printReport, type Report, type ReportFormat } from "../table.ts";
import {
  type GroupingName,
  GROUPINGS,
  type SavingsReport,
  savingsReport,
  startOf,
} from "../savings/report.ts";
import { ledgerPlace, noLedger, noneFound, openedLedger } from "../stores.ts";
import { cacheReport, cacheTable } from "../savings/cache.ts";
import { outputReport } from "../savings/output.ts";
import { savingsTable } from "../savings/print.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc savings                       by day, all time
  svc savings --by project          by project
  svc savings --by kind --since 7d  by kind of text, the last seven days
  svc savings --by month --csv      for a spreadsheet
  svc savings --output              what shorter answers save, by comparison
  svc savings --cache               prompt cache hits and misses, and their causes
`;

/** Ends the help page. */
export const NOTES = `
TOKENS IN: prompt tokens sent to providers, as billed, otherwise by our counter.
SAVED: tokens that compression removed, minus those that svc added; a failed
request saves nothing. COST: "?" stands for requests without a known price, NO
PRICE counts them. SAVED NET: what the saved tokens would have cost, cached or
not, minus what svc cost, and what other models and cache breakpoints that svc
set saved. AT LIST PRICE: the same tokens at the price of uncached
input. Days, weeks (from Monday) and months are in UTC.

--cache: EXPECTED are the tokens that the request before had left in the cache,
READ those that were read from it, MISSED the rest. It counts requests that are
still in the ledger, of conversations only.

A narrow terminal shows fewer columns. Piped output is 80 columns wide, or as
wide as COLUMNS says. --json and --csv have everything.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  const groupings = Object.keys(GROUPINGS) as GroupingName[];
  command
    .addOption(
      new Option("--by <what>", "one row for each").choices(groupings)
        .default("day" as const),
    )
    .option(
      "--since <time>",
      `only this day (UTC) and later: ${SINCE_FORMS}`,
      (text) => dayOf(text, io.now()),
    )
    .addOption(
      new Option("--output", "what shorter answers save, by comparison")
        .conflicts("by"),
    )
    .addOption(
      new Option(
        "--cache",
        "prompt cache hits and misses, and the causes of misses",
      ).conflicts(["by", "output"]),
    )
    .addOption(new Option("--json", "as JSON").conflicts("csv"))
    .addOption(new Option("--csv", "as comma-separated values"))
    .action(async ({ json, csv, ...run }) => {
      await runSavings(
        { ...run, format: json ? "json" : csv ? "csv" : "text" },
        io,
      );
    });
};

function dayOf(text: string, now: number): number {
  const at = parseSince(text, now, true);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(`Give a time, e.g. ${SINCE_FORMS}`);
}

/** What to show, and how. */
interface SavingsRun {
  /** What rows are for. */
  readonly by: GroupingName;
  /** First moment of the first row; milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Whether a comparison is shown, not the table. */
  readonly output?: true | undefined;
  /** Whether prompt caches are shown, not the table. */
  readonly cache?: true | undefined;
  /** For people, or for programs. */
  readonly format: ReportFormat;
}

async function runSavings(run: SavingsRun, io: CliIo): Promise<void> {
  const { by, output, cache, format } = run;
  const place = ledgerPlace(io);
  const { path } = place;
  using ledger = await openedLedger(place, io);
  const exists = ledger !== undefined;
  const print = (report: Report) => printReport(report, format, io);
  if (!exists) {
    io.stderr(`Nothing saved yet: ${await noLedger(place, io)}\n`);
    if (format === "text") return;
  }
  const isNothing = async (what: string, since: number | undefined) => {
    const span = since === undefined
      ? ""
      : `since ${new Date(since).toISOString().slice(0, 10)} (UTC) `;
    const text = `${what} ${span}in ${path}`;
    io.stderr(`${await noneFound(text, place, io)}\n`);
  };
  if (output && exists) {
    return print(outputReport(ledger.reader.answers(run.since)));
  }
  if (cache) {
    const since = exists ? run.since && startOf("daily", run.since) : run.since;
    const report = exists ? cacheReport(ledger.reader, since) : new Map();
    return report.size > 0 || format !== "text"
      ? print(cacheTable(report, path, since))
      : await isNothing("No request of a conversation", since);
  }
  const report = exists
    ? savingsReport(ledger.reader, by, run.since)
    : nothing(run);
  return report.total.requests > 0 || format !== "text"
    ? print(savingsTable(report, { path, exists }))
    : await isNothing("No requests", report.since);
}

function nothing({ by, since }: SavingsRun): SavingsReport {
  const tokensOnly = "tokensOnly" in GROUPINGS[by];
  return { by, since, rows: [], total: noSums(), tokensOnly };
}
