/** The history as CSV (RFC 4180). @module */
import type { LedgerReader } from "../core/ledger_reader.ts";
import { historyPoints, readConsistently } from "./history.ts";
import { rollup } from "./rollup.ts";
import type { HistoryPoint, HistorySeries, RollupRow } from "./rollup.ts";

/** Columns of the points. */
const POINT_COLUMNS = [
  "timestamp",
  "total_tokens_saved",
  "compression_savings_usd",
  "total_input_tokens",
  "total_input_cost_usd",
] as const satisfies readonly (keyof HistoryPoint)[];

/** Columns of a rollup. */
const ROLLUP_COLUMNS = [
  "timestamp",
  "tokens_saved",
  "compression_savings_usd_delta",
  "total_tokens_saved",
  "compression_savings_usd",
  "total_input_tokens_delta",
  "total_input_tokens",
  "total_input_cost_usd_delta",
  "total_input_cost_usd",
] as const satisfies readonly (keyof RollupRow)[];

/** One series as CSV, its header first: it names nothing, and so everybody may see it. @throws What the database throws. */
export async function historyCsv(
  reader: LedgerReader,
  series: HistorySeries,
): Promise<string> {
  if (series === "history") {
    const { points } = await historyPoints(reader, "full");
    return csv(POINT_COLUMNS, points);
  }
  const rows = readConsistently(
    reader,
    (lifetime) => rollup(reader.buckets(series), lifetime),
  );
  return csv(ROLLUP_COLUMNS, rows);
}

/** Rows as CSV: lines end with CR LF, fields are quoted where they must be. */
export function csv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Partial<Record<Column, string | number>>>[],
): string {
  const lines = [
    columns.map(field),
    ...rows.map((row) => columns.map((column) => field(row[column] ?? ""))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function field(value: string | number): string {
  if (typeof value === "number") return decimal(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** No exponent: money has nine decimals at most, and not every spreadsheet reads `1e-7`. */
function decimal(value: number): string {
  if (Number.isInteger(value)) return `${value}`;
  return value.toFixed(9).replace(/\.?0+$/, "");
}
