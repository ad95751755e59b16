/** The stats report in the names of the wire. @module */
import type { BudgetState } from "../core/cost.ts";
import {
  type CostCounts,
  type CostReport,
  costReport,
  type LifetimeCounts,
  type LifetimeReport,
  lifetimeReport,
} from "./cost_report.ts";
import type { RetrievalsReport, ShapeCounts } from "./shapes.ts";

/** Running sums of one kind of sample, in milliseconds. */
export interface Samples {
  /** Sum of all samples. */
  sum: number;
  /** How many there were. */
  count: number;
  /** Smallest; `Infinity` when there was none. */
  min: number;
  /** Largest. */
  max: number;
}

/** What one provider's prompt cache did. */
export interface PrefixCacheCounts {
  /** Requests with a bill. */
  requests: number;
  /** Those of them that read the cache. */
  hits: number;
  /** Tokens read from it. */
  read: number;
  /** Tokens written to it. */
  written: number;
  /** Prompt tokens that were neither. */
  uncached: number;
}

/** What the ledger counts. */
export interface LedgerCounts {
  /** Finished requests. */
  total: number;
  /** Those that were answered from the response cache. */
  cached: number;
  /** Those that ended with a 5xx status. */
  failed: number;
  /** Those that met a rate limit. */
  rateLimited: number;
  /** Those that were refused because the budget is used up. */
  refusedByBudget: number;
  /** Prompt tokens. */
  input: number;
  /** Generated tokens. */
  output: number;
  /** Tokens that compression kept from being sent, over requests that gained. */
  saved: number;
  /** Tokens that our tool and its answers added, over requests that lost. */
  added: number;
  /** Whole duration of requests. */
  readonly latency: Samples;
  /** The part of it that this service added. */
  readonly overhead: Samples;
  /** Requests by provider format. */
  readonly byProvider: Map<string, number>;
  /** Requests by model. */
  readonly byModel: Map<string, number>;
  /** Uses of compressors and passes. */
  readonly byStrategy: Map<string, number>;
  /** Blocks left alone, by reason. */
  readonly leftAlone: Map<string, number>;
  /** Requests in which blocks of older turns got forms, by reason. */
  readonly olderDecided: Map<string, number>;
  /** Prompt cache by provider format. */
  readonly prefixCache: Map<string, PrefixCacheCounts>;
  /** Money. */
  readonly costs: CostCounts;
  /** Forms made and originals given back. */
  readonly shapes: ShapeCounts;
}

/** What is not counted by one run but stands in its report. */
export interface KeptFigures {
  /** What is in the file. */
  readonly lifetime: LifetimeCounts;
  /** Spend; `undefined` without a budget. */
  readonly budget: BudgetState | undefined;
}

/** Milliseconds; all zero when there was no sample. */
export interface DurationReport {
  /** Sum of all samples. */
  readonly sum_ms: number;
  /** Arithmetic mean. */
  readonly average_ms: number;
  /** Smallest. */
  readonly min_ms: number;
  /** Largest. */
  readonly max_ms: number;
  /** Number of samples. */
  readonly total_requests: number;
}

/** Tokens of a prompt cache. */
export interface PrefixCacheReport {
  /** Requests with a bill. */
  readonly requests: number;
  /** Those that read the cache. */
  readonly hit_requests: number;
  /** `hit_requests` per request, in percent. */
  readonly request_hit_rate: number;
  /** Tokens read per prompt token, in percent. */
  readonly hit_rate: number;
  /** Tokens read. */
  readonly cache_read_tokens: number;
  /** Tokens written. */
  readonly cache_write_tokens: number;
  /** Prompt tokens that were neither. */
  readonly uncached_input_tokens: number;
}

