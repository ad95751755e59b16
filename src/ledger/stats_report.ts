/** What one run counted, as a report. @module */
import type { BudgetState } from "../core/cost.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { noSums } from "../core/sums.ts";
import {
  compressionReport,
  freshReport,
  retrievalsReport,
} from "./compression_report.ts";
import { costReport, lifetimeReport } from "./cost_report.ts";
import { durationBuckets, durationReport } from "./durations.ts";
import { prefixCachesReport, prefixStabilityReport } from "./prefix_cache.ts";
import { type Fields, filled, type RunSums } from "./run_sums.ts";
import { sumsReport, tokensReport, usd } from "./sums.ts";
import type { Shown } from "./withhold.ts";

/** What is not counted by one run but stands in its report. */
interface KeptFigures {
  /** What is in the file. */
  readonly lifetime: Sums;
  /** Spend; `undefined` without a budget. */
  readonly budget: BudgetState | undefined;
}

/**
 * What one run counts, and what stands beside it: the part of `GET /stats` that the ledger knows. Each table sums up to
 * the totals.
 */
export type StatsReport = Shown<ReturnType<typeof statsReport>>;

/** Reports the sums of a run. */
export function statsReport(
  sums: RunSums,
  { lifetime, budget }: KeptFigures,
) {
  const all = filled(noSums(), sums.of("all"));
  const fresh = freshReport(sums);
  return {
    /** Requests by outcome. */
    requests: requestsReport(sums),
    /** By product name of the client; missing for callers that are not trusted. */
    agent_usage: sums.table("agent", reportOfRow),
    /** Where savings come from. */
    savings: savingsReport(sums, all),
    /** Tokens. */
    tokens: {
      ...tokensReport(all, fresh),
      /** What providers said; the rest of `input` is by our count. */
      billed: billedReport(sums),
    },
    /** Whole duration of requests whose answer began upstream; all three durations are of the same requests. */
    latency: durationReport(sums.of("latency")),
    /** What this service added to it before it sent them. */
    overhead: {
      ...durationReport(sums.of("overhead")),
      /** A histogram of it. */
      buckets: durationBuckets(sums.of("overhead")),
    },
    /** Time to the first byte of the response. */
    ttfb: durationReport(sums.of("ttfb")),
    /** Providers' prompt caches. */
    prefix_cache: prefixCachesReport(sums),
    /** How requests went on from those before them. */
    prefix_stability: prefixStabilityReport(sums),
    /** Prompts beside what their models take; nothing is dropped for it. */
    context_budget: contextReport(sums),
    /** Requests that compression changed, or not. */
    compressed: compressionReport(sums),
    /** Tool results that were met for the first time. */
    new_tool_results: fresh,
    /** Requests in which each compressor or pass took part. */
    compressions_by_strategy: sums.table("strategy", count),
    /**
     * Tokens that forms kept from being sent, by compressor; a form counts each time it is sent. `(added)` is
     * `tokens.added`, below zero: the sum is `tokens.saved`, that of the others `tokens.removed`.
     */
    tokens_saved_by_strategy: sums.table("saved_kind", tokens),
    /** The same by tool; missing for callers that are not trusted. */
    tokens_saved_by_tool: sums.table("saved_tool", tokens),
    /** Tool results left alone, each counted when it is first met, by reason. */
    left_alone_by_reason: sums.table("left_alone", count),
    /** Requests in which tool results of older turns got forms, by reason. */
    older_decided_by_reason: sums.table("older", count),
    /** Forms made, and originals that were asked for. */
    retrievals: retrievalsReport(sums),
    /** Money of this run, and the budget. */
    cost: costReport(sums, all, budget),
    /** What survives restarts. */
    persistent_savings: { lifetime: lifetimeReport(lifetime) },
  };
}

function requestsReport(sums: RunSums) {
  const { requests = 0, failed = 0, cached = 0, ...all } = sums.of("all");
  return {
    /** Finished requests, however they ended. */
    total: requests,
    /** Answered from the response cache. */
    cached: cached,
    /** Met a rate limit, here or at the provider. */
    rate_limited: all.rateLimited ?? 0,
    /** Ended with a 5xx status. */
    failed: failed,
    /** Refused because the budget is used up. */
    refused_by_budget: all.refusedByBudget ?? 0,
    /** Refused because the limit of requests per minute is reached. */
    refused_by_rate_limit: all.refusedByRate ?? 0,
    /** The client left before the end (status 499). */
    aborted: all.aborted ?? 0,
    /** By provider format. */
    by_provider: sums.table("provider", requestsOf),
    /** By model; `unknown` where the body named none, as in the other tables. */
    by_model: sums.table("model", requestsOf),
    /** By `x-svc-stack`. */
    by_stack: sums.table("stack", requestsOf),
    /** By project. */
    by_project: sums.table("project", requestsOf),
    /** By product name of the client. */
    by_agent: sums.table("agent", requestsOf),
  };
}

function contextReport(sums: RunSums) {
  const { requests = 0, over = 0, max = 0 } = sums.of("context");
  return {
    /** Requests whose model has a known limit. */
    requests,
    /** Those whose prompt had more than the limit less the room for the answer. */
    over_budget: over,
    /** The largest prompt as a share of that, in percent. */
    fullest_percent: max,
  };
}

function savingsReport(sums: RunSums, { saved, added, savedNet }: Sums) {
  const tokens = saved - added;
  return {
    /** Net tokens, as `tokens.saved`. */
    total_tokens: tokens,
    /** Each table sums up to the totals, and is missing for callers that are not trusted. */
    per_project: sums.table("project", reportOfRow),
    /** By model. */
    per_model: sums.table("model", reportOfRow),
    /** By `x-svc-stack`. */
    per_stack: sums.table("stack", reportOfRow),
    /** By provider format. */
    per_provider: sums.table("provider", reportOfRow),
    /** By layer. */
    by_layer: {
      /** Compression of tool results. */
      compression: {
        /** Net tokens. */
        tokens,
        /** As `tokens`. */
        all_layers_tokens: tokens,
        /** Net money. */
        savings_usd: usd(savedNet),
      },
      /** The provider's cache: its discount is there with and without svc, and in no other saving. */
      prefix_cache: {} as { readonly discount_usd?: number },
      /** Answers from memory. */
      response_cache: { requests: sums.of("all").cached ?? 0 },
    },
  };
}

function billedReport(sums: RunSums) {
  return filled({
    /** Requests whose prompt was reported. */
    requests: 0,
    /** Their prompt tokens, cached ones included. */
    input: 0,
    /** Generated tokens. */
    output: 0,
    /** Prompt tokens read from caches. */
    cache_read: 0,
    /** Prompt tokens written to caches. */
    cache_write: 0,
  }, sums.of("billed"));
}

const reportOfRow = (fields: Fields) => sumsReport(filled(noSums(), fields));
const requestsOf = ({ requests = 0 }: Fields) => requests;
const count = ({ n = 0 }: Fields) => n;
const tokens = (fields: Fields) => fields.tokens ?? 0;
