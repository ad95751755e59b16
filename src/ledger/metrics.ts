/** The stats report as metrics for a scraper. @module */
import type { Registry } from "prom-client";
import type { DurationReport } from "./durations.ts";
import type { Figures } from "./figures.ts";
import {
  GAUGES,
  HELP,
  metricValues,
  type Name,
  type Sample,
  type Value,
} from "./metric_values.ts";

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "summary" | "histogram";
  readonly values: readonly Sample[];
}

const PREFIX = "svc_";

/**
 * The figures in the text exposition format, version 0.0.4. Counters are those of this run; they begin anew when it is
 * reset. The package that writes the format is loaded by the first call.
 */
export async function metricsText(
  figures: Figures,
  version: string,
): Promise<string> {
  // The rest of the package, which measures, takes 50 to 90 ms to load.
  const loaded = await import("prom-client/lib/registry.js");
  const registry: Registry = new loaded.default();
  for (
    const metric of [...plainMetrics(figures, version), ...durations(figures)]
  ) {
    registry.registerMetric({ ...metric, get: () => metric } as never);
  }
  return (await registry.metrics()).replaceAll("\n\n", "\n");
}

function plainMetrics(figures: Figures, version: string): readonly Metric[] {
  const values = metricValues(figures, version);
  return (Object.keys(HELP) as Name[]).map((name) => ({
    name: PREFIX + name,
    help: HELP[name],
    type: GAUGES.has(name) ? "gauge" as const : "counter" as const,
    values: samplesOf(values[name]),
  })).filter(({ values }) => values.length > 0);
}

function samplesOf(value: Value): readonly Sample[] {
  if (value === undefined) return [];
  return typeof value === "number" ? [{ value, labels: {} }] : value;
}

function durations({ latency, overhead, ttfb }: Figures): readonly Metric[] {
  const added = "Latency added by the service itself";
  const name = `${PREFIX}overhead_seconds`;
  const buckets = overhead.buckets.map(({ le_ms, requests }) => ({
    value: requests,
    labels: { le: `${le_ms / 1000}` },
  }));
  const all = { value: overhead.total_requests, labels: { le: "+Inf" } };
  return [
    ...duration(
      "latency_ms",
      "Milliseconds to the last byte of responses",
      latency,
    ),
    ...duration("overhead_ms", `${added} in milliseconds`, overhead),
    ...duration("ttfb_ms", "Milliseconds to the first byte of responses", ttfb),
    {
      name,
      help: `${added} in seconds`,
      type: "histogram",
      values: [
        ...[...buckets, all].map((bucket) => ({
          ...bucket,
          metricName: `${name}_bucket`,
        })),
        ...sumAndCount(name, overhead.sum_ms / 1000, overhead.total_requests),
      ],
    },
  ];
}

/** Sum and count, and the extremes as gauges. */
function duration(
  unprefixed: string,
  help: string,
  report: DurationReport,
): readonly Metric[] {
  const name = PREFIX + unprefixed;
  const extreme = (word: string, long: string, value: number) => ({
    name: `${name}_${word}`,
    help: `${help}, ${long}`,
    type: "gauge" as const,
    values: samplesOf(value),
  });
  return [
    {
      name,
      help,
      type: "summary",
      values: sumAndCount(name, report.sum_ms, report.total_requests),
    },
    extreme("min", "smallest", report.min_ms),
    extreme("max", "largest", report.max_ms),
  ];
}

function sumAndCount(
  name: string,
  sum: number,
  count: number,
): readonly Sample[] {
  return [
    { value: sum, labels: {}, metricName: `${name}_sum` },
    { value: count, labels: {}, metricName: `${name}_count` },
  ];
}
