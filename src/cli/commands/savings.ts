/** `svc savings`: what was saved, by day, project, kind and so on. @module */
import { lineWidth, print } from "../terminal.ts";
import type { Define } from "./options.ts";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parseSinceDay, SINCE_FORMS } from "../since.ts";
import { noSums } from "../../core/sums.ts";
import type { CliIo } from "../io.ts";
import {
  type GroupingName,
  GROUPINGS,
  type SavingsReport,
  savingsReport,
  startOf,
} from "../savings/report.ts";
import { ledgerPlace, noLedger, noneFound, openedLedger } from "../stores.ts";
import { type CacheReport, cacheReport, cacheText } from "../savings/cache.ts";
import { outputText } from "../savings/output.ts";
import { savingsCsv, savingsJson, savingsText } from "../savings/print.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc savings                       by day, all time
  svc savings --by project          by project
  svc savings --by kind --since 7d  by kind of text, the last seven days
  svc savings --by month --csv      for a spreadsheet
  svc savings --output              what shorter answers save, by comparison
  svc savings --cache               what the provider's prompt cache held, and why not
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
        "what the provider's prompt cache held of the request before, and why not",
      ).conflicts(["by", "output"]),
    )
    .addOption(new Option("--json", "as JSON").conflicts("csv"))
    .addOption(new Option("--csv", "as comma-separated values"))
    .action(async ({ by, since, output, cache, json, csv }) => {
      const format = json ? "json" : csv ? "csv" : "text";
      const view = output ? "output" : cache ? "cache" : "table";
      await runSavings({ by, since, view, format }, io);
    });
};

function dayOf(text: string, now: number): number {
  const at = parseSinceDay(text, now);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(`Give a time, e.g. ${SINCE_FORMS}`);
}

/** What to show, and how. */
interface SavingsRun {
  /** What rows are for. */
  readonly by: GroupingName;
  /** First moment of the first row; milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** What is shown; the table unless given. */
  readonly view?: "table" | "output" | "cache";
  /** For people, or for programs. */
  readonly format: "text" | "json" | "csv";
}

/**
 * Prints the table to stdout.
 *
 * @throws {CliFailure} If a setting cannot be used, requests are not kept on disk, or the ledger is unusable.
 */
export async function runSavings(run: SavingsRun, io: CliIo): Promise<void> {
  const place = ledgerPlace(io);
  const { path } = place;
  using ledger = await openedLedger(place, io);
  if (ledger === undefined) {
    io.stderr(`Nothing saved yet: ${await noLedger(place, io)}\n`);
    if (run.format === "text") return;
    return run.view === "cache"
      ? printCache(run, { path, report: new Map() }, io)
      : print(
        io,
        textOf(run, { path, exists: false, report: nothing(run) }, io),
      );
  }
  if (run.view === "output") {
    const answers = ledger.reader.answers(run.since);
    return print(io, outputText(answers, run.format));
  }
  if (run.view === "cache") {
    const since = run.since && startOf("daily", run.since);
    const report = cacheReport(ledger.reader, since);
    if (report.size > 0 || run.format !== "text") {
      return printCache({ ...run, since }, { path, report }, io);
    }
    return await printNone(`No request of a conversation ${spanText(run)}`);
  }
  const report = savingsReport(ledger.reader, run.by, run.since);
  if (run.format === "text" && report.total.requests === 0) {
    return await printNone(`No requests ${spanText(report)}`);
  }
  print(io, textOf(run, { path, exists: true, report }, io));

  async function printNone(what: string): Promise<void> {
    io.stderr(`${await noneFound(`${what}in ${path}`, place, io)}\n`);
  }
}

function printCache(
  { format, since }: SavingsRun,
  { path, report }: { readonly path: string; readonly report: CacheReport },
  io: CliIo,
): void {
  const width = lineWidth(io);
  print(io, cacheText(report, { format, width, path, since }));
}

/** A table and where it comes from. */
interface Found {
  readonly path: string;
  readonly exists: boolean;
  readonly report: SavingsReport;
}

function textOf(
  { format }: SavingsRun,
  { report, ...ledger }: Found,
  io: CliIo,
): string {
  switch (format) {
    case "json":
      return savingsJson(report, ledger);
    case "csv":
      return savingsCsv(report);
    case "text":
      return savingsText(report, lineWidth(io));
  }
}

function nothing({ by, since }: SavingsRun): SavingsReport {
  const tokensOnly = "tokensOnly" in GROUPINGS[by];
  return { by, since, rows: [], total: noSums(), tokensOnly };
}

function spanText({ since }: Pick<SavingsRun, "since">): string {
  return since === undefined
    ? ""
    : `since ${new Date(since).toISOString().slice(0, 10)} (UTC) `;
}
