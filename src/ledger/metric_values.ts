/** The value of each metric in the figures, and what it says. @module */
import type { Figures } from "./figures.ts";
import { ADDED, printable } from "./named_sums.ts";
import type { PrefixCacheReport } from "./prefix_cache.ts";

/** One value with its labels. */
export interface Sample {
  /** Any number. */
  readonly value: number;
  /** By name. */
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the series where it is not that of the metric. */
  readonly metricName?: string;
}

/** A metric without samples is left out. */
export type Value = number | readonly Sample[] | undefined;

/** What each metric says, in the order in which they are written. */
export const HELP = {
  build_info: "Version of the program",
  requests_total: "Requests processed",
  requests_cached_total: "Requests answered from the response cache",
  requests_rate_limited_total: "Rate-limited requests, here or at the provider",
  requests_failed_total: "Upstream 5xx failures",
  requests_aborted_total: "Requests whose client left before the end",
  requests_refused_total: "Requests refused here",
  requests_by_provider: "Requests by provider",
  requests_by_model: "Requests by model",
  requests_by_stack: "Requests by stack",
  requests_by_project: "Requests by project",
  requests_by_agent: "Requests by client program",
  tokens_input_total:
    "Prompt tokens sent upstream, as billed or else by own count",
  tokens_output_total: "Generated tokens",
  tokens_saved_total:
    "Tokens that compression took away since this process started",
  tokens_added_total:
    "Tokens that the retrieval tool and what it gave back added",
  billed_input_tokens_total: "Prompt tokens by the providers' count",
  persistent_savings_requests_total: "Durable lifetime requests",
  persistent_savings_tokens_saved_total:
    "Durable lifetime input tokens that compression took away",
  persistent_savings_tokens_added_total:
    "Durable lifetime input tokens that were added",
  persistent_savings_input_tokens_total: "Durable lifetime prompt tokens",
  persistent_savings_output_tokens_total: "Durable lifetime generated tokens",
  persistent_savings_cost_usd_total: "Durable lifetime cost of requests in USD",
  persistent_savings_gross_savings_usd_total:
    "Durable lifetime tokens saved in USD at the list price of input",
  persistent_savings_compression_savings_usd_total:
    "Durable lifetime savings in USD, price-weighted and net: may go down",
  provider_cache_requests_total: "Requests considered for the provider cache",
  provider_cache_hit_requests_total:
    "Requests that read the provider prompt cache",
  cache_read_tokens_total: "Input tokens read from the provider cache",
  cache_write_tokens_total: "Input tokens written to the provider cache",
  cache_write_ttl_tokens_total:
    "Input tokens written to the provider cache, by how long they live",
  cache_write_ttl_requests_total:
    "Requests that wrote to the provider cache, by how long it lives",
  uncached_input_tokens_total:
    "Input tokens neither read from nor written to the provider cache",
  provider_cache_net_savings_usd:
    "Discount of the provider cache in USD, less its premium for writing",
  compressions_total: "Requests in which a compressor took part",
  strategy_tokens_saved_total:
    "Tokens that the forms of a compressor kept from being sent, each time",
  blocks_left_alone_total: "Tool results left alone when first met, by reason",
  requests_uncompressed_total:
    "Requests without an edit, by the most frequent reason in them",
  older_decided_total:
    "Requests in which tool results of older turns got forms, by reason",
  elided_forms_total:
    "Tool results from which something was left out, by compressor",
  retrievals_total: "Originals given back, whole or in part, by compressor",
  retrieved_tokens_total: "Tokens of originals given back, by compressor",
  originals_given_back_total:
    "Originals given back through every door, also those of earlier runs",
  further_requests_total: "Requests sent to go on after a retrieval",
  further_input_tokens_total:
    "Prompt tokens of requests sent to go on after a retrieval",
  stage_failures_total:
    "Failures after which a request went out as it came, by stage",
  prefix_requests_total:
    "Requests by how their bytes go on from the one before",
  prefix_broken_total:
    "Requests whose prefix svc changed though the client did not: must be 0",
  prefix_previous_bytes_total:
    "Bytes of the requests that others were compared with",
  prefix_equal_bytes_total:
    "Bytes of them that were sent again unchanged, from the start on",
  cost_usd_total: "Cost of requests in USD, by its basis",
  unpriced_requests_total: "Requests whose cost nobody knows",
  savings_gross_usd: "Saved tokens in USD at the list price of input",
  savings_net_usd: "Savings in USD, price-weighted and net: may go down",
  budget_limit_usd: "Budget per period",
  budget_spent_usd: "Spend of the present period",
  budget_reserved_usd: "What requests under way may cost",
  response_cache_entries: "Answers in the response cache",
  response_cache_bytes: "Bytes of the response cache",
  response_cache_hits_total: "Requests that the response cache answered",
  ccr_entries: "Originals that can be given back",
  ccr_bytes: "Bytes of them",
} as const;

