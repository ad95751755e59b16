/** `svc savings`: what was saved, from the ledger. @module */
import type { CliIo } from "../io.ts";
import {
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../ledger_place.ts";
import {
  type GroupingName,
  GROUPINGS,
  NO_SUMS,
  type SavingsReport,
  savingsReport,
} from "./report.ts";
import { lineWidth } from "../width.ts";
import { savingsCsv, savingsJson, savingsText } from "./print.ts";

/** What to show, and how. */
export interface SavingsRun {
  /** What rows are for. */
  readonly by: GroupingName;
  /** First moment of the first row; milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
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
  const ledger = await openedLedger(place, io);
  if (ledger === undefined) {
    io.stderr(`Nothing saved yet: ${await noLedger(place, io)}\n`);
    const empty = { path, exists: false, report: nothing(run) };
    if (run.format !== "text") io.stdout(encoded(textOf(run, empty, io)));
    return;
  }
  try {
    const report = savingsReport(ledger.reader, run.by, run.since);
    if (run.format === "text" && report.total.requests === 0) {
      const text = `No requests ${spanText(report)}in ${path}`;
      io.stderr(`${await noneFound(text, place, io)}\n`);
      return;
    }
    io.stdout(encoded(textOf(run, { path, exists: true, report }, io)));
  } finally {
    ledger.close();
  }
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
  return { by, since, rows: [], total: NO_SUMS, tokensOnly };
}

function spanText({ since }: SavingsReport): string {
  return since === undefined
    ? ""
    : `since ${new Date(since).toISOString().slice(0, 10)} (UTC) `;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
