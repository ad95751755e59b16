/** `svc perf`: how long requests took, and what compression made of them, from the ledger. @module */
import { safeJson } from "../clean_text.ts";
import {
  type LedgerPlace,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../ledger_place.ts";
import type { CliIo, OpenedLedger } from "../io.ts";
import type { Config } from "../../settings/resolve.ts";
import { lineWidth } from "../width.ts";
import { perfReport, type PerfSpan, requestsOf } from "./collect.ts";
import { perfText } from "./print.ts";
import { perfCsv, rawCsv, rawJson } from "./rows.ts";

/** More than a store keeps. */
const ALL_EVENTS = 100_000;
const HOUR_MS = 3_600_000;

/** What to show, and how. */
export interface PerfRun {
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
  const { path } = place;
  const ledger = await openedLedger(place, io);
  const span = spanOf(run, io.now());
  if (ledger === undefined) {
    io.stderr(`Nothing to measure: ${await noLedger(place, io)}\n`);
    printNothing(run, { path, span }, io);
    return;
  }
  try {
    if (run.raw) printRaw(run, ledger, span, io);
    else await printFigures(run, { ledger, span, place }, io);
  } finally {
    ledger.close();
  }
}

/** What figures are made of. */
interface Source {
  readonly ledger: OpenedLedger;
  readonly span: PerfSpan;
  readonly place: LedgerPlace;
}

async function printFigures(
  { format }: PerfRun,
  { ledger, span, place }: Source,
  io: CliIo,
): Promise<void> {
  const { path, config } = place;
  const asked = await askedFor(span, config, io);
  const report = perfReport(requestsOf(ledger.reader, span), span, asked);
  switch (format) {
    case "json":
      return print(jsonText({ path, exists: true, ...report }), io);
    case "csv":
      return print(perfCsv(report), io);
    case "text":
      if (report.requests.total > 0) {
        return print(perfText(report, path, lineWidth(io)), io);
      }
      io.stderr(`${await noneFound(nothing(span, path), place, io)}\n`);
  }
}

function nothing({ hours }: PerfSpan, path: string): string {
  return hours === undefined
    ? `No requests in ${path} yet`
    : `No requests of the last ${hours} h in ${path}; --hours takes more`;
}

function printRaw(
  { format }: PerfRun,
  { reader }: OpenedLedger,
  span: PerfSpan,
  io: CliIo,
): void {
  const isCsv = format === "csv";
  if (isCsv) print(rawCsv(undefined), io);
  for (const request of requestsOf(reader, span)) {
    print(isCsv ? rawCsv(request) : rawJson(request), io);
  }
}

/** Programs get the same shape without any requests. */
function printNothing(
  { format, raw }: PerfRun,
  { path, span }: { readonly path: string; readonly span: PerfSpan },
  io: CliIo,
): void {
  const report = perfReport([], span, undefined);
  if (format === "csv") print(raw ? rawCsv(undefined) : perfCsv(report), io);
  else if (format === "json" && !raw) {
    print(jsonText({ path, exists: false, ...report }), io);
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
  const originals = await io.openOriginals(paths.ccrStore, config);
  if (originals === undefined) return undefined;
  try {
    const counts = new Map<string, number>();
    for (const event of originals.store.retrievalEvents(ALL_EVENTS)) {
      if (event.via === "cli" || event.at < since) continue;
      const { strategy } = event;
      counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
    }
    return counts;
  } finally {
    await originals.close();
  }
}

function spanOf({ hours }: PerfRun, now: number): PerfSpan {
  const since = hours === undefined ? undefined : now - hours * HOUR_MS;
  return { hours, since };
}

function jsonText(value: unknown): string {
  return `${safeJson(value, 2)}\n`;
}

function print(text: string, io: Pick<CliIo, "stdout">): void {
  io.stdout(new TextEncoder().encode(text));
}
