/** Metrics for a scraper. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { NOBODY, type Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/** The numbers that are exposed: the part of the stats report that this format can hold. */
export interface MetricsReport {
  /** Requests by outcome. */
  readonly requests: {
    readonly total: number;
    readonly cached: number;
    readonly rate_limited: number;
    readonly failed: number;
    readonly by_provider?: Readonly<Record<string, number>>;
    readonly by_model?: Readonly<Record<string, number>>;
  };
  /** Tokens of this process. */
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly saved: number;
    readonly added: number;
  };
  /** Whole duration of requests. */
  readonly latency: DurationMetric;
  /** What this service added to it. */
  readonly overhead: DurationMetric;
  /** Providers' prompt caches. */
  readonly prefix_cache: {
    readonly by_provider?: Readonly<Record<string, PrefixCacheMetric>>;
  };
  /** What is kept over restarts; a net sum, and what was lost beside it. */
  readonly persistent_savings: {
    readonly lifetime: {
      readonly tokens_saved: number;
      readonly tokens_added: number;
    };
  };
  /** Originals given back. */
  readonly retrievals: {
    readonly by_strategy: Readonly<Record<string, ShapeMetric>>;
  };
}

/** Forms of one compressor. */
export interface ShapeMetric {
  readonly elided: number;
  readonly asked_for: number;
  readonly tokens_given_back: number;
}

/** Milliseconds. */
export interface DurationMetric {
  readonly sum_ms: number;
  readonly min_ms: number;
  readonly max_ms: number;
  readonly total_requests: number;
}

/** One provider's prompt cache. */
export interface PrefixCacheMetric {
  readonly requests: number;
  readonly hit_requests: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly uncached_input_tokens: number;
}

type Sample = readonly [labels: string, value: number];

/**
 * Makes the handler of `GET /metrics`: open to all, series by provider and model to
 * trusted callers only.
 *
 * @param trust Who sees them beside this machine; nobody unless given.
 */
export function metrics(
  report: () => MetricsReport,
  trust: Trust = NOBODY,
): Handler<ProxyEnv> {
  return (c) => {
    const numbers = report();
    const shown = isTrustedCaller(c, trust) ? numbers : withhold(numbers);
    return new Response(exposition(shown), {
      headers: {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
        "cache-control": "no-store",
      },
    });
  };
}

/** Callers that may not learn which providers and models are in use get the sums. */
function withhold(report: MetricsReport): MetricsReport {
  const { by_provider: _p, by_model: _m, ...requests } = report.requests;
  return { ...report, requests, prefix_cache: {} };
}

/** The report in the text exposition format, version 0.0.4. */
export function exposition(report: MetricsReport): string {
  const { requests, tokens, persistent_savings: { lifetime } } = report;
  const cache = Object.entries(report.prefix_cache.by_provider ?? {});
  const perProvider = (key: keyof PrefixCacheMetric): readonly Sample[] =>
    cache.map(([name, row]) => [label("provider", name), row[key]]);
  const shapes = Object.entries(report.retrievals.by_strategy);
  const perStrategy = (key: keyof ShapeMetric): readonly Sample[] =>
    shapes.map(([name, row]) => [label("strategy", name), row[key]]);
  return [
    counter("requests_total", "Requests processed", requests.total),
    counter(
      "requests_cached_total",
      "Requests answered from the response cache",
      requests.cached,
    ),
    counter(
      "requests_rate_limited_total",
      "Rate-limited requests",
      requests.rate_limited,
    ),
    counter("requests_failed_total", "Upstream 5xx failures", requests.failed),
    counter("tokens_input_total", "Input tokens", tokens.input),
    counter("tokens_output_total", "Output tokens", tokens.output),
    counter(
      "tokens_saved_total",
      "Tokens saved since this process started, over requests that gained",
      // A counter never goes back: what was lost is counted beside it.
      tokens.saved + tokens.added,
    ),
    counter(
      "tokens_added_total",
      "Tokens that the retrieval tool added, over requests that lost",
      tokens.added,
    ),
    counter(
      "persistent_savings_tokens_saved_total",
      "Durable lifetime input tokens saved, over requests that gained",
      lifetime.tokens_saved + lifetime.tokens_added,
    ),
    durations("latency_ms", "Request latency in milliseconds", report.latency),
    durations(
      "overhead_ms",
      "Latency added by the service itself in milliseconds",
      report.overhead,
    ),
    family(
      "requests_by_provider",
      "counter",
      "Requests by provider",
      byName("provider", requests.by_provider),
    ),
    family(
      "requests_by_model",
      "counter",
      "Requests by model",
      byName("model", requests.by_model),
    ),
    family(
      "provider_cache_requests_total",
      "counter",
      "Requests considered for the provider cache",
      perProvider("requests"),
    ),
    family(
      "provider_cache_hit_requests_total",
      "counter",
      "Requests that read the provider prompt cache",
      perProvider("hit_requests"),
    ),
    family(
      "cache_read_tokens_total",
      "counter",
      "Input tokens read from the provider cache",
      perProvider("cache_read_tokens"),
    ),
    family(
      "cache_write_tokens_total",
      "counter",
      "Input tokens written to the provider cache",
      perProvider("cache_write_tokens"),
    ),
    family(
      "uncached_input_tokens_total",
      "counter",
      "Input tokens neither read from nor written to the provider cache",
      perProvider("uncached_input_tokens"),
    ),
    family(
      "elided_forms_total",
      "counter",
      "Tool results from which something was left out, by compressor",
      perStrategy("elided"),
    ),
    family(
      "retrievals_total",
      "counter",
      "Originals given back, whole or in part, by compressor",
      perStrategy("asked_for"),
    ),
    family(
      "retrieved_tokens_total",
      "counter",
      "Tokens of originals given back, by compressor",
      perStrategy("tokens_given_back"),
    ),
  ].join("");
}

function counter(name: string, help: string, value: number): string {
  return family(name, "counter", help, [["", value]]);
}

/** Sum and count as one summary without quantiles; the extremes as gauges. */
function durations(name: string, help: string, metric: DurationMetric): string {
  return header(name, "summary", help) +
    line(`${name}_sum`, "", metric.sum_ms) +
    line(`${name}_count`, "", metric.total_requests) +
    family(`${name}_min`, "gauge", `${help}, smallest`, [["", metric.min_ms]]) +
    family(`${name}_max`, "gauge", `${help}, largest`, [["", metric.max_ms]]);
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  return header(name, type, help) +
    samples.map(([labels, value]) => line(name, labels, value)).join("");
}

function header(name: string, type: string, help: string): string {
  return `# HELP svc_${name} ${help}\n# TYPE svc_${name} ${type}\n`;
}

function line(name: string, labels: string, value: number): string {
  return `svc_${name}${labels} ${value}\n`;
}

function byName(
  key: string,
  table: Readonly<Record<string, number>> = {},
): readonly Sample[] {
  return Object.entries(table).map((
    [name, value],
  ) => [label(key, name), value]);
}

/** One label; back-slash, quote and line feed are the characters that the format escapes. */
function label(key: string, value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
  return `{${key}="${escaped}"}`;
}
