/** Money in the stats report. Sums are whole nano-dollars; dollars are made of them at the very end. @module */
import type { BudgetState } from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import { bounded, UNKNOWN } from "./bounded_table.ts";
import { inputOf, isUnpriced, savedBy } from "./outcome.ts";
import { percent, usd } from "./sums.ts";

/** Sums of one model. */
interface ModelCounts {
  requests: number;
  saved: number;
  sent: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
}

/** What requests cost, in memory. */
export interface CostCounts {
  /** Nano-dollars. */
  nanoUsd: number;
  /** Nano-dollars of them by our own count of tokens. */
  estimatedNanoUsd: number;
  /** Nano-dollars of the saved tokens at the list price of input. */
  savedGross: number;
  /** Nano-dollars saved, price-weighted, less what compression cost. */
  savedNet: number;
  /** Requests with a cost that nobody knows. */
  unpriced: number;
  /** By model. */
  readonly byModel: Map<string, ModelCounts>;
}

/** One model in the report. */
export interface ModelCostReport {
  /** Requests that reached it. */
  readonly requests: number;
  /** Tokens that compression took away, less those it added. */
  readonly tokens_saved: number;
  /** Prompt tokens. */
  readonly tokens_sent: number;
  /** Tokens written to its cache for five minutes. */
  readonly cache_write_5m_tokens: number;
  /** Tokens written to its cache for an hour. */
  readonly cache_write_1h_tokens: number;
  /** `tokens_saved` of what would have been sent, in percent. */
  readonly reduction_pct: number;
}

/** Spend of the budget's period by where its figures come from. */
export interface BudgetBasisReport {
  /** Sum of the next two. */
  readonly total_usd: number;
  /** As reported by providers. */
  readonly measured_usd: number;
  /** By our own count. */
  readonly estimated_usd: number;
  /** `estimated_usd` of `total_usd`, in percent. */
  readonly estimated_pct: number;
  /** Cost records. */
  readonly records: number;
  /** Those that are estimated or have no price. */
  readonly estimated_records: number;
}

/** Money since the proxy started, and the budget of its workspace. */
export interface CostReport {
  /** What requests cost; those without a price are not in it. */
  readonly total_cost_usd: number;
  /** The part of it that providers' counts of tokens give. */
  readonly measured_cost_usd: number;
  /** The part of it that our own count gives, where the provider said nothing. */
  readonly estimated_cost_usd: number;
  /** Saved by compression, price-weighted and net of what it cost; may be below zero. */
  readonly total_savings_usd: number;
  /** Saved tokens at the list price of input. */
  readonly gross_savings_usd: number;
  /** Requests whose cost nobody knows. */
  readonly unpriced_requests: number;
  /** As `total_cost_usd`. */
  readonly cost_with_svc_usd: number;
  /** What requests would have cost: `total_cost_usd + total_savings_usd`. */
  readonly cost_without_svc_usd: number;
  /** As `total_savings_usd`. */
  readonly savings_usd: number;
  /** As `total_savings_usd`. */
  readonly compression_savings_usd: number;
  /** Tokens that compression took away, less those it added. */
  readonly total_tokens_saved: number;
  /** Prompt tokens. */
  readonly total_input_tokens: number;
  /** Tokens written to caches for five minutes. */
  readonly cache_write_5m_tokens: number;
  /** Tokens written to caches for an hour. */
  readonly cache_write_1h_tokens: number;
  /** Missing for callers that are not trusted. */
  readonly per_model?: Readonly<Record<string, ModelCostReport>>;
  /** The budget; missing when none is set, like all that follows. */
  readonly budget_limit_usd?: number;
  /** `hourly`, `daily` or `monthly`, in UTC. */
  readonly budget_period?: string;
  /** `count`, `ignore` or `block`. */
  readonly budget_estimated_basis?: string;
  /** Spend of the period. */
  readonly budget_basis?: BudgetBasisReport;
  /** What requests under way may cost. */
  readonly budget_reserved_usd?: number;
}

/** Sums over all rows that are in the file. */
export interface LifetimeCounts {
  /** Finished requests. */
  readonly requests: number;
  /** Prompt tokens. */
  readonly input: number;
  /** Generated tokens. */
  readonly output: number;
  /** Tokens that compression took away. */
  readonly saved: number;
  /** Tokens that were added. */
  readonly added: number;
  /** Nano-dollars. */
  readonly nanoUsd: number;
  /** Nano-dollars at list price. */
  readonly savedGross: number;
  /** Nano-dollars, net. */
  readonly savedNet: number;
  /** Requests with a cost that nobody knows. */
  readonly unpriced: number;
}

