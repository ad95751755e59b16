/** What each report says of requests, in the words of the plain sums. */
import assert from "node:assert/strict";
import type { Sums } from "../../src/core/ledger_reader.ts";
import type { HistoryBody } from "../../src/ledger/history.ts";
import type { LifetimeBody } from "../../src/ledger/lifetime_body.ts";
import type { LifetimeReport } from "../../src/ledger/cost_report.ts";
import type { StatsBody } from "../../src/ledger/stats_body.ts";
import type { SumsReport } from "../../src/ledger/sums.ts";
import { parseMetrics } from "../ledger/strict_metrics.ts";
import type { Kept, Run, Table } from "./day_truth.ts";

/** Whole nano-dollars. */
export function nano(usd: number): number {
  return Math.round(1e9 * usd);
}

/** The answers of one proxy, asked when nothing is under way. */
export interface Answers {
  readonly stats: StatsBody;
  readonly lifetime: LifetimeBody;
  readonly history: HistoryBody;
  readonly samples: ReadonlyMap<string, number>;
}

/** Asks a proxy for all reports. */
export async function answersOf(url: string): Promise<Answers> {
  const text = async (path: string) => {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    return await response.text();
  };
  return {
    stats: JSON.parse(await text("/stats")),
    lifetime: JSON.parse(await text("/stats-lifetime")),
    history: JSON.parse(await text("/stats-history?history_mode=full")),
    samples: parseMetrics(await text("/metrics")),
  };
}

/** Sums as reports write them; unknown is not 0. */
export function sumsIn(report: SumsReport): Sums {
  const { tokens_saved: saved, tokens_added: added } = report;
  assertUnknown(report);
  return {
    requests: report.requests,
    failed: report.failed,
    input: report.input_tokens,
    output: report.output_tokens,
    saved: saved + added,
    added,
    cacheRead: report.cache_read_tokens,
    cacheWrite: report.cache_write_tokens,
    nanoUsd: nano(report.total_cost_usd ?? 0),
    savedGross: nano(report.gross_savings_usd ?? 0),
    savedNet: nano(report.compression_savings_usd ?? 0),
    unpriced: report.unpriced_requests,
  };
}

/** Where nothing of what requests cost is known, no money is told. */
function assertUnknown(report: SumsReport): void {
  const { total_cost_usd: cost, unpriced_requests: unpriced } = report;
  assert.notEqual(unpriced > 0 && cost === 0, true, "unknown, not 0");
  if (cost !== null) return;
  assert(unpriced > 0);
  assert.deepEqual(
    [report.gross_savings_usd, report.compression_savings_usd],
    [null, null],
  );
}

function tableIn(
  reports: Readonly<Record<string, SumsReport>> = {},
): Table {
  return Object.fromEntries(
    Object.entries(reports).map(([name, report]) => [name, sumsIn(report)]),
  );
}

/** This run, as `/stats` says. */
export function runInStats(stats: StatsBody): Run {
  const { requests, tokens, cost, savings, prefix_stability: prefix } = stats;
  assertStatsAgree(stats);
  return {
    sums: {
      requests: requests.total,
      failed: requests.failed,
      input: tokens.input,
      output: tokens.output,
      saved: tokens.removed,
      added: tokens.added,
      cacheRead: tokens.billed.cache_read,
      cacheWrite: tokens.billed.cache_write,
      nanoUsd: nano(cost.total_cost_usd),
      savedGross: nano(cost.gross_savings_usd),
      savedNet: nano(cost.total_savings_usd),
      unpriced: cost.unpriced_requests,
    },
    tables: {
      provider: tableIn(savings.per_provider),
      model: tableIn(savings.per_model),
      project: tableIn(savings.per_project),
      stack: tableIn(savings.per_stack),
      agent: tableIn(stats.agent_usage),
    },
    outcomes: {
      cached: requests.cached,
      rate_limited: requests.rate_limited,
      refused_by_budget: requests.refused_by_budget,
      refused_by_rate_limit: requests.refused_by_rate_limit,
      aborted: requests.aborted,
    },
    verdicts: {
      first: prefix.first,
      extended: prefix.extended,
      client: prefix.client,
      decided: prefix.decided,
      ours: prefix.ours,
    },
    nanoUsd: {
      measured: nano(cost.measured_cost_usd),
      estimated: nano(cost.estimated_cost_usd),
    },
    furtherRequests: stats.retrievals.further_requests,
    timed: stats.latency.total_requests,
  };
}

