/** Counts of one run, in memory. @module */
import type { BudgetState } from "../core/cost.ts";
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { billedInput, isRateLimited, succeeded } from "../core/outcome.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { count } from "./bounded_table.ts";
import { CompressionCounts } from "./compression_counts.ts";
import { CostCounts, lifetimeReport } from "./cost_report.ts";
import { DurationCounts } from "./durations.ts";
import {
  type FormShares,
  SavedByForm,
  sharesOf,
  SumsByName,
} from "./named_sums.ts";
import {
  PrefixCaches,
  PrefixStability,
  type PrefixStabilityReport,
} from "./prefix_cache.ts";
import { type RetrievalsReport, ShapeCounts } from "./shapes.ts";
import {
  addSums,
  noSums,
  requestSums,
  type RunningSums,
  sumsReport,
  tokensReport,
  usd,
} from "./sums.ts";
import type { Withheld } from "./withhold.ts";

/** What is not counted by one run but stands in its report. */
export interface KeptFigures {
  /** What is in the file. */
  readonly lifetime: Sums;
  /** Spend; `undefined` without a budget. */
  readonly budget: BudgetState | undefined;
}

type Report = Readonly<ReturnType<RequestCounts["report"]>>;

/**
 * What one run counts, and what stands beside it: the part of `GET /stats` that the ledger knows. Each table sums up to
 * the totals.
 */
export type StatsReport =
  & Withheld<
    Omit<Report, "requests" | "savings" | "retrievals" | "prefix_stability">,
    "agent_usage" | "tokens_saved_by_tool"
  >
  & {
    readonly requests: Withheld<
      Report["requests"],
      "by_provider" | "by_model" | "by_stack" | "by_project" | "by_agent"
    >;
    readonly savings: Withheld<
      Report["savings"],
      "per_project" | "per_model" | "per_stack" | "per_provider"
    >;
    readonly retrievals: RetrievalsReport;
    readonly prefix_stability: PrefixStabilityReport;
  };

const DIMENSIONS = ["provider", "model", "stack", "project", "agent"] as const;

