/** What is counted, with what other parts of the proxy say: all that metrics are made of. @module */
import { OTHER, UNKNOWN } from "./named_sums.ts";
import type { CcrStats } from "../core/store.ts";
import { type CacheRates, withMoney } from "./prefix_cache.ts";
import type { StatsReport } from "./stats_report.ts";
import type { Shown } from "./withhold.ts";
import { percent } from "./sums.ts";

/** What the tools of MCP did, in wire names. */
interface McpFigures {
  /** Texts compressed, those without gain included. */
  readonly compressions: number;
  /** Originals and parts given back. */
  readonly retrievals: number;
  /** Tokens that compressed texts are smaller by. */
  readonly tokens_saved: number;
  /** Tokens given back. */
  readonly tokens_retrieved: number;
}

/** What the response cache holds, in wire names. */
interface ResponseCacheFigures {
  /** Answers. */
  readonly entries: number;
  /** Requests that were answered since the start. */
  readonly total_hits: number;
  /** Bytes of all answers together. */
  readonly bytes: number;
  /** Largest value of `bytes`. */
  readonly max_bytes: number;
  /** Seconds that an answer lives. */
  readonly ttl_seconds: number;
}

/** What figures are made of. */
export interface FigureParts {
  /** What the ledger says. */
  readonly report: StatsReport;
  /** Proxy mode, `cache` or `token`. */
  readonly mode: string;
  /** Of the workspace. */
  readonly mcp: McpFigures;
  /** Of the store of originals; `undefined` when none are kept. */
  readonly ccr: CcrStats | undefined;
  /** Of the response cache; `null` when it is off. */
  readonly cache: ResponseCacheFigures | null;
  /** Prices of a model; `undefined` for one without. */
  readonly ratesOf: (model: string) => CacheRates | undefined;
  /** Failures that were absorbed since the start, by stage. */
  readonly stageFailures: ReadonlyMap<string, number>;
}

/** What is counted, without settings and single requests: all that metrics are made of. */
export type Figures = Shown<ReturnType<typeof figures>>;

/** Puts the figures together. */
export function figures(parts: FigureParts) {
  const { compressed: _, ...report } = parts.report;
  const caches = withMoney(report.prefix_cache, parts.ratesOf);
  const discount = caches.totals.net_savings_usd ?? 0;
  const { by_layer: layers, ...savings } = report.savings;
  return {
    /** What somebody wants to know first. */
    summary: summaryOf(parts, discount),
    ...report,
    savings: {
      ...savings,
      by_layer: { ...layers, prefix_cache: { discount_usd: discount } },
    },
    prefix_cache: caches,
    /** The store of originals; `null` when none are kept. */
    compression: parts.ccr === undefined ? null : ccrReport(parts.ccr),
    /** The response cache; `null` when it is off. */
    cache: parts.cache,
    /** Failures that were absorbed since the start (requests went out as they came), by stage. */
    stage_failures: Object.fromEntries(parts.stageFailures),
  };
}

function summaryOf(
  { report, mode, mcp }: FigureParts,
  discount: number,
) {
  const { requests, cost, savings } = report;
  const { uncompressed_requests, ...compression } = report.compressed;
  return {
    /** Proxy mode. */
    mode,
    /** Requests that were sent: neither refused nor answered from the response cache. */
    api_requests: requests.total - requests.cached -
      requests.refused_by_budget -
      requests.refused_by_rate_limit,
    /** The model with the most requests; `null` for none, missing for callers that are not trusted. */
    primary_model: primaryOf(requests.by_model ?? {}),
    /** Requests with an edit of ours. */
    compression,
    /** Requests without one, by the reason that most of their new tool results have. */
    uncompressed_requests,
    /** Money of this run. */
    cost: {
      /** `with_svc_usd + total_saved_usd`. */
      without_svc_usd: cost.cost_without_svc_usd,
      /** What requests cost. */
      with_svc_usd: cost.total_cost_usd,
      /** Saved by compression, price-weighted and net; may be below zero. */
      total_saved_usd: cost.total_savings_usd,
      /** `total_saved_usd` of `without_svc_usd`, in percent. */
      savings_pct: percent(cost.total_savings_usd, cost.cost_without_svc_usd),
      /** Its parts, and what is no part of it. */
      breakdown: {
        /** As `total_saved_usd`. */
        compression_savings_usd: savings.by_layer.compression.savings_usd,
        /** The same tokens at the list price of input: what is usually advertised. Not added. */
        gross_savings_usd: cost.gross_savings_usd,
        /** The provider's own discount, net of its premium for writing: there with and without svc. Not added. */
        cache_savings_usd: discount,
      },
    },
    /** What the tools of MCP did; `tokens_removed` is `tokens_saved`. */
    mcp: { ...mcp, tokens_removed: mcp.tokens_saved },
  };
}

/** The name with the most requests, `unknown` and `other` aside. */
function primaryOf(models: Readonly<Record<string, number>>): string | null {
  const [first] = Object.entries(models)
    .filter(([name]) => name !== UNKNOWN && name !== OTHER)
    .sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

function ccrReport(stats: CcrStats) {
  return {
    /** Originals held. */
    ccr_entries: stats.entries,
    /** Bytes of them. */
    ccr_bytes: stats.bytes,
    /** Bytes that may be held. */
    ccr_max_bytes: stats.maxBytes,
    /** Tokens of the originals held. */
    original_tokens_cached: stats.originalTokens,
    /** Tokens of the forms that stand for them. */
    compressed_tokens_cached: stats.formTokens,
    /** Times that one was given back, by any process. */
    ccr_retrievals: stats.retrievals,
  };
}
