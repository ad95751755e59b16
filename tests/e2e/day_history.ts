/** The history agrees with the rows of the ledger: points, rollups, CSV, the last session, the file for other programs. */
import assert from "node:assert/strict";
import type {
  LoggedRequest,
  Step,
  Sums,
} from "../../src/core/ledger_reader.ts";
import type { HistoryBody } from "../../src/ledger/history.ts";
import type { CumulativeReport, RollupRow } from "../../src/ledger/rollup.ts";
import type {
  SavingsDocument,
  SessionReport,
} from "../../src/ledger/savings_document.ts";
import { nano, sumsIn } from "./day_reports.ts";
import {
  keptOf,
  lastSession,
  plus,
  runningSums,
  stepsOf,
  sumsOf,
  type Table,
} from "./day_truth.ts";

/** All of a rollup. */
export const STEPS: readonly Step[] = ["hourly", "daily", "weekly", "monthly"];

/** The last stretch of requests is that of these rows. */
export function assertSession(
  report: SessionReport,
  rows: readonly LoggedRequest[],
): void {
  const sums = sumsOf(rows);
  assert.deepEqual(
    [
      report.requests,
      report.tokens_saved,
      report.total_input_tokens,
      nano(report.total_input_cost_usd),
      nano(report.compression_savings_usd),
      report.started_at,
    ],
    [
      sums.requests,
      sums.saved - sums.added,
      sums.input,
      sums.nanoUsd,
      sums.savedNet,
      new Date(Math.min(...rows.map(({ at }) => at))).toISOString(),
    ],
    "session",
  );
}

/** Sums up to a moment. */
function cumulative(sums: Sums): CumulativeReport {
  return {
    total_tokens_saved: sums.saved - sums.added,
    compression_savings_usd: sums.savedNet / 1e9,
    total_input_tokens: sums.input,
    total_input_cost_usd: sums.nanoUsd / 1e9,
  };
}

/** A point for each of the newest `limit` rows that saved something. */
export function pointsOf(rows: readonly LoggedRequest[], limit: number) {
  const sums = runningSums(rows);
  return rows.flatMap((row, i) => {
    if (row.tokensSaved <= 0 || i < rows.length - limit) return [];
    return [{
      timestamp: new Date(row.at).toISOString(),
      provider: row.provider,
      model: row.model,
      ...cumulative(sums[i]!),
    }];
  });
}

/** Rows of a rollup: what each step adds, and the sums at its end. */
function rollupOf(steps: Table): readonly RollupRow[] {
  const before: Sums[] = [];
  return Object.entries(steps).map(([timestamp, sums]): RollupRow => {
    before.push(sums);
    const own = cumulative(sums);
    return {
      timestamp,
      tokens_saved: own.total_tokens_saved,
      compression_savings_usd_delta: own.compression_savings_usd,
      total_input_tokens_delta: own.total_input_tokens,
      total_input_cost_usd_delta: own.total_input_cost_usd,
      ...cumulative(before.reduce(plus)),
      requests: sums.requests,
      failed: sums.failed,
      output_tokens: sums.output,
      tokens_added: sums.added,
      cache_read_tokens: sums.cacheRead,
      cache_write_tokens: sums.cacheWrite,
      gross_savings_usd: sums.savedGross / 1e9,
      unpriced_requests: sums.unpriced,
    };
  });
}

/** `/stats-history` in every form. */
export async function assertHistory(
  url: string,
  rows: readonly LoggedRequest[],
): Promise<void> {
  const ask = async (query: string) =>
    await (await fetch(`${url}/stats-history?${query}`)).text();
  const full: HistoryBody = JSON.parse(await ask("history_mode=full"));
  const points = pointsOf(rows, rows.length);
  assert.deepEqual(full.history, points, "points");
  const compact: HistoryBody = JSON.parse(await ask(""));
  assert.deepEqual(compact.history.slice(-20), points.slice(-20), "compact");
  const sums = sumsOf(rows);
  const { requests, tokens_saved, ...total } = full.lifetime;
  assert.deepEqual(total, cumulative(sums));
  assert.deepEqual([requests, tokens_saved], [
    sums.requests,
    sums.saved - sums.added,
  ]);
  const { project } = keptOf(rows).tables;
  const projects = Object.entries(full.projects!).map(([name, report]) =>
    [name, sumsIn(report)] as const
  );
  assert.deepEqual(Object.fromEntries(projects), project, "projects");
  for (const step of STEPS) {
    const wanted = rollupOf(stepsOf(rows, step));
    assert.deepEqual(full.series[step], wanted, step);
    assertCsv(await ask(`format=csv&series=${step}`), wanted, [
      "timestamp",
      "tokens_saved",
      "compression_savings_usd_delta",
      "total_tokens_saved",
      "compression_savings_usd",
      "total_input_tokens_delta",
      "total_input_tokens",
      "total_input_cost_usd_delta",
      "total_input_cost_usd",
    ]);
  }
  assertCsv(await ask("format=csv&series=history"), points, [
    "timestamp",
    "total_tokens_saved",
    "compression_savings_usd",
    "total_input_tokens",
    "total_input_cost_usd",
  ]);
}

/** The CSV has these columns, and says the same. */
function assertCsv<Row extends object>(
  text: string,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): void {
  const [head, ...lines] = text.trimEnd().split("\r\n");
  assert.equal(head, columns.join(","));
  const wanted = rows.map((row) =>
    columns.map((column) => {
      const value = row[column];
      return typeof value === "number" ? nano(value) : value;
    })
  );
  const found = lines.map((line) =>
    line.split(",").map((cell, i) => i === 0 ? cell : nano(Number(cell)))
  );
  assert.deepEqual(found, wanted, `CSV of ${columns[1]}`);
}

/** The file for other programs, behind a stop. */
export async function assertSavingsFile(
  dir: string,
  rows: readonly LoggedRequest[],
): Promise<void> {
  const text = await Deno.readTextFile(`${dir}/proxy_savings.json`);
  const file: SavingsDocument = JSON.parse(text);
  const saved = (sums: Sums) => ({
    requests: sums.requests,
    tokens_saved: sums.saved - sums.added,
    compression_savings_usd: sums.savedNet / 1e9,
    total_input_tokens: sums.input,
    total_input_cost_usd: sums.nanoUsd / 1e9,
  });
  assert.deepEqual(file.lifetime, saved(sumsOf(rows)));
  assertSession(file.display_session, lastSession(rows));
  const days = rollupOf(stepsOf(rows, "daily"));
  assert.deepEqual(
    file.history.map(({ provider: _, model: __, ...point }) => point),
    days.map((day) => ({
      timestamp: day.timestamp,
      total_tokens_saved: day.total_tokens_saved,
      compression_savings_usd: day.compression_savings_usd,
      total_input_tokens: day.total_input_tokens,
      total_input_cost_usd: day.total_input_cost_usd,
    })),
  );
  const projects = Object.entries(file.projects).map((
    [name, { savings_percent: _, ...sums }],
  ) => [name, sums] as const);
  const { project } = keptOf(rows).tables;
  assert.deepEqual(
    Object.fromEntries(projects),
    Object.fromEntries(
      Object.entries(project).map(([name, sums]) => [name, saved(sums)]),
    ),
  );
}