/** Body of `GET /stats`. */
export interface StatsReport {
  /** Requests by outcome. The tables are missing for callers that are not trusted. */
  readonly requests: {
    readonly total: number;
    readonly cached: number;
    readonly rate_limited: number;
    readonly failed: number;
    readonly refused_by_budget: number;
    readonly by_provider?: Readonly<Record<string, number>>;
    readonly by_model?: Readonly<Record<string, number>>;
  };
  /** Tokens; `saved` is what is left after `added`, and `savings_percent` is of what would have been sent. */
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly saved: number;
    readonly added: number;
    readonly savings_percent: number;
  };
  /** Whole duration of requests. */
  readonly latency: DurationReport;
  /** What this service added to it. */
  readonly overhead: DurationReport;
  /** Providers' prompt caches. */
  readonly prefix_cache: {
    readonly totals: PrefixCacheReport;
    readonly by_provider?: Readonly<Record<string, PrefixCacheReport>>;
  };
  /** Uses of each compressor and pass. */
  readonly compressions_by_strategy: Readonly<Record<string, number>>;
  /** Tool results left alone, each counted when it is first met, by reason. */
  readonly left_alone_by_reason: Readonly<Record<string, number>>;
  /** Requests in which tool results of older turns got forms, by reason. */
  readonly older_decided_by_reason: Readonly<Record<string, number>>;
  /** Forms made, and originals that were asked for. */
  readonly retrievals: RetrievalsReport;
  /** Money of this run, and the budget. */
  readonly cost: CostReport;
  /** What survives restarts. */
  readonly persistent_savings: { readonly lifetime: LifetimeReport };
}

/** The report of `counts` and of what is kept besides; shares nothing with them. */
export function toReport(
  counts: LedgerCounts,
  { lifetime, budget }: KeptFigures,
): StatsReport {
  const saved = counts.saved - counts.added;
  return {
    requests: {
      total: counts.total,
      cached: counts.cached,
      rate_limited: counts.rateLimited,
      failed: counts.failed,
      refused_by_budget: counts.refusedByBudget,
      by_provider: Object.fromEntries(counts.byProvider),
      by_model: Object.fromEntries(counts.byModel),
    },
    tokens: {
      input: counts.input,
      output: counts.output,
      saved,
      added: counts.added,
      savings_percent: percent(saved, counts.input + saved),
    },
    latency: duration(counts.latency),
    overhead: duration(counts.overhead),
    prefix_cache: {
      totals: prefixCache(sumOf(counts.prefixCache.values())),
      by_provider: Object.fromEntries(
        [...counts.prefixCache].map(([name, row]) => [name, prefixCache(row)]),
      ),
    },
    compressions_by_strategy: Object.fromEntries(counts.byStrategy),
    left_alone_by_reason: Object.fromEntries(counts.leftAlone),
    older_decided_by_reason: Object.fromEntries(counts.olderDecided),
    retrievals: counts.shapes.report(),
    cost: costReport(counts.costs, budget),
    persistent_savings: { lifetime: lifetimeReport(lifetime) },
  };
}

/** The report for callers that may not learn which providers and models are in use. */
export function withhold(report: StatsReport): StatsReport {
  const { by_provider: _p, by_model: _m, ...requests } = report.requests;
  const { by_tool: _t, ...retrievals } = report.retrievals;
  const { per_model: _c, ...cost } = report.cost;
  return {
    ...report,
    requests,
    retrievals,
    cost,
    prefix_cache: { totals: report.prefix_cache.totals },
  };
}

function duration({ sum, count, min, max }: Samples): DurationReport {
  return {
    sum_ms: round(sum),
    average_ms: count === 0 ? 0 : round(sum / count),
    min_ms: count === 0 ? 0 : round(min),
    max_ms: round(max),
    total_requests: count,
  };
}

function prefixCache(row: PrefixCacheCounts): PrefixCacheReport {
  return {
    requests: row.requests,
    hit_requests: row.hits,
    request_hit_rate: percent(row.hits, row.requests),
    hit_rate: percent(row.read, row.read + row.written + row.uncached),
    cache_read_tokens: row.read,
    cache_write_tokens: row.written,
    uncached_input_tokens: row.uncached,
  };
}

function sumOf(rows: Iterable<PrefixCacheCounts>): PrefixCacheCounts {
  const sum = { requests: 0, hits: 0, read: 0, written: 0, uncached: 0 };
  for (const row of rows) {
    sum.requests += row.requests;
    sum.hits += row.hits;
    sum.read += row.read;
    sum.written += row.written;
    sum.uncached += row.uncached;
  }
  return sum;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : round(100 * part / whole);
}

/** Two decimals: more would be noise. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
