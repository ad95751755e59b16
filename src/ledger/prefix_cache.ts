/** What providers' prompt caches did, as billed. @module */
import type { RequestRecord } from "../core/ledger.ts";
import { bounded, UNKNOWN } from "./bounded_table.ts";
import { billedInput } from "./outcome.ts";
import { percent, usd } from "./sums.ts";

/** Tokens of a prompt cache. */
export interface PrefixCacheReport {
  /** Requests with a bill. */
  readonly requests: number;
  /** Those that read the cache. */
  readonly hit_requests: number;
  /** `hit_requests` of `requests`, in percent. */
  readonly request_hit_rate: number;
  /** Tokens read of all prompt tokens, in percent. */
  readonly hit_rate: number;
  /** Tokens read. */
  readonly cache_read_tokens: number;
  /** Tokens written, for whatever time. */
  readonly cache_write_tokens: number;
  /** Those written for five minutes, or for a time that the provider does not tell. */
  readonly cache_write_5m_tokens: number;
  /** Those written for an hour. */
  readonly cache_write_1h_tokens: number;
  /** Requests that wrote for five minutes. */
  readonly cache_write_5m_requests: number;
  /** Requests that wrote for an hour. */
  readonly cache_write_1h_requests: number;
  /** Prompt tokens that were neither read nor written. */
  readonly uncached_input_tokens: number;
  /** Which times were seen: `5m`, `1h`, `mixed`, or `none` when nothing was written. */
  readonly observed_ttl_mix: "5m" | "1h" | "mixed" | "none";
  /** What reading cost less than the list price of input; missing where prices are not known, like the next two. */
  readonly savings_usd?: number;
  /** What writing cost more than the list price of input. */
  readonly write_premium_usd?: number;
  /** `savings_usd` less `write_premium_usd`: the provider's discount, with and without svc. */
  readonly net_savings_usd?: number;
  /** Tokens read or written whose model has no price: they are in no sum of money. */
  readonly unpriced_tokens?: number;
}

/** One provider. */
export interface ProviderCacheReport extends PrefixCacheReport {
  /** Tokens by model; missing for callers that are not trusted. */
  readonly by_model?: Readonly<Record<string, PrefixCacheReport>>;
}

/** Part of the stats report. */
export interface PrefixCachesReport {
  /** Over all providers. */
  readonly totals: PrefixCacheReport;
  /** By provider format; missing for callers that are not trusted. */
  readonly by_provider?: Readonly<Record<string, ProviderCacheReport>>;
}

/** Prices of one token of a prompt, in pico-dollars (1e-12 USD). */
export interface CacheRates {
  /** Neither read from the cache nor written to it. */
  readonly input: number;
  /** Read from it. */
  readonly cacheRead: number;
  /** Written to it for its usual time. */
  readonly cacheWrite: number;
  /** Written to it for an hour. */
  readonly cacheWrite1h: number;
}

/** Tokens of one model at one provider. */
interface CacheRow {
  requests: number;
  hits: number;
  read: number;
  written5m: number;
  written1h: number;
  requests5m: number;
  requests1h: number;
  uncached: number;
}

/** Counts in memory. */
export class PrefixCaches {
  readonly #providers = new Map<string, Map<string, CacheRow>>();

