/** What one run of the proxy counts, in the names of the wire. @module */
import type { BudgetState } from "../core/cost.ts";
import type { CompressionReport, FreshReport } from "./compression_counts.ts";
import type {
  CostReport,
  LifetimeCounts,
  LifetimeReport,
} from "./cost_report.ts";
import type { DurationBucket, DurationReport } from "./durations.ts";
import type { PrefixCachesReport } from "./prefix_cache.ts";
import type { PrefixStabilityReport } from "./prefix_stability.ts";
import type { RetrievalsReport } from "./shapes.ts";
import type { SumsReport } from "./sums.ts";

/** What is not counted by one run but stands in its report. */
export interface KeptFigures {
  /** What is in the file. */
  readonly lifetime: LifetimeCounts;
  /** Spend; `undefined` without a budget. */
  readonly budget: BudgetState | undefined;
}

/** Requests by outcome. Each table sums up to `total`, and is missing for callers that are not trusted. */
export interface RequestsReport {
  /** Finished requests, however they ended. */
  readonly total: number;
  /** Answered from the response cache. */
  readonly cached: number;
  /** Met a rate limit, here or at the provider. */
  readonly rate_limited: number;
  /** Ended with a 5xx status. */
  readonly failed: number;
  /** Refused because the budget is used up. */
  readonly refused_by_budget: number;
  /** Refused because the limit of requests per minute is reached. */
  readonly refused_by_rate_limit: number;
  /** The client left before the end (status 499). */
  readonly aborted: number;
  /** By provider format. */
  readonly by_provider?: Readonly<Record<string, number>>;
  /** By model; `unknown` where the body named none, as in the other tables. */
  readonly by_model?: Readonly<Record<string, number>>;
  /** By `x-svc-stack`. */
  readonly by_stack?: Readonly<Record<string, number>>;
  /** By project. */
  readonly by_project?: Readonly<Record<string, number>>;
  /** By product name of the client. */
  readonly by_agent?: Readonly<Record<string, number>>;
}

/** Tokens of this run. Percentages say of what. */
export interface TokensReport {
  /** Prompt tokens that went upstream: as billed, else as sent. Cached ones included. */
  readonly input: number;
  /** Generated tokens, as billed. */
  readonly output: number;
  /** Net tokens: `removed` less `added`. */
  readonly saved: number;
  /** All that the retrieval tool's definition and what it gave back added. */
  readonly added: number;
  /** Gross tokens: what compression took away. */
  readonly removed: number;
  /** As `saved`: compression is the only layer that takes tokens out. */
  readonly proxy_compression_saved: number;
  /** As `saved`. */
  readonly all_layers_saved: number;
  /** `input + saved`: what would have been sent. */
  readonly total_before_compression: number;
  /** As `total_before_compression`. */
  readonly proxy_total_before_compression: number;
  /** Tokens of the tool results that were met for the first time and counted. */
  readonly proxy_attempted_tokens: number;
  /** `saved` of `total_before_compression`, in percent. */
  readonly savings_percent: number;
  /** As `savings_percent`. */
  readonly proxy_savings_percent: number;
  /** As `savings_percent`. */
  readonly all_layers_savings_percent: number;
  /** What their forms save once, of `proxy_attempted_tokens`, in percent. */
  readonly active_savings_percent: number;
  /** What providers said; the rest of `input` is by our count. */
  readonly billed: BilledReport;
}

/** Tokens by the providers' count only. */
export interface BilledReport {
  /** Requests whose prompt was reported. */
  readonly requests: number;
  /** Their prompt tokens, cached ones included. */
  readonly input: number;
  /** Generated tokens. */
  readonly output: number;
  /** Prompt tokens read from caches. */
  readonly cache_read: number;
  /** Prompt tokens written to caches. */
  readonly cache_write: number;
}

/** Where savings come from. */
export interface SavingsReport {
  /** Net tokens, as `tokens.saved`. */
  readonly total_tokens: number;
  /** Each table sums up to the totals, and is missing for callers that are not trusted. */
  readonly per_project?: Readonly<Record<string, SumsReport>>;
  /** By model. */
  readonly per_model?: Readonly<Record<string, SumsReport>>;
  /** By `x-svc-stack`. */
  readonly per_stack?: Readonly<Record<string, SumsReport>>;
  /** By provider format. */
  readonly per_provider?: Readonly<Record<string, SumsReport>>;
  /** By layer. */
  readonly by_layer: {
    /** Compression of tool results. */
    readonly compression: {
      /** Net tokens. */
      readonly tokens: number;
      /** As `tokens`. */
      readonly all_layers_tokens: number;
      /** Net money. */
      readonly savings_usd: number;
    };
    /** The provider's cache: its discount is there with and without svc, and in no other saving. */
    readonly prefix_cache: {
      /** As `prefix_cache.totals.net_savings_usd`; missing where prices are not known. */
      readonly discount_usd?: number;
    };
    /** Answers from memory. */
    readonly response_cache: {
      /** Requests that were not sent; what they would have cost nobody knows. */
      readonly requests: number;
    };
  };
}

/** What one run counts, and what stands beside it: the part of `GET /stats` that the ledger knows. */
export interface StatsReport {
  /** Requests by outcome. */
  readonly requests: RequestsReport;
  /** By product name of the client; missing for callers that are not trusted. */
  readonly agent_usage?: Readonly<Record<string, SumsReport>>;
  /** Where savings come from. */
  readonly savings: SavingsReport;
  /** Tokens. */
  readonly tokens: TokensReport;
  /** Whole duration of requests whose answer began upstream; all three durations are of the same requests. */
  readonly latency: DurationReport;
  /** What this service added to it before it sent them. */
  readonly overhead: DurationReport & {
    /** A histogram of it. */
    readonly buckets: readonly DurationBucket[];
  };
  /** Time to the first byte of the response. */
  readonly ttfb: DurationReport;
  /** Providers' prompt caches. */
  readonly prefix_cache: PrefixCachesReport;
  /** How requests went on from those before them. */
  readonly prefix_stability: PrefixStabilityReport;
  /** Requests that compression changed, or not. */
  readonly compressed: CompressionReport;
  /** Tool results that were met for the first time. */
  readonly new_tool_results: FreshReport;
  /** Requests in which each compressor or pass took part. */
  readonly compressions_by_strategy: Readonly<Record<string, number>>;
  /**
   * Tokens that forms kept from being sent, by compressor; a form counts each time it is sent. `(added)` is
   * `tokens.added`, below zero: the sum is `tokens.saved`, that of the others `tokens.removed`.
   */
  readonly tokens_saved_by_strategy: Readonly<Record<string, number>>;
  /** The same by tool; missing for callers that are not trusted. */
  readonly tokens_saved_by_tool?: Readonly<Record<string, number>>;
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
