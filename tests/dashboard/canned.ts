/** Answers of the shapes that the proxy gives, of one made-up day of work. @module */
import type {
  Health,
  Lifetime,
  Stats,
  SumsReport,
} from "../../dashboard/api.ts";

/** The moment of all answers. */
export const NOW = "2026-10-14T14:20:00.000Z";

/** What nothing adds up to. */
export const NO_SUMS: SumsReport = {
  requests: 0,
  failed: 0,
  input_tokens: 0,
  output_tokens: 0,
  tokens_saved: 0,
  tokens_added: 0,
  savings_percent: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  total_cost_usd: 0,
  compression_savings_usd: 0,
  gross_savings_usd: 0,
  unpriced_requests: 0,
};

/** Sums from the few figures that matter. */
function sums(
  requests: number,
  input: number,
  saved: number,
  money: readonly [cost: number, net: number],
): SumsReport {
  return {
    ...NO_SUMS,
    requests,
    input_tokens: input,
    tokens_saved: saved,
    savings_percent: Math.round(10_000 * saved / (input + saved)) / 100,
    total_cost_usd: money[0],
    compression_savings_usd: money[1],
    gross_savings_usd: money[1] * 1.31,
  };
}

function times(p50: number, p90: number, p99: number, max: number) {
  return {
    sum_ms: p50 * 1204,
    average_ms: p50 * 1.1,
    min_ms: p50 / 4,
    max_ms: max,
    p50_ms: p50,
    p90_ms: p90,
    p95_ms: (p90 + p99) / 2,
    p99_ms: p99,
    total_requests: 1204,
  };
}

