/** `svc perf`: how long requests took, and what compression made of them. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import { resolve } from "node:path";
import { databaseProblem } from "../failure.ts";
import { print, warn } from "../terminal.ts";
import type { Define } from "./options.ts";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { CliIo } from "../io.ts";
import { printReport, type ReportFormat } from "../table.ts";
import { ledgerPlace, noLedger, noneFound, openedLedger } from "../stores.ts";
import type { Config } from "../../settings/resolve.ts";
import { perfReport, requestsOf } from "../perf/collect.ts";
import { perfText } from "../perf/print.ts";
import { perfRows, rawCsv, rawJson } from "../perf/rows.ts";

/** Hours without `--hours`: a week. */
const HOURS = 168;

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc perf                            the last seven days
  svc perf --hours 24 --format json   a day, for programs
  svc perf --raw --format csv         one line per request
`;

/** Ends the help page. */
export const NOTES = `
Times, models and throughput cover requests that a model answered. BEFORE and
AFTER: tokens as received and as sent, by our counter; prompt caches: tokens as
the provider billed them. SHORTENED: new tool results by kind; each counts once.
RETRIEVED: how often a model asked for omitted text, of the results with
omissions.

Single requests are kept for 30 days, at most 200,000 of them; svc savings has
the sums of all time.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  command
    .option("--hours <n>", "hours to look back, 0 for all", hoursOf, HOURS)
    .addOption(
      new Option("--format <format>", "output format")
        .choices(["text", "json", "csv"] as const).default("text" as const),
    )
    .option("--raw", "one line per request: JSON, or CSV with --format csv")
    .action((run) => runPerf(run, io));
};

function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours < 1e6) return hours;
  throw new InvalidArgumentError("Give a number of hours, e.g. 24 or 0.5");
}

/** More than a store keeps. */
const ALL_EVENTS = 100_000;
const HOUR_MS = 3_600_000;

/** What to show, and how. */
interface PerfRun {
  /** Hours to look back; 0 for all that is kept. */
  readonly hours: number;
  /** For people, or for programs. */
  readonly format: ReportFormat;
  /** Whether to print the single requests instead of figures. */
  readonly raw?: true | undefined;
}

async function runPerf(
  { hours: back, format, raw }: PerfRun,
  io: CliIo,
): Promise<void> {
  const place = ledgerPlace(io);
  const { path, config } = place;
  using ledger = await openedLedger(place, io);
  const hours = back === 0 ? undefined : back;
  const since = hours === undefined ? undefined : io.now() - hours * HOUR_MS;
  const exists = ledger !== undefined;
  if (!exists) {
    io.stderr(`Nothing to measure: ${await noLedger(place, io)}\n`);
  }
  const requests = exists ? requestsOf(ledger.reader, { since }) : [];
  if (raw) return printRaw(requests, format === "csv", io);
  const asked = exists ? await askedFor(since, config, io) : undefined;
  const report = perfReport(requests, { hours, since }, asked);
  if (format !== "text" || report.requests.total > 0) {
    return printReport(
      {
        text: (width) => perfText(report, path, width),
        json: { path, exists, ...report },
        rows: perfRows(report),
      },
      format,
      io,
    );
  }
  if (!exists) return;
  const none = hours === undefined
    ? `No requests in ${path} yet`
    : `No requests of the last ${hours} h in ${path}; --hours takes more`;
  io.stderr(`${await noneFound(none, place, io)}\n`);
}

function printRaw(
  requests: Iterable<LoggedRequest>,
  isCsv: boolean,
  io: CliIo,
): void {
  if (isCsv) print(io, rawCsv(undefined));
  for (const request of requests) {
    print(io, isCsv ? rawCsv(request) : rawJson(request));
  }
}

/**
 * Times that models asked for what each compressor left out; `undefined` where no originals are kept on disk. What
 * somebody looked at on the command line does not count.
 */
async function askedFor(
  since = -Infinity,
  config: Config,
  io: CliIo,
): Promise<ReadonlyMap<string, number> | undefined> {
  const { paths, ccr } = config;
  if (paths === undefined || ccr.backend === "memory") return undefined;
  const path = resolve(paths.ccrStore);
  await using originals = await io.openOriginals(path, config).catch(
    (error) => {
      // The other figures are those of the ledger.
      const problem = databaseProblem(path, error);
      warn(io, [`RETRIEVED is not known: ${problem}`]);
      return undefined;
    },
  );
  if (originals === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const event of originals.store.retrievalEvents(ALL_EVENTS)) {
    if (event.via === "cli" || event.at < since) continue;
    const { strategy } = event;
    counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  return counts;
}