/** Of a metric, without the prefix. */
export type Name = keyof typeof HELP;
type Values = Partial<Record<Name, Value>>;

/** What may go down, or is no sum of events: everything else is a counter. */
export const GAUGES: ReadonlySet<Name> = new Set([
  "build_info",
  "persistent_savings_gross_savings_usd_total",
  "persistent_savings_compression_savings_usd_total",
  "provider_cache_net_savings_usd",
  "savings_gross_usd",
  "savings_net_usd",
  "budget_limit_usd",
  "budget_spent_usd",
  "budget_reserved_usd",
  "response_cache_entries",
  "response_cache_bytes",
  "ccr_entries",
  "ccr_bytes",
]);

/** The values of all metrics. */
export function metricValues(
  figures: Figures,
  version: string,
): Readonly<Record<Name, Value>> {
  return {
    build_info: [{ value: 1, labels: { version } }],
    ...requestValues(figures),
    ...cacheValues(figures),
    ...compressionValues(figures),
    ...prefixValues(figures),
    ...moneyValues(figures),
    ...storeValues(figures),
  };
}

/** One sample per row; none where the table is withheld. */
function byName(
  label: string,
  table: Readonly<Record<string, number>> = {},
): readonly Sample[] {
  return Object.entries(table).map(([name, value]) => ({
    value,
    labels: { [label]: printable(name) },
  }));
}

function requestValues({ requests, tokens }: Figures) {
  return {
    requests_total: requests.total,
    requests_cached_total: requests.cached,
    requests_rate_limited_total: requests.rate_limited,
    requests_failed_total: requests.failed,
    requests_aborted_total: requests.aborted,
    requests_refused_total: byName("reason", {
      budget: requests.refused_by_budget,
      rate_limit: requests.refused_by_rate_limit,
    }),
    requests_by_provider: byName("provider", requests.by_provider),
    requests_by_model: byName("model", requests.by_model),
    requests_by_stack: byName("stack", requests.by_stack),
    requests_by_project: byName("project", requests.by_project),
    requests_by_agent: byName("agent", requests.by_agent),
    tokens_input_total: tokens.input,
    tokens_output_total: tokens.output,
    // A counter never goes back: what was added is counted beside it.
    tokens_saved_total: tokens.removed,
    tokens_added_total: tokens.added,
    billed_input_tokens_total: tokens.billed.input,
  } satisfies Values;
}

