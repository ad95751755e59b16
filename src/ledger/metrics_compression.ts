/** Metrics of compression, of prompt caches and of what is stored. @module */
import {
  byName,
  counter,
  type Family,
  gauge,
  type Sample,
} from "./exposition.ts";
import type { Figures } from "./figures.ts";
import type { PrefixCacheReport } from "./prefix_cache.ts";
import { ADDED } from "./saved_by.ts";

/** Providers' prompt caches. */
export function cacheFamilies(
  { prefix_cache: { totals, by_provider } }: Figures,
): readonly Family[] {
  // Who may not see the providers gets the sums.
  const rows: readonly (readonly [string | undefined, PrefixCacheReport])[] =
    by_provider === undefined
      ? [[undefined, totals]]
      : Object.entries(by_provider);
  const labels = (provider: string | undefined) =>
    provider === undefined ? {} : { provider };
  const of = (key: Counts<PrefixCacheReport>): readonly Sample[] =>
    rows.map(([name, row]) => [labels(name), row[key] ?? 0]);
  const byTtl = (what: "tokens" | "requests"): readonly Sample[] =>
    rows.flatMap(([name, row]): Sample[] => [
      [{ ...labels(name), ttl: "5m" }, row[`cache_write_5m_${what}`]],
      [{ ...labels(name), ttl: "1h" }, row[`cache_write_1h_${what}`]],
    ]);
  return [
    counter(
      "provider_cache_requests_total",
      "Requests considered for the provider cache",
      of("requests"),
    ),
    counter(
      "provider_cache_hit_requests_total",
      "Requests that read the provider prompt cache",
      of("hit_requests"),
    ),
    counter(
      "cache_read_tokens_total",
      "Input tokens read from the provider cache",
      of("cache_read_tokens"),
    ),
    counter(
      "cache_write_tokens_total",
      "Input tokens written to the provider cache",
      of("cache_write_tokens"),
    ),
    counter(
      "cache_write_ttl_tokens_total",
      "Input tokens written to the provider cache, by how long they live",
      byTtl("tokens"),
    ),
    counter(
      "cache_write_ttl_requests_total",
      "Requests that wrote to the provider cache, by how long it lives",
      byTtl("requests"),
    ),
    counter(
      "uncached_input_tokens_total",
      "Input tokens neither read from nor written to the provider cache",
      of("uncached_input_tokens"),
    ),
    gauge(
      "provider_cache_net_savings_usd",
      "Discount of the provider cache in USD, less its premium for writing",
      of("net_savings_usd"),
    ),
  ];
}

/** What was compressed, what was left alone, and what was asked for again. */
export function compressionFamilies(
  figures: Figures,
): readonly Family[] {
  const { retrievals } = figures;
  const { [ADDED]: _, ...saved } = figures.tokens_saved_by_strategy;
  const shapes = Object.entries(retrievals.by_strategy);
  const of = (key: "elided" | "asked_for" | "tokens_given_back") =>
    shapes.map(([strategy, row]): Sample => [{ strategy }, row[key]]);
  return [
    byName("compressions_total", "Requests in which a compressor took part", {
      strategy: figures.compressions_by_strategy,
    }),
    byName(
      "strategy_tokens_saved_total",
      "Tokens that the forms of a compressor kept from being sent, each time",
      { strategy: saved },
    ),
    byName(
      "blocks_left_alone_total",
      "Tool results left alone when first met, by reason",
      { reason: figures.left_alone_by_reason },
    ),
    byName(
      "requests_uncompressed_total",
      "Requests without an edit, by the most frequent reason in them",
      { reason: figures.summary.uncompressed_requests },
    ),
    byName(
      "older_decided_total",
      "Requests in which tool results of older turns got forms, by reason",
      { reason: figures.older_decided_by_reason },
    ),
    counter(
      "elided_forms_total",
      "Tool results from which something was left out, by compressor",
      of("elided"),
    ),
    counter(
      "retrievals_total",
      "Originals given back, whole or in part, by compressor",
      of("asked_for"),
    ),
    counter(
      "retrieved_tokens_total",
      "Tokens of originals given back, by compressor",
      of("tokens_given_back"),
    ),
    counter(
      "originals_given_back_total",
      "Originals given back through every door, also those of earlier runs",
      retrievals.total,
    ),
    counter(
      "further_requests_total",
      "Requests sent to go on after a retrieval",
      retrievals.further_requests,
    ),
    counter(
      "further_input_tokens_total",
      "Prompt tokens of requests sent to go on after a retrieval",
      retrievals.further_input_tokens,
    ),
    byName(
      "stage_failures_total",
      "Failures after which a request went out as it came, by stage",
      { stage: figures.stage_failures },
    ),
  ];
}

/** How requests went on from those before them. */
export function prefixFamilies(
  { prefix_stability: prefix }: Figures,
): readonly Family[] {
  const verdicts = ["first", "extended", "client", "decided", "ours"] as const;
  return [
    counter(
      "prefix_requests_total",
      "Requests by how their bytes go on from the one before",
      verdicts.map((verdict): Sample => [{ verdict }, prefix[verdict]]),
    ),
    counter(
      "prefix_broken_total",
      "Requests whose prefix svc changed though the client did not: must be 0",
      prefix.ours,
    ),
    counter(
      "prefix_previous_bytes_total",
      "Bytes of the requests that others were compared with",
      prefix.previous_bytes,
    ),
    counter(
      "prefix_equal_bytes_total",
      "Bytes of them that were sent again unchanged, from the start on",
      prefix.equal_bytes,
    ),
  ];
}

/** The response cache and the store of originals. */
export function storeFamilies(
  { cache, compression }: Figures,
): readonly Family[] {
  return [
    ...cache === null ? [] : [
      gauge(
        "response_cache_entries",
        "Answers in the response cache",
        cache.entries,
      ),
      gauge(
        "response_cache_bytes",
        "Bytes of the response cache",
        cache.bytes,
      ),
      counter(
        "response_cache_hits_total",
        "Requests that the response cache answered",
        cache.total_hits,
      ),
    ],
    ...compression === null ? [] : [
      gauge(
        "ccr_entries",
        "Originals that can be given back",
        compression.ccr_entries,
      ),
      gauge("ccr_bytes", "Bytes of them", compression.ccr_bytes),
    ],
  ];
}

/** Members that are numbers, or missing. */
type Counts<T> = {
  [Key in keyof T]-?: T[Key] extends number | undefined ? Key : never;
}[keyof T];
