/** What a proxy says about itself, in camel case. @module */

/** How the proxy is. */
export interface HealthStatus {
  /** `healthy`, or `unhealthy` where a part does not work. */
  readonly status: string;
  /** Version of svc. */
  readonly version: string;
  /** Whether every part is ready. */
  readonly ready: boolean;
  /** Seconds since it was started. */
  readonly uptimeSeconds: number;
  /** Its time, ISO 8601. */
  readonly timestamp: string;
  /** Its parts by name. */
  readonly checks: Readonly<Record<string, HealthPart>>;
  /** Settings in force; absent for callers that are not trusted. */
  readonly config?: HealthConfig;
  /** Whatever else it says, in its own names. */
  readonly [name: string]: unknown;
}

/** State of one part of the proxy. */
export interface HealthPart {
  /** Whether it is in use. */
  readonly enabled: boolean;
  /** Whether it works. */
  readonly ready: boolean;
  /** In a word. */
  readonly status: string;
  /** Whatever else is known of it, in the names of the wire. */
  readonly [fact: string]: unknown;
}

/** Settings in force. */
export interface HealthConfig {
  /** Whether it compresses. */
  readonly optimize: boolean;
  /** Whether it answers repeated requests from memory. */
  readonly cache: boolean;
  /** Whether it limits requests per minute. */
  readonly rateLimit: boolean;
  /** Whatever else is set, in the names of the wire. */
  readonly [name: string]: unknown;
}

/** Requests by outcome. */
export interface RequestCounts {
  /** Finished requests. */
  readonly total: number;
  /** Answered from memory. */
  readonly cached: number;
  /** Met a rate limit. */
  readonly rateLimited: number;
  /** Ended with a 5xx status. */
  readonly failed: number;
  /** By provider format; absent for callers that are not trusted, like the other tables. */
  readonly byProvider?: Readonly<Record<string, number>>;
  /** By model. */
  readonly byModel?: Readonly<Record<string, number>>;
  /** By what clients call their stack. */
  readonly byStack?: Readonly<Record<string, number>>;
  /** By project. */
  readonly byProject?: Readonly<Record<string, number>>;
  /** By product name of the client. */
  readonly byAgent?: Readonly<Record<string, number>>;
  /** Whatever else is counted. */
  readonly [name: string]: unknown;
}

/** Tokens of a run. */
export interface TokenCounts {
  /** Prompt tokens that went upstream. */
  readonly input: number;
  /** Generated tokens. */
  readonly output: number;
  /** Tokens that did not have to be sent. */
  readonly saved: number;
  /** What would have been sent. */
  readonly totalBeforeCompression: number;
  /** `saved` of `totalBeforeCompression`, in percent. */
  readonly savingsPercent: number;
  /** Whatever else is counted. */
  readonly [name: string]: unknown;
}

/** Durations in milliseconds. */
export interface Durations {
  /** Mean. */
  readonly averageMs: number;
  /** Shortest. */
  readonly minMs: number;
  /** Longest. */
  readonly maxMs: number;
  /** Whatever else is known, e.g. `p95Ms`. */
  readonly [name: string]: unknown;
}

/** Statistics of a run of the proxy: the most used members; all others are there in the names of the wire. */
export interface ProxyStats {
  /** Requests. */
  readonly requests: RequestCounts;
  /** Tokens. */
  readonly tokens: TokenCounts;
  /** Whole duration of requests. */
  readonly latency: Durations;
  /** What svc added to it. */
  readonly overhead: Durations;
  /** Time to the first byte. */
  readonly ttfb: Durations;
  /** Finished requests, newest first; absent for callers that are not trusted. */
  readonly recentRequests?: readonly RequestMetrics[];
  /** Whatever else is reported, in the names of the wire. */
  readonly [name: string]: unknown;
}

/** One finished request. */
export interface RequestMetrics {
  /** Names the request. */
  readonly requestId: string;
  /** When it came, ISO 8601. */
  readonly timestamp: string;
  /** Provider format. */
  readonly provider: string;
  /** As sent upstream. */
  readonly model: string;
  /** Project it belongs to. */
  readonly project: string;
  /** HTTP status. */
  readonly status: number;
  /** Prompt tokens as received. */
  readonly inputTokensOriginal: number;
  /** Prompt tokens as sent. */
  readonly inputTokensOptimized: number;
  /** Generated tokens; `null` when nobody said. */
  readonly outputTokens: number | null;
  /** Net tokens saved. */
  readonly tokensSaved: number;
  /** In percent. */
  readonly savingsPercent: number;
  /** What was done. */
  readonly transformsApplied: readonly string[];
  /** Whatever else is known. */
  readonly [name: string]: unknown;
}