/** Whatever stands in `/stats` more than once is the same. */
function assertStatsAgree(stats: StatsBody): void {
  const { requests, tokens, cost, summary, savings } = stats;
  const same: readonly (readonly [string, number, number | undefined])[] = [
    ["saved", tokens.saved, tokens.removed - tokens.added],
    ["layers", tokens.saved, savings.total_tokens],
    ["cost.total_tokens_saved", tokens.saved, cost.total_tokens_saved],
    ["by layer", tokens.saved, savings.by_layer.compression.tokens],
    ["by strategy", tokens.saved, total(stats.tokens_saved_by_strategy)],
    ["by tool", tokens.saved, total(stats.tokens_saved_by_tool)],
    ["added", tokens.added, addedIn(stats.tokens_saved_by_strategy)],
    ["added by tool", tokens.added, addedIn(stats.tokens_saved_by_tool)],
    ["times", stats.latency.total_requests, stats.ttfb.total_requests],
    ["overhead", stats.latency.total_requests, stats.overhead.total_requests],
    ["with", cost.total_cost_usd, summary.cost.with_svc_usd],
    ["without", cost.cost_without_svc_usd, summary.cost.without_svc_usd],
    ["net", cost.total_savings_usd, summary.cost.total_saved_usd],
    [
      "read",
      tokens.billed.cache_read,
      stats.prefix_cache.totals.cache_read_tokens,
    ],
    [
      "written",
      tokens.billed.cache_write,
      stats.prefix_cache.totals.cache_write_tokens,
    ],
    [
      "sent",
      requests.total - requests.cached - requests.refused_by_budget -
      requests.refused_by_rate_limit,
      summary.api_requests,
    ],
  ];
  for (const [what, a, b] of same) assert.equal(a, b, what);
  const tables = [
    [requests.by_provider, savings.per_provider],
    [requests.by_model, savings.per_model],
    [requests.by_stack, savings.per_stack],
    [requests.by_project, savings.per_project],
    [requests.by_agent, stats.agent_usage],
  ] as const;
  for (const [counts, sums = {}] of tables) {
    const of = Object.entries(sums).map(([name, { requests }]) =>
      [name, requests] as const
    );
    assert.deepEqual(counts, Object.fromEntries(of));
  }
}

function addedIn(table: Readonly<Record<string, number>> = {}): number {
  return 0 - (table["(added)"] ?? 0);
}

function total(table: Readonly<Record<string, number>> = {}): number {
  return Object.values(table).reduce((sum, value) => sum + value, 0);
}

/** All time, as `/stats-lifetime` says. */
export function keptInLifetime(body: LifetimeBody): Kept {
  const { requests, tokens, cost, prefix_cache: cache } = body;
  assert.equal(tokens.saved, tokens.removed - tokens.added);
  assert.equal(tokens.total_before_compression, tokens.input + tokens.saved);
  return {
    sums: {
      requests: requests.total,
      failed: requests.failed,
      input: tokens.input,
      output: tokens.output,
      saved: tokens.removed,
      added: tokens.added,
      cacheRead: cache.cache_read_tokens,
      cacheWrite: cache.cache_write_tokens,
      nanoUsd: nano(cost.total_cost_usd),
      savedGross: nano(cost.gross_savings_usd),
      savedNet: nano(cost.compression_savings_usd),
      unpriced: cost.unpriced_requests,
    },
    tables: {
      provider: tableIn(body.by_provider),
      model: tableIn(body.by_model),
      project: tableIn(body.projects),
      stack: tableIn(body.by_stack),
      agent: tableIn(body.by_agent),
    },
  };
}

/** What `/stats` and `/metrics` keep of all time: they do not know everything. */
export type Shortly = Omit<Sums, "failed" | "cacheRead" | "cacheWrite">;

/** Sums without what {@linkcode Shortly} does not know. */
export function shortly(sums: Sums): Shortly {
  const { failed: _, cacheRead: __, cacheWrite: ___, ...rest } = sums;
  return rest;
}

/** All time, as `/stats` says. */
export function keptInStats(report: LifetimeReport): Shortly {
  return {
    requests: report.requests,
    input: report.input_tokens,
    output: report.output_tokens,
    saved: report.tokens_saved + report.tokens_added,
    added: report.tokens_added,
    nanoUsd: nano(report.total_cost_usd),
    savedGross: nano(report.gross_savings_usd),
    savedNet: nano(report.compression_savings_usd),
    unpriced: report.unpriced_requests,
  };
}