function cacheValues({ prefix_cache: { totals, by_provider } }: Figures) {
  // Who may not see the providers gets the sums.
  const rows = by_provider === undefined
    ? [{ row: totals, labels: {} }]
    : Object.entries(by_provider).map(([provider, row]) => ({
      row,
      labels: { provider: printable(provider) },
    }));
  const of = (valueOf: (row: PrefixCacheReport) => number | undefined) =>
    rows.map(({ row, labels }) => ({ value: valueOf(row) ?? 0, labels }));
  const byTtl = (what: "tokens" | "requests") =>
    rows.flatMap(({ row, labels }) =>
      (["5m", "1h"] as const).map((ttl) => ({
        value: row[`cache_write_${ttl}_${what}`],
        labels: { ...labels, ttl },
      }))
    );
  return {
    provider_cache_requests_total: of((row) => row.requests),
    provider_cache_hit_requests_total: of((row) => row.hit_requests),
    cache_read_tokens_total: of((row) => row.cache_read_tokens),
    cache_write_tokens_total: of((row) => row.cache_write_tokens),
    cache_write_ttl_tokens_total: byTtl("tokens"),
    cache_write_ttl_requests_total: byTtl("requests"),
    uncached_input_tokens_total: of((row) => row.uncached_input_tokens),
    provider_cache_net_savings_usd: of((row) => row.net_savings_usd),
  } satisfies Values;
}

function compressionValues(figures: Figures) {
  const { retrievals, tokens_saved_by_strategy } = figures;
  const { [ADDED]: _, ...saved } = tokens_saved_by_strategy;
  const of = (key: "elided" | "asked_for" | "tokens_given_back") =>
    Object.entries(retrievals.by_strategy).map(([strategy, row]) => ({
      value: row[key],
      labels: { strategy: printable(strategy) },
    }));
  return {
    compressions_total: byName("strategy", figures.compressions_by_strategy),
    strategy_tokens_saved_total: byName("strategy", saved),
    blocks_left_alone_total: byName("reason", figures.left_alone_by_reason),
    requests_uncompressed_total: byName(
      "reason",
      figures.summary.uncompressed_requests,
    ),
    older_decided_total: byName("reason", figures.older_decided_by_reason),
    elided_forms_total: of("elided"),
    retrievals_total: of("asked_for"),
    retrieved_tokens_total: of("tokens_given_back"),
    originals_given_back_total: retrievals.total,
    further_requests_total: retrievals.further_requests,
    further_input_tokens_total: retrievals.further_input_tokens,
    stage_failures_total: byName("stage", figures.stage_failures),
  } satisfies Values;
}

function prefixValues({ prefix_stability: prefix }: Figures) {
  const { first, extended, client, decided, ours } = prefix;
  const verdicts = { first, extended, client, decided, ours };
  return {
    prefix_requests_total: byName("verdict", verdicts),
    prefix_broken_total: ours,
    prefix_previous_bytes_total: prefix.previous_bytes,
    prefix_equal_bytes_total: prefix.equal_bytes,
  } satisfies Values;
}

function moneyValues({ cost, persistent_savings: { lifetime } }: Figures) {
  return {
    persistent_savings_requests_total: lifetime.requests,
    persistent_savings_tokens_saved_total: lifetime.tokens_saved +
      lifetime.tokens_added,
    persistent_savings_tokens_added_total: lifetime.tokens_added,
    persistent_savings_input_tokens_total: lifetime.input_tokens,
    persistent_savings_output_tokens_total: lifetime.output_tokens,
    persistent_savings_cost_usd_total: lifetime.total_cost_usd,
    persistent_savings_gross_savings_usd_total: lifetime.gross_savings_usd,
    persistent_savings_compression_savings_usd_total:
      lifetime.compression_savings_usd,
    cost_usd_total: byName("basis", {
      measured: cost.measured_cost_usd,
      estimated: cost.estimated_cost_usd,
    }),
    unpriced_requests_total: cost.unpriced_requests,
    savings_gross_usd: cost.gross_savings_usd,
    savings_net_usd: cost.total_savings_usd,
    budget_limit_usd: cost.budget_limit_usd,
    budget_spent_usd: cost.budget_basis?.total_usd,
    budget_reserved_usd: cost.budget_reserved_usd,
  } satisfies Values;
}

function storeValues({ cache, compression }: Figures) {
  return {
    response_cache_entries: cache?.entries,
    response_cache_bytes: cache?.bytes,
    response_cache_hits_total: cache?.total_hits,
    ccr_entries: compression?.ccr_entries,
    ccr_bytes: compression?.ccr_bytes,
  } satisfies Values;
}