/** A few figures of a run. */
export interface MetricsSummary {
  /** Finished requests. */
  readonly totalRequests: number;
  /** Prompt tokens that would have been sent. */
  readonly totalTokensBefore: number;
  /** Prompt tokens that were sent. */
  readonly totalTokensAfter: number;
  /** Difference of the two. */
  readonly totalTokensSaved: number;
  /** Tokens after by tokens before: 1 where nothing was saved. */
  readonly averageCompressionRatio: number;
  /** Requests by model. */
  readonly models: Readonly<Record<string, number>>;
  /** Requests that failed. */
  readonly errorCount: number;
  /** Requests that were answered from memory. */
  readonly cacheHits: number;
}

/** The store of originals. */
export interface CcrStats {
  /** Its figures. */
  readonly store: {
    /** Originals in it. */
    readonly entryCount: number;
    /** Bytes that they take. */
    readonly bytes: number;
    /** Bytes that they may take. */
    readonly maxBytes: number;
    /** Seconds that one is kept after its last use. */
    readonly defaultTtlSeconds: number;
    /** Tokens of the originals. */
    readonly totalOriginalTokens: number;
    /** Tokens of what stands for them. */
    readonly totalCompressedTokens: number;
    /** How often one was asked for. */
    readonly totalRetrievals: number;
    /** Whatever else is known. */
    readonly [name: string]: unknown;
  };
  /** What was asked for last. */
  readonly recentRetrievals: readonly Readonly<Record<string, unknown>>[];
}

const DURATIONS = known(
  ...["sum_ms", "average_ms", "min_ms", "max_ms", "total_requests"],
  ...["p50_ms", "p90_ms", "p95_ms", "p99_ms"],
);

const METRICS = known(
  ...["request_id", "input_tokens_original", "input_tokens_optimized"],
  ...["output_tokens", "tokens_saved", "savings_percent"],
  ...["optimization_latency_ms", "total_latency_ms", "transforms_applied"],
);

const HEALTH: KnownFields = {
  uptime_seconds: true,
  config: known("rate_limit"),
};

const STATS: KnownFields = {
  requests: known(
    ...["rate_limited", "refused_by_budget", "refused_by_rate_limit"],
    ...["by_provider", "by_model", "by_stack", "by_project", "by_agent"],
  ),
  tokens: known("total_before_compression", "savings_percent"),
  latency: DURATIONS,
  overhead: DURATIONS,
  ttfb: DURATIONS,
  recent_requests: METRICS,
};

const CCR: KnownFields = {
  store: known(
    ...["entry_count", "max_entries", "max_bytes", "default_ttl_seconds"],
    ...["total_original_tokens", "total_compressed_tokens"],
    ...["total_retrievals", "event_count"],
  ),
  recent_retrievals: known(
    ...["items_retrieved", "total_items", "tool_name", "retrieval_type"],
  ),
};

/** Reads the answer of `/health`. */
export function healthStatus(body: unknown): HealthStatus {
  return renamed(body, HEALTH) as HealthStatus;
}

/** Reads the answer of `/stats`. */
export function proxyStats(body: unknown): ProxyStats {
  return renamed(body, STATS) as ProxyStats;
}

/** Reads the answer of `/v1/retrieve/stats`. */
export function ccrStats(body: unknown): CcrStats {
  return renamed(body, CCR) as CcrStats;
}

/** Picks a few figures. */
export function metricsSummary(
  { requests, tokens }: ProxyStats,
): MetricsSummary {
  const before = tokens.totalBeforeCompression;
  const after = before - tokens.saved;
  return {
    totalRequests: requests.total,
    totalTokensBefore: before,
    totalTokensAfter: after,
    totalTokensSaved: tokens.saved,
    averageCompressionRatio: before === 0 ? 1 : after / before,
    models: requests.byModel ?? {},
    errorCount: requests.failed,
    cacheHits: requests.cached,
  };
}

/** Members that are known, in the names of the wire; those whose value is a list of members are looked into. */
export interface KnownFields {
  /** `true`: renamed, its value stays as it is. */
  readonly [wireName: string]: true | KnownFields;
}

/**
 * Renames known members. All others stay as they are, and so do tables whose keys are somebody's own words: models,
 * projects, tools.
 *
 * @param value An object, or a list of such.
 * @param fields What is renamed.
 */
export function renamed(value: unknown, fields: KnownFields): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, fields));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (known === undefined) return [name, member];
      return [camel(name), known === true ? member : renamed(member, known)];
    }),
  );
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
}

/** Makes a list of members that are renamed and not looked into. */
export function known(...names: readonly string[]): KnownFields {
  return Object.fromEntries(names.map((name) => [name, true]));
}