/** Body of `/stats` after some work. */
export const STATS: Stats = {
  summary: {
    mode: "cache",
    api_requests: 1187,
    primary_model: "claude-sonnet-4-5",
    compression: {
      requests_compressed: 861,
      avg_compression_pct: 24.1,
      best_compression_pct: 81.2,
      best_detail: "12000 to 2256 tokens",
      total_tokens_removed: 8_412_905,
      total_tokens_before: 33_120_000,
    },
    uncompressed_requests: { too_small: 201, no_compressible_content: 125 },
    cost: {
      without_svc_usd: 39.71,
      with_svc_usd: 27.3021,
      total_saved_usd: 12.4079,
      savings_pct: 31.25,
      breakdown: {
        compression_savings_usd: 12.4079,
        gross_savings_usd: 25.2387,
        cache_savings_usd: 71.05,
      },
    },
    mcp: {
      compressions: 0,
      retrievals: 0,
      tokens_saved: 0,
      tokens_retrieved: 0,
      tokens_removed: 0,
    },
  },
  requests: {
    total: 1204,
    cached: 9,
    rate_limited: 3,
    failed: 6,
    refused_by_budget: 5,
    refused_by_rate_limit: 3,
    aborted: 14,
  },
  tokens: {
    input: 27_530_112,
    output: 410_220,
    saved: 8_412_905,
    added: 61_204,
    removed: 8_474_109,
    proxy_compression_saved: 8_412_905,
    all_layers_saved: 8_412_905,
    total_before_compression: 35_943_017,
    proxy_total_before_compression: 35_943_017,
    proxy_attempted_tokens: 4_120_000,
    savings_percent: 23.41,
    proxy_savings_percent: 23.41,
    all_layers_savings_percent: 23.41,
    active_savings_percent: 51.2,
    billed: {
      requests: 1170,
      input: 27_101_000,
      output: 410_220,
      cache_read: 24_980_031,
      cache_write: 1_801_774,
    },
  },
  latency: times(4120, 11_300, 38_420, 92_030),
  overhead: { ...times(2.31, 6.8, 31.4, 118), buckets: [] },
  ttfb: times(1240, 2810, 6900, 14_020),
  prefix_cache: {
    totals: {
      requests: 1170,
      hit_requests: 1122,
      request_hit_rate: 95.9,
      hit_rate: 92.17,
      cache_read_tokens: 24_980_031,
      cache_write_tokens: 1_801_774,
      cache_write_5m_tokens: 1_801_774,
      cache_write_1h_tokens: 0,
      cache_write_5m_requests: 1100,
      cache_write_1h_requests: 0,
      uncached_input_tokens: 319_195,
      observed_ttl_mix: "5m",
      savings_usd: 72.4,
      write_premium_usd: 1.35,
      net_savings_usd: 71.05,
      unpriced_tokens: 0,
    },
  },
  prefix_stability: {
    compared: 1101,
    first: 86,
    extended: 1042,
    client: 51,
    decided: 8,
    ours: 0,
    previous_bytes: 102_400_000,
    equal_bytes: 101_683_200,
    equal_percent: 99.3,
    last_ours: null,
  },
  new_tool_results: {
    blocks: 2841,
    counted_blocks: 1902,
    compressed_blocks: 1210,
    tokens_before: 4_120_000,
    tokens_after: 2_010_000,
    compressed_tokens_before: 3_200_000,
    compressed_tokens_after: 1_090_000,
  },
  left_alone_by_reason: {
    too_small: 1204,
    file_read: 311,
    not_smaller: 96,
    asked_for: 4,
  },
  tokens_saved_by_strategy: {
    "log": 3_402_118,
    "json": 2_110_540,
    "search_results": 1_504_003,
    "wrapped:json": 702_281,
    "source_code": 488_902,
    "diff": 201_040,
    "table": 65_225,
    "(added)": -61_204,
  },
  tokens_saved_by_tool: {
    "Bash": 4_402_118,
    "Grep": 1_604_003,
    "mcp__github__list_issues": 1_410_540,
    "WebFetch": 802_281,
    "Read": 255_167,
    "(added)": -61_204,
  },
  savings: {
    total_tokens: 8_412_905,
    per_model: {
      "claude-sonnet-4-5": sums(902, 21_400_120, 6_810_204, [19.9, 9.71]),
      "claude-haiku-4-5": sums(204, 3_910_002, 1_102_701, [1.2, 0.4421]),
      "gpt-5.2": sums(81, 2_219_990, 500_210, [6.2021, 2.2558]),
      "gpt-5.2-preview": {
        ...sums(12, 310_000, 20_010, [0.41, 0.0121]),
        unpriced_requests: 5,
      },
      "my-unknown-model": {
        ...sums(12, 120_000, -210, [0, 0]),
        total_cost_usd: null,
        compression_savings_usd: null,
        gross_savings_usd: null,
        unpriced_requests: 12,
      },
    },
    per_project: {
      "storefront": sums(702, 16_400_120, 5_210_204, [16.2, 7.9]),
      "data-platform": sums(402, 9_010_002, 2_902_701, [9.9, 4.31]),
      "default": sums(100, 2_119_990, 300_000, [1.2021, 0.1979]),
    },
    per_stack: { "unknown": sums(1204, 27_530_112, 8_412_905, [27.3, 12.4]) },
    per_provider: {
      "messages": sums(1106, 25_310_122, 7_912_695, [21.1, 10.15]),
      "responses": sums(98, 2_219_990, 500_210, [6.2021, 2.2558]),
    },
    by_layer: {
      compression: {
        tokens: 8_412_905,
        all_layers_tokens: 8_412_905,
        savings_usd: 12.4079,
      },
      prefix_cache: { discount_usd: 71.05 },
      response_cache: { requests: 9 },
    },
  },
  agent_usage: {
    "claude-cli": sums(1004, 24_400_120, 7_710_204, [20.9, 10.1]),
    "codex": sums(98, 2_219_990, 500_210, [6.2021, 2.2558]),
    "python-requests": sums(102, 910_002, 202_491, [0.2, 0.0521]),
  },
  retrievals: {
    total: 41,
    tokens: 60_233,
    further_requests: 38,
    further_input_tokens: 1_220_410,
    shapes: 19,
    by_strategy: {},
  },
  cost: {
    total_cost_usd: 27.3021,
    total_savings_usd: 12.4079,
    gross_savings_usd: 25.2387,
    unpriced_requests: 17,
    measured_cost_usd: 26.94,
    estimated_cost_usd: 0.3621,
    cost_with_svc_usd: 27.3021,
    cost_without_svc_usd: 39.71,
    savings_usd: 12.4079,
    compression_savings_usd: 12.4079,
    total_tokens_saved: 8_412_905,
    total_input_tokens: 27_530_112,
    cache_write_5m_tokens: 1_801_774,
    cache_write_1h_tokens: 0,
    budget_limit_usd: 40,
    budget_period: "daily",
    budget_estimated_basis: "count",
    budget_basis: {
      total_usd: 19.1203,
      measured_usd: 18.7701,
      estimated_usd: 0.3502,
      estimated_pct: 1.83,
      records: 811,
      estimated_records: 22,
    },
    budget_reserved_usd: 1.6,
  },
  persistent_savings: {
    lifetime: {
      requests: 41_772,
      tokens_saved: 301_552_871,
      tokens_added: 2_001_000,
      input_tokens: 990_410_000,
      output_tokens: 13_400_100,
      compression_savings_usd: 412.881,
      gross_savings_usd: 904.71,
      total_cost_usd: 1009.4402,
      unpriced_requests: 220,
    },
  },
  compression: {
    ccr_entries: 1180,
    ccr_bytes: 61_204_118,
    ccr_max_bytes: 1_073_741_824,
    original_tokens_cached: 3_100_244,
    compressed_tokens_cached: 1_010_118,
    ccr_retrievals: 41,
  },
  otel: {
    enabled: false,
    exporter: null,
    endpoint: null,
    error: null,
    rejected_points: 0,
  },
  beacon: {
    enabled: false,
    reason: "SVC_TELEMETRY_ENDPOINT names nobody to report to",
    endpoint: null,
  },
  stage_failures: {},
  log_full_messages: false,
};

