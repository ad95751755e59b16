/** Counts of one run, in memory. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { bounded } from "./bounded_table.ts";
import { CompressionCounts } from "./compression_counts.ts";
import { addCost, costReport, lifetimeReport, noCosts } from "./cost_report.ts";
import { DurationCounts } from "./durations.ts";
import { SavedByForm, SumsByName } from "./named_sums.ts";
import { billedInput, isRateLimited, took } from "./outcome.ts";
import { PrefixCaches } from "./prefix_cache.ts";
import { PrefixStability } from "./prefix_stability.ts";
import type {
  KeptFigures,
  RequestsReport,
  SavingsReport,
  StatsReport,
  TokensReport,
} from "./report.ts";
import type { FormShares } from "./saved_by.ts";
import { ShapeCounts } from "./shapes.ts";
import {
  addSums,
  noSums,
  percent,
  requestSums,
  type RunningSums,
  usd,
} from "./sums.ts";

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
    requests: 0,
    input: 0,
    output: 0,
    cache_read: 0,
    cache_write: 0,
  };
  readonly #latency = new DurationCounts();
  readonly #overhead = new DurationCounts();
  readonly #ttfb = new DurationCounts();
  readonly #byProvider = new SumsByName();
  readonly #byModel = new SumsByName();
  readonly #byStack = new SumsByName();
  readonly #byProject = new SumsByName();
  readonly #byAgent = new SumsByName();
  readonly #savedByStrategy = new SavedByForm();
  readonly #savedByTool = new SavedByForm();
  readonly #strategies = new Map<string, number>();
  readonly #leftAlone = new Map<string, number>();
  readonly #olderDecided = new Map<string, number>();
  readonly #compression = new CompressionCounts();
  readonly #caches = new PrefixCaches();
  readonly #stability = new PrefixStability();
  readonly #costs = noCosts();
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
    this.#byProvider.add(entry.provider, sums);
    this.#byModel.add(entry.model, sums);
    this.#byStack.add(entry.stack, sums);
    this.#byProject.add(entry.project, sums);
    this.#byAgent.add(entry.agent, sums);
    this.#savedByStrategy.add(entry, saved.kind);
    this.#savedByTool.add(entry, saved.tool);
    for (const id of entry.strategies) count(this.#strategies, id);
    for (const reason of entry.leftAlone) count(this.#leftAlone, reason);
    if (entry.olderDecided) count(this.#olderDecided, entry.olderDecided);
    this.#compression.add(entry);
    this.#caches.add(entry);
    this.#stability.add(entry);
    addCost(this.#costs, entry);
    return this.#forms(entry);
  }

  /** Counts an original that was given back through another door. */
  retrieved(event: RetrievalEvent): void {
    this.#shapes.retrieved(event);
  }

  /** Snapshot; shares nothing with the counts. */
  report({ lifetime, budget }: KeptFigures): StatsReport {
    return {
      requests: this.#requests(),
      agent_usage: this.#byAgent.report(),
      savings: this.#savings(),
      tokens: this.#tokens(),
      latency: this.#latency.report(),
      overhead: {
        ...this.#overhead.report(),
        buckets: this.#overhead.buckets(),
      },
      ttfb: this.#ttfb.report(),
      prefix_cache: this.#caches.report(),
      prefix_stability: this.#stability.report(),
      compressed: this.#compression.report(),
      new_tool_results: this.#compression.fresh(),
      compressions_by_strategy: Object.fromEntries(this.#strategies),
      tokens_saved_by_strategy: this.#savedByStrategy.report(),
      tokens_saved_by_tool: this.#savedByTool.report(),
      left_alone_by_reason: Object.fromEntries(this.#leftAlone),
      older_decided_by_reason: Object.fromEntries(this.#olderDecided),
      retrievals: this.#shapes.report(),
      cost: costReport(this.#costs, budget),
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
    const fresh = took(entry)
      ? entry.forms.filter((form) => shapes.sent(form))
      : [];
    // After the forms: a model can ask for what this very request left out.
    entry.retrieved.forEach((event) => shapes.retrieved(event));
    shapes.wentOn(entry.furtherRounds, billedInput(entry.furtherUsage) ?? 0);
    return fresh;
  }

  #requests(): RequestsReport {
    return {
      total: this.#all.requests,
      cached: this.#outcomes.cached,
      rate_limited: this.#outcomes.rateLimited,
      failed: this.#all.failed,
      refused_by_budget: this.#outcomes.refusedByBudget,
      refused_by_rate_limit: this.#outcomes.refusedByRate,
      aborted: this.#outcomes.aborted,
      by_provider: this.#byProvider.requests(),
      by_model: this.#byModel.requests(),
      by_stack: this.#byStack.requests(),
      by_project: this.#byProject.requests(),
      by_agent: this.#byAgent.requests(),
    };
  }

  #tokens(): TokensReport {
    const { input, output, saved: removed, added } = this.#all;
    const saved = removed - added;
    const before = input + saved;
    const { tokens_before: attempted, tokens_after: left } = this.#compression
      .fresh();
    const share = percent(saved, before);
    return {
      input,
      output,
      saved,
      added,
      removed,
      proxy_compression_saved: saved,
      all_layers_saved: saved,
      total_before_compression: before,
      proxy_total_before_compression: before,
      proxy_attempted_tokens: attempted,
      savings_percent: share,
      proxy_savings_percent: share,
      all_layers_savings_percent: share,
      active_savings_percent: percent(attempted - left, attempted),
      billed: { ...this.#billed },
    };
  }

  #savings(): SavingsReport {
    const { saved, added, savedNet } = this.#all;
    const tokens = saved - added;
    return {
      total_tokens: tokens,
      per_project: this.#byProject.report(),
      per_model: this.#byModel.report(),
      per_stack: this.#byStack.report(),
      per_provider: this.#byProvider.report(),
      by_layer: {
        compression: {
          tokens,
          all_layers_tokens: tokens,
          savings_usd: usd(savedNet),
        },
        prefix_cache: {},
        response_cache: { requests: this.#outcomes.cached },
      },
    };
  }
}

function sharesOf({ forms }: RequestRecord): FormShares {
  return {
    kind: forms.map(({ strategy, saved }) => [strategy, saved]),
    tool: forms.map(({ toolName, saved }) => [toolName, saved]),
  };
}

function count(table: Map<string, number>, name: string): void {
  const row = bounded(table, name);
  table.set(row, (table.get(row) ?? 0) + 1);
}
