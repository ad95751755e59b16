/** What each report says of requests, in the words of the plain sums. */
import assert from "node:assert/strict";
import { denoIo } from "../../src/cli/deno_io.ts";
import { runCli } from "../../src/cli/run.ts";
import type { Sums } from "../../src/core/ledger_reader.ts";
import type { LifetimeBody } from "../../src/ledger/lifetime_body.ts";
import type { StatsBody } from "../../src/ledger/stats_body.ts";
import type { SumsReport } from "../../src/ledger/sums.ts";
import { fakeIo } from "../cli/fake_io.ts";
import { parseMetrics } from "../ledger/strict_metrics.ts";
import type { Kept, Table } from "./day_truth.ts";

/** Sums as far as a report has them. */
export type Said = Partial<Sums>;

/** Whole nano-dollars. */
export function nano(usd: number): number {
  return Math.round(1e9 * usd);
}

/** Sums as reports write them; unknown is not 0. */
function sumsIn(report: SumsReport): Sums {
  const { tokens_saved: saved, tokens_added: added } = report;
  const { total_cost_usd: cost, unpriced_requests: unpriced } = report;
  assert.notEqual(unpriced > 0 && cost === 0, true, "unknown, not 0");
  if (cost === null) {
    assert(unpriced > 0);
    assert.deepEqual(
      [report.gross_savings_usd, report.compression_savings_usd],
      [null, null],
    );
  }
  return {
    requests: report.requests,
    failed: report.failed,
    input: report.input_tokens,
    output: report.output_tokens,
    saved: saved + added,
    added,
    cacheRead: report.cache_read_tokens,
    cacheWrite: report.cache_write_tokens,
    nanoUsd: nano(cost ?? 0),
    savedGross: nano(report.gross_savings_usd ?? 0),
    savedNet: nano(report.compression_savings_usd ?? 0),
    unpriced,
  };
}

function tableIn(reports: Readonly<Record<string, SumsReport>> = {}): Table {
  return Object.fromEntries(
    Object.entries(reports).map(([name, report]) => [name, sumsIn(report)]),
  );
}

/** This run, as `/stats` says, and what it counts besides. */
export function runInStats(stats: StatsBody) {
  const { requests, tokens, cost, savings, prefix_stability: prefix } = stats;
  const kept: Kept = {
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
  };
  const counts = {
    cached: requests.cached,
    rate_limited: requests.rate_limited,
    refused_by_budget: requests.refused_by_budget,
    refused_by_rate_limit: requests.refused_by_rate_limit,
    aborted: requests.aborted,
    first: prefix.first,
    extended: prefix.extended,
    client: prefix.client,
    decided: prefix.decided,
    ours: prefix.ours,
    measured: nano(cost.measured_cost_usd),
    furtherRequests: stats.retrievals.further_requests,
    timed: stats.latency.total_requests,
  };
  return { kept, counts };
}

/** All time, as `/stats-lifetime` says. */
export function keptInLifetime(body: LifetimeBody): Kept {
  const { requests, tokens, cost, prefix_cache: cache } = body;
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

/** This run, as `/metrics` says. */
export function runInMetrics(text: string): Sums {
  const samples = parseMetrics(text);
  const all = (name: string) =>
    [...samples].filter(([key]) => key.split("{")[0] === `svc_${name}`)
      .reduce((sum, [, value]) => sum + value, 0);
  return {
    requests: all("requests_total"),
    failed: all("requests_failed_total"),
    input: all("tokens_input_total"),
    output: all("tokens_output_total"),
    saved: all("tokens_saved_total"),
    added: all("tokens_added_total"),
    cacheRead: all("cache_read_tokens_total"),
    cacheWrite: all("cache_write_tokens_total"),
    nanoUsd: nano(all("cost_usd_total")),
    savedGross: nano(all("savings_gross_usd")),
    savedNet: nano(all("savings_net_usd")),
    unpriced: all("unpriced_requests_total"),
  };
}

/** Savings as they are written for other programs: what was added is taken off. */
interface Savings {
  readonly requests: number;
  readonly tokens_saved: number;
  readonly compression_savings_usd: number;
  readonly total_input_tokens: number;
  readonly total_input_cost_usd: number;
}

/** Sums in a history, or in the file for other programs. */
export function savingsIn(report: Savings): Said {
  return {
    requests: report.requests,
    saved: report.tokens_saved,
    savedNet: nano(report.compression_savings_usd),
    input: report.total_input_tokens,
    nanoUsd: nano(report.total_input_cost_usd),
  };
}

/** What a command prints about the workspace in `dir`. */
export async function printed(
  { dir, now }: { readonly dir: string; readonly now: number },
  line: string,
): Promise<string> {
  const { openLedger, openOriginals } = denoIo();
  const env = { SVC_WORKSPACE_DIR: dir };
  const io = fakeIo({ env, openLedger, openOriginals, now: () => now });
  assert.equal(await runCli(line.split(" "), io), 0, `${line}: ${io.err()}`);
  return io.out();
}
