/** Money in the stats report. Sums are whole nano-dollars; dollars are made of them at the very end. @module */
import type { BudgetState } from "../core/cost.ts";
import type { Sums } from "../core/ledger_reader.ts";
import { filled, type RunSums } from "./run_sums.ts";
import { percent, usd } from "./sums.ts";

/** Reports the money of a run. @param all Sums of all its requests. */
export function costReport(
  sums: RunSums,
  all: Sums,
  budget: BudgetState | undefined,
) {
  const models = Object.values(
    sums.table("cost", (row) => filled(NO_TOKENS, row)),
  );
  return {
    ...moneyReport(all, sums.of("all").estimated ?? 0),
    ...tokensReport(models),
    /** Missing for callers that are not trusted. */
    per_model: sums.table(
      "cost",
      (row) => modelReport(filled(NO_TOKENS, row)),
    ),
    /** Of the workspace; missing when none is set. */
    ...budget && budgetReport(budget),
  };
}

/** Of a model whose requests have a cost. */
const NO_TOKENS = {
  requests: 0,
  saved: 0,
  sent: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
};
type ModelCounts = typeof NO_TOKENS;

function moneyReport(
  { nanoUsd, savedNet, savedGross, unpriced }: Sums,
  estimatedNanoUsd: number,
) {
  return {
    /** What requests cost; those without a price are not in it. */
    total_cost_usd: usd(nanoUsd),
    /** The part of it that providers' counts of tokens give. */
    measured_cost_usd: usd(nanoUsd - estimatedNanoUsd),
    /** The part of it that our own count gives, where the provider said nothing. */
    estimated_cost_usd: usd(estimatedNanoUsd),
    /** Saved by compression, price-weighted and net of what it cost; may be below zero. */
    total_savings_usd: usd(savedNet),
    /** Saved tokens at the list price of input. */
    gross_savings_usd: usd(savedGross),
    /** Requests whose cost nobody knows. */
    unpriced_requests: unpriced,
    /** As `total_cost_usd`. */
    cost_with_svc_usd: usd(nanoUsd),
    /** What requests would have cost: `total_cost_usd + total_savings_usd`. */
    cost_without_svc_usd: usd(nanoUsd + savedNet),
    /** As `total_savings_usd`. */
    savings_usd: usd(savedNet),
    /** As `total_savings_usd`. */
    compression_savings_usd: usd(savedNet),
  };
}

function tokensReport(models: readonly ModelCounts[]) {
  const sum = (key: keyof ModelCounts) =>
    models.reduce((total, row) => total + row[key], 0);
  return {
    /** Tokens that compression took away, less those it added. */
    total_tokens_saved: sum("saved"),
    /** Prompt tokens. */
    total_input_tokens: sum("sent"),
    /** Tokens written to caches for five minutes. */
    cache_write_5m_tokens: sum("cacheWrite5m"),
    /** Tokens written to caches for an hour. */
    cache_write_1h_tokens: sum("cacheWrite1h"),
  };
}

function modelReport(row: ModelCounts) {
  return {
    /** Requests that reached it. */
    requests: row.requests,
    /** Tokens that compression took away, less those it added. */
    tokens_saved: row.saved,
    /** Prompt tokens. */
    tokens_sent: row.sent,
    /** Tokens written to its cache for five minutes. */
    cache_write_5m_tokens: row.cacheWrite5m,
    /** Tokens written to its cache for an hour. */
    cache_write_1h_tokens: row.cacheWrite1h,
    /** `tokens_saved` of what would have been sent, in percent. */
    reduction_pct: percent(row.saved, row.sent + row.saved),
  };
}

function budgetReport(state: BudgetState) {
  const { budget, measuredNanoUsd: measured, estimatedNanoUsd: estimated } =
    state;
  return {
    /** Per period. */
    budget_limit_usd: usd(budget.limitNanoUsd),
    /** `hourly`, `daily` or `monthly`, in UTC. */
    budget_period: budget.period,
    /** `count`, `ignore` or `block`. */
    budget_estimated_basis: budget.estimatedBasis,
    /** Spend of the budget's period by where its figures come from. */
    budget_basis: {
      /** Sum of the next two. */
      total_usd: usd(measured + estimated),
      /** As reported by providers. */
      measured_usd: usd(measured),
      /** By our own count. */
      estimated_usd: usd(estimated),
      /** `estimated_usd` of `total_usd`, in percent. */
      estimated_pct: percent(estimated, measured + estimated),
      /** Cost records. */
      records: state.records,
      /** Those that are estimated or have no price. */
      estimated_records: state.estimatedRecords,
    },
    /** What requests under way may cost. */
    budget_reserved_usd: usd(state.reservedNanoUsd),
  };
}

/** What survives restarts, of all proxies of the workspace. A request is in it once it is in the file. */
export type LifetimeReport = Readonly<ReturnType<typeof lifetimeReport>>;

/** The part of the report about all time. */
export function lifetimeReport(all: Sums) {
  return {
    /** Finished requests. */
    requests: all.requests,
    /** Input tokens saved, less those added. */
    tokens_saved: all.saved - all.added,
    /** Input tokens that the retrieval tool's definition and what it gave back added. */
    tokens_added: all.added,
    /** Prompt tokens. */
    input_tokens: all.input,
    /** Generated tokens. */
    output_tokens: all.output,
    /** Savings, price-weighted and net. */
    compression_savings_usd: usd(all.savedNet),
    /** Saved tokens at the list price of input. */
    gross_savings_usd: usd(all.savedGross),
    /** What requests cost. */
    total_cost_usd: usd(all.nanoUsd),
    /** Requests whose cost nobody knows. */
    unpriced_requests: all.unpriced,
  };
}
