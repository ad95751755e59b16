/** One truth: what the ledger keeps, the stats report, the lifetime report, the history, its CSV and the metrics agree to the unit. */
import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import { historyBody } from "../../src/ledger/history.ts";
import { historyCsv } from "../../src/ledger/history_csv.ts";
import { lifetimeBody } from "../../src/ledger/lifetime_body.ts";
import { metricsText } from "../../src/ledger/metrics.ts";
import { NOON, standingClock } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { parseMetrics } from "./strict_metrics.ts";
import { sumsOf, traffic } from "./traffic.ts";

const RECORDS = traffic(91, 250);
const SUMS = sumsOf(RECORDS);
const SAVED = SUMS.saved - SUMS.added;
const nano = (usd: number) => Math.round(1e9 * usd);

/** Net tokens, prompt tokens, cost and net savings in nano-dollars. */
const TRUTH = [SAVED, SUMS.input, SUMS.nanoUsd, SUMS.savedNet];

async function reports() {
  await using ledger = openMemoryLedger({
    clock: standingClock(NOON + 86_400_000),
    budget: undefined,
  });
  for (const record of RECORDS) ledger.record(record);
  await ledger.flush();
  const { reader } = ledger;
  const stats = figures({ ...partsOf([]), report: ledger.report() });
  return {
    stats,
    lifetime: lifetimeBody(reader, ledger.state()),
    history: await historyBody({ reader, path: undefined, now: NOON }, "full"),
    csv: await historyCsv(reader, "daily"),
    points: await historyCsv(reader, "history"),
    samples: parseMetrics(await metricsText(stats, "1.0")),
  };
}

Deno.test("every report of a day of traffic says the same, to the token and the nano-dollar", async () => {
  const { stats, lifetime, history, csv, points, samples } = await reports();
  const { lifetime: kept } = stats.persistent_savings;
  const get = (name: string) => samples.get(`svc_${name}`) ?? NaN;
  const cost = get('cost_usd_total{basis="measured"}') +
    get('cost_usd_total{basis="estimated"}');
  const cells = csv.trimEnd().split("\r\n").at(-1)!.split(",").map(Number);
  const last = history.series.monthly.at(-1)!;
  const totals = (row: Omit<typeof history.lifetime, "total_tokens_saved">) => [
    row.tokens_saved,
    row.total_input_tokens,
    nano(row.total_input_cost_usd),
    nano(row.compression_savings_usd),
  ];
  const told: Readonly<Record<string, readonly number[]>> = {
    stats: [
      stats.tokens.saved,
      stats.tokens.input,
      nano(stats.cost.total_cost_usd),
      nano(stats.cost.total_savings_usd),
    ],
    kept: [
      kept.tokens_saved,
      kept.input_tokens,
      nano(kept.total_cost_usd),
      nano(kept.compression_savings_usd),
    ],
    lifetime: [
      lifetime.tokens.saved,
      lifetime.tokens.input,
      nano(lifetime.cost.total_cost_usd),
      nano(lifetime.cost.compression_savings_usd),
    ],
    history: totals(history.lifetime),
    session: totals(history.display_session),
    rollup: [
      last.total_tokens_saved,
      last.total_input_tokens,
      nano(last.total_input_cost_usd),
      nano(last.compression_savings_usd),
    ],
    csv: [cells[3]!, cells[6]!, nano(cells[8]!), nano(cells[4]!)],
    metrics: [
      get("tokens_saved_total") - get("tokens_added_total"),
      get("tokens_input_total"),
      nano(cost),
      nano(get("savings_net_usd")),
    ],
    keptMetrics: [
      get("persistent_savings_tokens_saved_total") -
      get("persistent_savings_tokens_added_total"),
      get("persistent_savings_input_tokens_total"),
      nano(get("persistent_savings_cost_usd_total")),
      nano(get("persistent_savings_compression_savings_usd_total")),
    ],
  };
  for (const [name, figures] of Object.entries(told)) {
    assert.deepEqual(figures, TRUTH, name);
  }
  assert.equal(
    points.trimEnd().split("\r\n").length,
    1 + history.history.length,
  );
});

Deno.test("tables of the run and of all time have the same rows", async () => {
  const { stats, lifetime } = await reports();
  const pairs = [
    [stats.savings.per_project, lifetime.projects],
    [stats.savings.per_model, lifetime.by_model],
    [stats.savings.per_stack, lifetime.by_stack],
    [stats.savings.per_provider, lifetime.by_provider],
    [stats.agent_usage, lifetime.by_agent],
  ] as const;
  for (const [run, all] of pairs) assert.deepEqual(run, all);
  const saved = (table: typeof lifetime.by_kind = {}) =>
    Object.fromEntries(
      Object.entries(table).map(([name, row]) => [name, row.tokens_saved]),
    );
  assert.deepEqual(stats.tokens_saved_by_strategy, saved(lifetime.by_kind));
  assert.deepEqual(stats.tokens_saved_by_tool, saved(lifetime.by_tool));
});