/** The same figures in the whole file. */
export const LIFETIME: Lifetime = {
  requests: { total: 41_772, failed: 103 },
  tokens: {
    input: 990_410_000,
    output: 13_400_100,
    saved: 301_552_871,
    added: 2_001_000,
    removed: 303_553_871,
    total_before_compression: 1_291_962_871,
    savings_percent: 23.34,
  },
  cost: {
    total_cost_usd: 1009.4402,
    without_svc_usd: 1422.3212,
    compression_savings_usd: 412.881,
    gross_savings_usd: 904.71,
    savings_pct: 29.03,
    unpriced_requests: 220,
  },
  prefix_cache: {
    cache_read_tokens: 890_000_000,
    cache_write_tokens: 71_000_000,
    hit_rate: 89.9,
  },
  projects: {
    "storefront": sums(22_702, 616_400_120, 195_210_204, [616.2, 260.9]),
    "data-platform": sums(15_402, 309_010_002, 92_902_701, [309.9, 124.31]),
    "default": sums(3668, 64_999_878, 13_439_966, [83.3402, 27.671]),
  },
  by_provider: {},
  by_model: {
    "claude-sonnet-4-5": sums(30_902, 741_400_120, 238_810_204, [
      719.9,
      309.71,
    ]),
    "claude-haiku-4-5": sums(10_870, 249_009_880, 62_742_667, [289.5, 103.171]),
  },
  by_stack: {},
  by_agent: {},
  by_tool: {
    "Bash": { ...NO_SUMS, requests: 20_118, tokens_saved: 181_001_004 },
  },
  by_kind: {
    "log": { ...NO_SUMS, requests: 13_118, tokens_saved: 120_001_004 },
  },
  prefix_stability: { ours: 0 },
  persistence: { healthy: true, enabled: true, pending_records: 2 },
};

/** Body of `/health`. */
export const HEALTH: Health = {
  version: "0.1.0",
  uptime_seconds: 8042,
  ready: true,
  checks: {
    ccr_store: {
      enabled: true,
      ready: true,
      status: "healthy",
      backend: "sqlite",
    },
    ledger: {
      enabled: true,
      ready: true,
      status: "healthy",
      backend: "sqlite",
    },
  },
};

/** `/stats` of a proxy that nobody used yet. */
export function unused(): Stats {
  return zeroed({ ...STATS, savings: { ...STATS.savings } }) as Stats;
}

/** The same with every number zero and every table of names empty. */
function zeroed(value: unknown, key = ""): unknown {
  if (key.startsWith("budget_")) return undefined;
  if (typeof value === "number") return 0;
  if (/^(per_|agent_usage|tokens_saved_by|left_alone)/.test(key)) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, zeroed(inner, name)]),
  );
}

/** `/stats-lifetime` of the same. */
export function unusedLifetime(): Lifetime {
  const body = zeroed(LIFETIME) as Lifetime;
  return { ...body, projects: {}, by_model: {}, by_tool: {}, by_kind: {} };
}
