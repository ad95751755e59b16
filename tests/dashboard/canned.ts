/** Answers of the shapes that the proxy gives, of one made-up day of work. @module */
import type {
  Health,
  Lifetime,
  Stats,
  SumsReport,
} from "../../dashboard/api.ts";
import day from "../fixtures/dashboard/day.json" with { type: "json" };

/** The moment of all answers. */
export const NOW = "2026-10-14T14:20:00.000Z";

/** Body of `/stats` after some work. */
export const STATS = day.stats as Stats;

/** The same figures in the whole file. */
export const LIFETIME: Lifetime = day.lifetime;

/** Body of `/health`. */
export const HEALTH: Health = day.health;

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
