/** The history as CSV (RFC 4180). @module */
import { csvText } from "../core/csv.ts";
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
    return csvText(POINT_COLUMNS, points);
  }
  const rows = readConsistently(
    reader,
    (lifetime) => rollup(reader.buckets(series), lifetime),
  );
  return csvText(ROLLUP_COLUMNS, rows);
}