/** Counts finished requests. Its memory is bounded, whatever clients call their things. */
export class RequestCounts {
  readonly #all: RunningSums = noSums();
  readonly #outcomes = {
    cached: 0,
    rateLimited: 0,
    refusedByBudget: 0,
    refusedByRate: 0,
    aborted: 0,
  };
  readonly #billed = {
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
  };
  readonly #latency = new DurationCounts();
  readonly #overhead = new DurationCounts();
  readonly #ttfb = new DurationCounts();
  readonly #by = {
    provider: new SumsByName(),
    model: new SumsByName(),
    stack: new SumsByName(),
    project: new SumsByName(),
    agent: new SumsByName(),
  };
  readonly #savedByStrategy = new SavedByForm();
  readonly #savedByTool = new SavedByForm();
  readonly #strategies = new Map<string, number>();
  readonly #leftAlone = new Map<string, number>();
  readonly #olderDecided = new Map<string, number>();
  readonly #compression = new CompressionCounts();
  readonly #caches = new PrefixCaches();
  readonly #stability = new PrefixStability();
  readonly #costs = new CostCounts();
  readonly #shapes = new ShapeCounts();

  /**
   * Counts one request; returns its forms that were counted for the first time.
   *
   * @param saved What all of its forms save; needed where `entry` has only the new ones.
   */
  add(
    entry: RequestRecord,
    saved: FormShares = sharesOf(entry),
  ): readonly SentForm[] {
    const sums = requestSums(entry);
    addSums(this.#all, sums);
    this.#outcome(entry);
    this.#bill(entry);
    for (const name of DIMENSIONS) this.#by[name].add(entry[name], sums);
    this.#savedByStrategy.add(entry, saved.kind);
    this.#savedByTool.add(entry, saved.tool);
    for (const id of entry.strategies) count(this.#strategies, id);
    for (const reason of entry.leftAlone) count(this.#leftAlone, reason);
    if (entry.olderDecided) count(this.#olderDecided, entry.olderDecided);
    this.#compression.add(entry);
    this.#caches.add(entry);
    this.#stability.add(entry);
    this.#costs.add(entry);
    return this.#forms(entry);
  }

  /** Counts an original that was given back through another door. */
  retrieved(event: RetrievalEvent): void {
    this.#shapes.retrieved(event);
  }

  /** Snapshot; shares nothing with the counts. */
  report({ lifetime, budget }: KeptFigures) {
    return {
      /** Requests by outcome. */
      requests: this.#requests(),
      /** By product name of the client; missing for callers that are not trusted. */
      agent_usage: this.#by.agent.report(sumsReport),
      /** Where savings come from. */
      savings: this.#savings(),
      /** Tokens. */
      tokens: this.#tokens(),
      /** Whole duration of requests whose answer began upstream; all three durations are of the same requests. */
      latency: this.#latency.report(),
      /** What this service added to it before it sent them. */
      overhead: {
        ...this.#overhead.report(),
        /** A histogram of it. */
        buckets: this.#overhead.buckets(),
      },
      /** Time to the first byte of the response. */
      ttfb: this.#ttfb.report(),
      /** Providers' prompt caches. */
      prefix_cache: this.#caches.report(),
      /** How requests went on from those before them. */
      prefix_stability: this.#stability.report(),
      /** Requests that compression changed, or not. */
      compressed: this.#compression.report(),
      /** Tool results that were met for the first time. */
      new_tool_results: this.#compression.fresh(),
      /** Requests in which each compressor or pass took part. */
      compressions_by_strategy: Object.fromEntries(this.#strategies),
      /**
       * Tokens that forms kept from being sent, by compressor; a form counts each time it is sent. `(added)` is
       * `tokens.added`, below zero: the sum is `tokens.saved`, that of the others `tokens.removed`.
       */
      tokens_saved_by_strategy: this.#savedByStrategy.report(),
      /** The same by tool; missing for callers that are not trusted. */
      tokens_saved_by_tool: this.#savedByTool.report(),
      /** Tool results left alone, each counted when it is first met, by reason. */
      left_alone_by_reason: Object.fromEntries(this.#leftAlone),
      /** Requests in which tool results of older turns got forms, by reason. */
      older_decided_by_reason: Object.fromEntries(this.#olderDecided),
      /** Forms made, and originals that were asked for. */
      retrievals: this.#shapes.report(),
      /** Money of this run, and the budget. */
      cost: this.#costs.report(this.#all, budget),
      /** What survives restarts. */
      persistent_savings: { lifetime: lifetimeReport(lifetime) },
    };
  }

  #outcome(entry: RequestRecord): void {
    const outcomes = this.#outcomes;
    if (entry.cached) outcomes.cached++;
    if (isRateLimited(entry)) outcomes.rateLimited++;
    if (entry.refusedBy === "budget") outcomes.refusedByBudget++;
    if (entry.refusedBy === "rate_limit") outcomes.refusedByRate++;
    if (entry.status === 499) outcomes.aborted++;
    // What an upstream did not begin to answer has no first byte: percentiles of others would not compare.
    if (entry.ttfbMs === undefined) return;
    this.#latency.add(entry.latencyMs);
    this.#overhead.add(entry.overheadMs);
    this.#ttfb.add(entry.ttfbMs);
  }

  #bill({ usage }: RequestRecord): void {
    const billed = this.#billed;
    const input = billedInput(usage);
    if (input !== undefined) billed.requests++;
    billed.input += input ?? 0;
    billed.output += usage.output ?? 0;
    billed.cache_read += usage.cacheRead ?? 0;
    billed.cache_write += usage.cacheWrite ?? 0;
  }

  #forms(entry: RequestRecord): readonly SentForm[] {
    const shapes = this.#shapes;
    const fresh = succeeded(entry)
      ? entry.forms.filter((form) => shapes.sent(form))
      : [];
    // After the forms: a model can ask for what this very request left out.
    entry.retrieved.forEach((event) => shapes.retrieved(event));
    shapes.wentOn(entry.furtherRounds, billedInput(entry.furtherUsage) ?? 0);
    return fresh;
  }

  #requests() {
    return {
      /** Finished requests, however they ended. */
      total: this.#all.requests,
      /** Answered from the response cache. */
      cached: this.#outcomes.cached,
      /** Met a rate limit, here or at the provider. */
      rate_limited: this.#outcomes.rateLimited,
      /** Ended with a 5xx status. */
      failed: this.#all.failed,
      /** Refused because the budget is used up. */
      refused_by_budget: this.#outcomes.refusedByBudget,
      /** Refused because the limit of requests per minute is reached. */
      refused_by_rate_limit: this.#outcomes.refusedByRate,
      /** The client left before the end (status 499). */
      aborted: this.#outcomes.aborted,
      /** By provider format. */
      by_provider: this.#by.provider.report(requestsOf),
      /** By model; `unknown` where the body named none, as in the other tables. */
      by_model: this.#by.model.report(requestsOf),
      /** By `x-svc-stack`. */
      by_stack: this.#by.stack.report(requestsOf),
      /** By project. */
      by_project: this.#by.project.report(requestsOf),
      /** By product name of the client. */
      by_agent: this.#by.agent.report(requestsOf),
    };
  }

  #tokens() {
    return {
      ...tokensReport(this.#all, this.#compression.fresh()),
      /** What providers said; the rest of `input` is by our count. */
      billed: { ...this.#billed },
    };
  }

  #savings() {
    const { saved, added, savedNet } = this.#all;
    const tokens = saved - added;
    return {
      /** Net tokens, as `tokens.saved`. */
      total_tokens: tokens,
      /** Each table sums up to the totals, and is missing for callers that are not trusted. */
      per_project: this.#by.project.report(sumsReport),
      /** By model. */
      per_model: this.#by.model.report(sumsReport),
      /** By `x-svc-stack`. */
      per_stack: this.#by.stack.report(sumsReport),
      /** By provider format. */
      per_provider: this.#by.provider.report(sumsReport),
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
        response_cache: { requests: this.#outcomes.cached },
      },
    };
  }
}

const requestsOf = ({ requests }: Sums) => requests;
