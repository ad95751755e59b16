/** `svc perf`: how long requests took, and what compression made of them. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import type { OpenedLedger } from "../opened.ts";
import { lineWidth, print } from "../terminal.ts";
import type { Define } from "./options.ts";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { CliIo } from "../io.ts";
import { safeJson } from "../words.ts";
import {
  type LedgerPlace,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../stores.ts";
import type { Config } from "../../settings/resolve.ts";
import { perfReport, requestsOf } from "../perf/collect.ts";
import type { PerfSpan } from "../perf/figures.ts";
import { perfText } from "../perf/print.ts";
import { perfCsv, rawCsv, rawJson } from "../perf/rows.ts";

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
RETRIEVED: how often a model asked for what was left out, of the results that
had something left out.

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
    .action(async ({ hours, format, raw = false }) => {
      const span = hours === 0 ? undefined : hours;
      await runPerf({ hours: span, format, raw }, io);
    });
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
  /** Hours to look back; `undefined` for all that is kept. */
  readonly hours: number | undefined;
  /** For people, or for programs. */
  readonly format: "text" | "json" | "csv";
  /** Whether to print the single requests instead of figures. */
  readonly raw: boolean;
}

/**
 * Prints the figures to stdout.
 *
 * @throws {CliFailure} If a setting cannot be used, requests are not kept on disk, or the ledger is unusable.
 */
export async function runPerf(run: PerfRun, io: CliIo): Promise<void> {
  const place = ledgerPlace(io);
  using ledger = await openedLedger(place, io);
  const span = spanOf(run, io.now());
  if (ledger === undefined) {
    io.stderr(`Nothing to measure: ${await noLedger(place, io)}\n`);
  }
  if (run.raw) printRaw(run, ledger, span, io);
  else await printFigures(run, { ledger, span, place }, io);
}

/** What figures are made of. */
interface Source {
  readonly ledger: OpenedLedger | undefined;
  readonly span: PerfSpan;
  readonly place: LedgerPlace;
}

async function printFigures(
  { format }: PerfRun,
  { ledger, span, place }: Source,
  io: CliIo,
): Promise<void> {
  const { path, config } = place;
  const asked = ledger && await askedFor(span, config, io);
  const report = perfReport(requestsIn(ledger, span), span, asked);
  const exists = ledger !== undefined;
  switch (format) {
    case "json":
      return print(io, `${safeJson({ path, exists, ...report }, 2)}\n`);
    case "csv":
      return print(io, perfCsv(report));
    case "text":
      if (report.requests.total > 0) {
        return print(io, perfText(report, path, lineWidth(io)));
      }
      if (!exists) return;
      io.stderr(`${await noneFound(nothing(span, path), place, io)}\n`);
  }
}

function requestsIn(
  ledger: OpenedLedger | undefined,
  span: PerfSpan,
): Iterable<LoggedRequest> {
  return ledger === undefined ? [] : requestsOf(ledger.reader, span);
}

function nothing({ hours }: PerfSpan, path: string): string {
  return hours === undefined
    ? `No requests in ${path} yet`
    : `No requests of the last ${hours} h in ${path}; --hours takes more`;
}

function printRaw(
  { format }: PerfRun,
  ledger: OpenedLedger | undefined,
  span: PerfSpan,
  io: CliIo,
): void {
  const isCsv = format === "csv";
  if (isCsv) print(io, rawCsv(undefined));
  for (const request of requestsIn(ledger, span)) {
    print(io, isCsv ? rawCsv(request) : rawJson(request));
  }
}

/**
 * Times that models asked for what each compressor left out; `undefined` where no originals are kept on disk. What
 * somebody looked at on the command line does not count.
 */
async function askedFor(
  { since = -Infinity }: PerfSpan,
  config: Config,
  io: CliIo,
): Promise<ReadonlyMap<string, number> | undefined> {
  const { paths, ccr } = config;
  if (paths === undefined || ccr.backend === "memory") return undefined;
  await using originals = await io.openOriginals(paths.ccrStore, config);
  if (originals === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const event of originals.store.retrievalEvents(ALL_EVENTS)) {
    if (event.via === "cli" || event.at < since) continue;
    const { strategy } = event;
    counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
  }
  return counts;
}

function spanOf({ hours }: PerfRun, now: number): PerfSpan {
  const since = hours === undefined ? undefined : now - hours * HOUR_MS;
  return { hours, since };
}
