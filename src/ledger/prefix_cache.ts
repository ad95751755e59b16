/** What providers' prompt caches did, as billed. @module */
import { type Fields, filled, type RunSums } from "./run_sums.ts";
import { percent, usd } from "./sums.ts";

/** One provider. */
interface ProviderCacheReport extends PrefixCacheReport {
  /** Tokens by model; missing for callers that are not trusted. */
  readonly by_model?: Readonly<Record<string, PrefixCacheReport>>;
}

/** Part of the stats report. */
interface PrefixCachesReport {
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
type CacheRow = ReturnType<typeof noTokens>;

/** Reports the caches of a run, without money. */
export function prefixCachesReport(sums: RunSums): PrefixCachesReport {
  const caches = sums.topics("cache:").map((provider) =>
    [provider, sums.table(`cache:${provider}`, cacheRow)] as const
  );
  const rows = caches.flatMap(([, models]) => Object.values(models));
  return {
    totals: reportOf(sumOf(rows)),
    by_provider: Object.fromEntries(
      caches.map(([provider, models]) => [provider, {
        ...reportOf(sumOf(Object.values(models))),
        by_model: sums.table(
          `cache:${provider}`,
          (row) => reportOf(cacheRow(row)),
        ),
      }]),
    ),
  };
}

function cacheRow(fields: Fields): CacheRow {
  return filled(noTokens(), fields);
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

/** Missing where prices are not known. */
type Money = Readonly<ReturnType<typeof moneyReport>>;

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
function moneyReport(saved: number, premium: number, unpriced: number) {
  return {
    /** What reading cost less than the list price of input. */
    savings_usd: usd(saved),
    /** What writing cost more than the list price of input. */
    write_premium_usd: usd(premium),
    /** `savings_usd` less `write_premium_usd`: the provider's discount, with and without svc. */
    net_savings_usd: usd(saved - premium),
    /** Tokens read or written whose model has no price: they are in no sum of money. */
    unpriced_tokens: unpriced,
  };
}

/** Whole nano-dollars of pico-dollars. */
function nano(pico: number): number {
  return Math.round(pico / 1000);
}

function noTokens() {
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

/** Tokens of a prompt cache. */
export type PrefixCacheReport =
  & Readonly<ReturnType<typeof reportOf>>
  & Partial<Money>;

function reportOf(row: CacheRow) {
  const written = row.written5m + row.written1h;
  return {
    /** Requests with a bill. */
    requests: row.requests,
    /** Those that read the cache. */
    hit_requests: row.hits,
    /** `hit_requests` of `requests`, in percent. */
    request_hit_rate: percent(row.hits, row.requests),
    /** Tokens read of all prompt tokens, in percent. */
    hit_rate: percent(row.read, row.read + written + row.uncached),
    /** Tokens read. */
    cache_read_tokens: row.read,
    /** Tokens written, for whatever time. */
    cache_write_tokens: written,
    /** Those written for five minutes, or for a time that the provider does not tell. */
    cache_write_5m_tokens: row.written5m,
    /** Those written for an hour. */
    cache_write_1h_tokens: row.written1h,
    /** Requests that wrote for five minutes. */
    cache_write_5m_requests: row.requests5m,
    /** Requests that wrote for an hour. */
    cache_write_1h_requests: row.requests1h,
    /** Prompt tokens that were neither read nor written. */
    uncached_input_tokens: row.uncached,
    /** Which times were seen: `5m`, `1h`, `mixed`, or `none` when nothing was written. */
    observed_ttl_mix: mixOf(row),
  };
}

function mixOf({ written5m, written1h }: CacheRow) {
  if (written5m > 0 && written1h > 0) return "mixed";
  if (written1h > 0) return "1h";
  return written5m > 0 ? "5m" : "none";
}

/** A request whose prefix we changed. */
interface BrokenPrefix {
  /** Of the request. */
  readonly request_id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** JSON Pointer of the first value that differs. */
  readonly first_difference: string;
}

/** Reports how the requests of a run went on from those before them. */
export function prefixStabilityReport(sums: RunSums) {
  const { first = 0, extended = 0, client = 0, decided = 0, ...rest } = sums.of(
    "prefix",
  );
  const { ours = 0, previous = 0, equal = 0 } = rest;
  const last = sums.note("prefix");
  return {
    /** Requests that were compared with the one before in their conversation. */
    compared: extended + client + decided + ours,
    /** Requests that had none to compare with. */
    first,
    /** Compared ones that sent all of the one before again, and only added to it. */
    extended,
    /** Those in which the client changed something itself. */
    client,
    /** Those in which older tool results were given forms on purpose. */
    decided,
    /** Those in which svc sent something else though the client did not: must be 0. */
    ours,
    /** Bytes that the requests before had sent. */
    previous_bytes: previous,
    /** Bytes of them, from the start of the prompt on, that were sent again unchanged. */
    equal_bytes: equal,
    /** `equal_bytes` of `previous_bytes`, in percent; 100 when nothing was compared. */
    equal_percent: previous === 0 ? 100 : percent(equal, previous),
    /** The last of `ours`; `null` for none, missing for callers that are not trusted. */
    last_ours: last === undefined ? null : JSON.parse(last) as BrokenPrefix,
  };
}