  /** Counts one request, if it has a bill. */
  add({ provider, model, usage }: RequestRecord): void {
    if (billedInput(usage) === undefined) return;
    const name = bounded(this.#providers, provider || UNKNOWN);
    const models = this.#providers.get(name) ?? new Map<string, CacheRow>();
    this.#providers.set(name, models);
    const modelName = bounded(models, model || UNKNOWN);
    const row = models.get(modelName) ?? noTokens();
    models.set(modelName, row);
    const written = usage.cacheWrite ?? 0;
    // A report may have the part without the whole.
    const written1h = usage.cacheWrite1h ?? 0;
    const written5m = Math.max(0, written - written1h);
    row.requests++;
    if ((usage.cacheRead ?? 0) > 0) row.hits++;
    if (written5m > 0) row.requests5m++;
    if (written1h > 0) row.requests1h++;
    row.read += usage.cacheRead ?? 0;
    row.written5m += written5m;
    row.written1h += written1h;
    row.uncached += usage.input ?? 0;
  }

  /** Snapshot, without money. */
  report(): PrefixCachesReport {
    const providers = [...this.#providers];
    return {
      totals: reportOf(
        sumOf(providers.flatMap(([, models]) => [...models.values()])),
      ),
      by_provider: Object.fromEntries(
        providers.map(([name, models]) => [name, {
          ...reportOf(sumOf(models.values())),
          by_model: Object.fromEntries(
            [...models].map(([model, row]) => [model, reportOf(row)]),
          ),
        }]),
      ),
    };
  }
}

/**
 * Adds money to a report. Prices are those that hold today, below a model's threshold of size: unlike the cost of requests
 * these figures are not exact.
 *
 * @param ratesOf Prices of a model; `undefined` for one without.
 */
export function withMoney(
  { totals, by_provider = {} }: PrefixCachesReport,
  ratesOf: (model: string) => CacheRates | undefined,
): PrefixCachesReport {
  const providers = Object.entries(by_provider).map(([name, provider]) => {
    const models = Object.entries(provider.by_model ?? {}).map((
      [model, row],
    ) => [model, { ...row, ...moneyOf(row, ratesOf(model)) }] as const);
    return [name, {
      ...provider,
      ...sumOfMoney(models.map(([, row]) => row)),
      by_model: Object.fromEntries(models),
    }] as const;
  });
  return {
    totals: { ...totals, ...sumOfMoney(providers.map(([, row]) => row)) },
    by_provider: Object.fromEntries(providers),
  };
}

type Money = Required<
  Pick<
    PrefixCacheReport,
    "savings_usd" | "write_premium_usd" | "net_savings_usd" | "unpriced_tokens"
  >
>;

function moneyOf(
  row: PrefixCacheReport,
  rates: CacheRates | undefined,
): Money {
  const { cache_read_tokens: read, cache_write_tokens: written } = row;
  if (rates === undefined) return moneyReport(0, 0, read + written);
  const saved = read * (rates.input - rates.cacheRead);
  const premium = row.cache_write_5m_tokens * (rates.cacheWrite - rates.input) +
    row.cache_write_1h_tokens * (rates.cacheWrite1h - rates.input);
  return moneyReport(nano(saved), nano(premium), 0);
}

function sumOfMoney(rows: readonly Partial<Money>[]): Money {
  const sum = (key: keyof Money) =>
    rows.reduce((total, row) => total + Math.round(1e9 * (row[key] ?? 0)), 0);
  const unpriced = rows.reduce((n, row) => n + (row.unpriced_tokens ?? 0), 0);
  return moneyReport(sum("savings_usd"), sum("write_premium_usd"), unpriced);
}

/** @param saved Nano-dollars. @param premium Nano-dollars. */
function moneyReport(saved: number, premium: number, unpriced: number): Money {
  return {
    savings_usd: usd(saved),
    write_premium_usd: usd(premium),
    net_savings_usd: usd(saved - premium),
    unpriced_tokens: unpriced,
  };
}

/** Whole nano-dollars of pico-dollars. */
function nano(pico: number): number {
  return Math.round(pico / 1000);
}

function noTokens(): CacheRow {
  return {
    requests: 0,
    hits: 0,
    read: 0,
    written5m: 0,
    written1h: 0,
    requests5m: 0,
    requests1h: 0,
    uncached: 0,
  };
}

function sumOf(rows: Iterable<CacheRow>): CacheRow {
  const sum = noTokens();
  for (const row of rows) {
    for (const key of Object.keys(sum) as (keyof CacheRow)[]) {
      sum[key] += row[key];
    }
  }
  return sum;
}

function reportOf(row: CacheRow): PrefixCacheReport {
  const written = row.written5m + row.written1h;
  return {
    requests: row.requests,
    hit_requests: row.hits,
    request_hit_rate: percent(row.hits, row.requests),
    hit_rate: percent(row.read, row.read + written + row.uncached),
    cache_read_tokens: row.read,
    cache_write_tokens: written,
    cache_write_5m_tokens: row.written5m,
    cache_write_1h_tokens: row.written1h,
    cache_write_5m_requests: row.requests5m,
    cache_write_1h_requests: row.requests1h,
    uncached_input_tokens: row.uncached,
    observed_ttl_mix: mixOf(row),
  };
}

function mixOf({ written5m, written1h }: CacheRow) {
  if (written5m > 0 && written1h > 0) return "mixed";
  if (written1h > 0) return "1h";
  return written5m > 0 ? "5m" : "none";
}
