/** Metrics of requests, tokens and money. @module */
import {
  byName,
  counter,
  type Family,
  gauge,
  type Sample,
} from "./exposition.ts";
import type { Figures } from "./figures.ts";

/** Requests by outcome and by what they have in common. */
export function requestFamilies(
  { requests }: Figures,
): readonly Family[] {
  const refused: readonly Sample[] = [
    [{ reason: "budget" }, requests.refused_by_budget],
    [{ reason: "rate_limit" }, requests.refused_by_rate_limit],
  ];
  return [
    counter("requests_total", "Requests processed", requests.total),
    counter(
      "requests_cached_total",
      "Requests answered from the response cache",
      requests.cached,
    ),
    counter(
      "requests_rate_limited_total",
      "Rate-limited requests, here or at the provider",
      requests.rate_limited,
    ),
    counter("requests_failed_total", "Upstream 5xx failures", requests.failed),
    counter(
      "requests_aborted_total",
      "Requests whose client left before the end",
      requests.aborted,
    ),
    counter("requests_refused_total", "Requests refused here", refused),
    byName("requests_by_provider", "Requests by provider", {
      provider: requests.by_provider,
    }),
    byName("requests_by_model", "Requests by model", {
      model: requests.by_model,
    }),
    byName("requests_by_stack", "Requests by stack", {
      stack: requests.by_stack,
    }),
    byName("requests_by_project", "Requests by project", {
      project: requests.by_project,
    }),
    byName("requests_by_agent", "Requests by client program", {
      agent: requests.by_agent,
    }),
  ];
}

/** Tokens of this run. */
export function tokenFamilies({ tokens }: Figures): readonly Family[] {
  return [
    counter(
      "tokens_input_total",
      "Prompt tokens sent upstream, as billed or else by own count",
      tokens.input,
    ),
    counter("tokens_output_total", "Generated tokens", tokens.output),
    counter(
      "tokens_saved_total",
      "Tokens that compression took away since this process started",
      // A counter never goes back: what was added is counted beside it.
      tokens.removed,
    ),
    counter(
      "tokens_added_total",
      "Tokens that the retrieval tool and what it gave back added",
      tokens.added,
    ),
    counter(
      "billed_input_tokens_total",
      "Prompt tokens by the providers' count",
      tokens.billed.input,
    ),
  ];
}

/** What survives restarts. */
export function keptFamilies(
  { persistent_savings: { lifetime } }: Figures,
): readonly Family[] {
  const name = (what: string) => `persistent_savings_${what}_total`;
  return [
    counter(name("requests"), "Durable lifetime requests", lifetime.requests),
    counter(
      name("tokens_saved"),
      "Durable lifetime input tokens that compression took away",
      lifetime.tokens_saved + lifetime.tokens_added,
    ),
    counter(
      name("tokens_added"),
      "Durable lifetime input tokens that were added",
      lifetime.tokens_added,
    ),
    counter(
      name("input_tokens"),
      "Durable lifetime prompt tokens",
      lifetime.input_tokens,
    ),
    counter(
      name("output_tokens"),
      "Durable lifetime generated tokens",
      lifetime.output_tokens,
    ),
    counter(
      name("cost_usd"),
      "Durable lifetime cost of requests in USD",
      lifetime.total_cost_usd,
    ),
    gauge(
      name("gross_savings_usd"),
      "Durable lifetime tokens saved in USD at the list price of input",
      lifetime.gross_savings_usd,
    ),
    gauge(
      name("compression_savings_usd"),
      "Durable lifetime savings in USD, price-weighted and net: may go down",
      lifetime.compression_savings_usd,
    ),
  ];
}

/** Money of this run, and the budget. */
export function moneyFamilies({ cost }: Figures): readonly Family[] {
  const spent = cost.budget_basis?.total_usd;
  const maybe = (name: string, help: string, value: number | undefined) =>
    gauge(name, help, value === undefined ? [] : value);
  return [
    counter("cost_usd_total", "Cost of requests in USD, by its basis", [
      [{ basis: "measured" }, cost.measured_cost_usd],
      [{ basis: "estimated" }, cost.estimated_cost_usd],
    ]),
    counter(
      "unpriced_requests_total",
      "Requests whose cost nobody knows",
      cost.unpriced_requests,
    ),
    gauge(
      "savings_gross_usd",
      "Saved tokens in USD at the list price of input",
      cost.gross_savings_usd,
    ),
    gauge(
      "savings_net_usd",
      "Savings in USD, price-weighted and net: may go down",
      cost.total_savings_usd,
    ),
    maybe("budget_limit_usd", "Budget per period", cost.budget_limit_usd),
    maybe("budget_spent_usd", "Spend of the present period", spent),
    maybe(
      "budget_reserved_usd",
      "What requests under way may cost",
      cost.budget_reserved_usd,
    ),
  ];
}