/** What survives restarts, of all proxies of the workspace. A request is in it once it is in the file. */
export interface LifetimeReport {
  /** Finished requests. */
  readonly requests: number;
  /** Input tokens saved, less those added. */
  readonly tokens_saved: number;
  /** Input tokens that the retrieval tool's definition and what it gave back added. */
  readonly tokens_added: number;
  /** Prompt tokens. */
  readonly input_tokens: number;
  /** Generated tokens. */
  readonly output_tokens: number;
  /** Savings, price-weighted and net. */
  readonly compression_savings_usd: number;
  /** Saved tokens at the list price of input. */
  readonly gross_savings_usd: number;
  /** What requests cost. */
  readonly total_cost_usd: number;
  /** Requests whose cost nobody knows. */
  readonly unpriced_requests: number;
}

/** Nothing was ever written. */
export const NO_LIFETIME: LifetimeCounts = {
  requests: 0,
  input: 0,
  output: 0,
  saved: 0,
  added: 0,
  nanoUsd: 0,
  savedGross: 0,
  savedNet: 0,
  unpriced: 0,
};

/** Nothing was spent. */
export function noCosts(): CostCounts {
  return {
    nanoUsd: 0,
    estimatedNanoUsd: 0,
    savedGross: 0,
    savedNet: 0,
    unpriced: 0,
    byModel: new Map(),
  };
}

/** Adds one request. */
export function addCost(counts: CostCounts, entry: RequestRecord): void {
  const { cost, model, usage } = entry;
  if (cost === undefined) return;
  counts.nanoUsd += cost.nanoUsd ?? 0;
  if (cost.basis === "estimated") counts.estimatedNanoUsd += cost.nanoUsd ?? 0;
  counts.savedGross += cost.savedGrossNanoUsd ?? 0;
  counts.savedNet += cost.savedNetNanoUsd ?? 0;
  if (isUnpriced(entry)) counts.unpriced++;
  const name = bounded(counts.byModel, model || UNKNOWN);
  const row = counts.byModel.get(name) ??
    { requests: 0, saved: 0, sent: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  row.requests++;
  row.saved += savedBy(entry);
  row.sent += inputOf(entry);
  row.cacheWrite1h += usage.cacheWrite1h ?? 0;
  row.cacheWrite5m += (usage.cacheWrite ?? 0) - (usage.cacheWrite1h ?? 0);
  counts.byModel.set(name, row);
}

/** The part of the report about money. */
export function costReport(
  counts: CostCounts,
  budget: BudgetState | undefined,
): CostReport {
  const models = [...counts.byModel];
  const sum = (key: keyof ModelCounts) =>
    models.reduce((total, [, row]) => total + row[key], 0);
  return {
    total_cost_usd: usd(counts.nanoUsd),
    measured_cost_usd: usd(counts.nanoUsd - counts.estimatedNanoUsd),
    estimated_cost_usd: usd(counts.estimatedNanoUsd),
    total_savings_usd: usd(counts.savedNet),
    gross_savings_usd: usd(counts.savedGross),
    unpriced_requests: counts.unpriced,
    cost_with_svc_usd: usd(counts.nanoUsd),
    cost_without_svc_usd: usd(counts.nanoUsd + counts.savedNet),
    savings_usd: usd(counts.savedNet),
    compression_savings_usd: usd(counts.savedNet),
    total_tokens_saved: sum("saved"),
    total_input_tokens: sum("sent"),
    cache_write_5m_tokens: sum("cacheWrite5m"),
    cache_write_1h_tokens: sum("cacheWrite1h"),
    per_model: Object.fromEntries(
      models.map(([name, row]) => [name, modelReport(row)]),
    ),
    ...budget === undefined ? {} : budgetReport(budget),
  };
}

/** The part of the report about all time. */
export function lifetimeReport(counts: LifetimeCounts): LifetimeReport {
  return {
    requests: counts.requests,
    tokens_saved: counts.saved - counts.added,
    tokens_added: counts.added,
    input_tokens: counts.input,
    output_tokens: counts.output,
    compression_savings_usd: usd(counts.savedNet),
    gross_savings_usd: usd(counts.savedGross),
    total_cost_usd: usd(counts.nanoUsd),
    unpriced_requests: counts.unpriced,
  };
}

function modelReport(row: ModelCounts): ModelCostReport {
  return {
    requests: row.requests,
    tokens_saved: row.saved,
    tokens_sent: row.sent,
    cache_write_5m_tokens: row.cacheWrite5m,
    cache_write_1h_tokens: row.cacheWrite1h,
    reduction_pct: percent(row.saved, row.sent + row.saved),
  };
}

function budgetReport(state: BudgetState): Partial<CostReport> {
  const { budget, measuredNanoUsd: measured, estimatedNanoUsd: estimated } =
    state;
  return {
    budget_limit_usd: usd(budget.limitNanoUsd),
    budget_period: budget.period,
    budget_estimated_basis: budget.estimatedBasis,
    budget_basis: {
      total_usd: usd(measured + estimated),
      measured_usd: usd(measured),
      estimated_usd: usd(estimated),
      estimated_pct: percent(estimated, measured + estimated),
      records: state.records,
      estimated_records: state.estimatedRecords,
    },
    budget_reserved_usd: usd(state.reservedNanoUsd),
  };
}
