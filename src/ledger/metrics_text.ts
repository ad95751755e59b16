/** The stats report as metrics for a scraper. @module */
import { familyText, gauge, histogramText, summaryText } from "./exposition.ts";
import type { DurationReport } from "./durations.ts";
import {
  cacheFamilies,
  compressionFamilies,
  prefixFamilies,
  storeFamilies,
} from "./metrics_compression.ts";
import type { Figures } from "./figures.ts";
import {
  keptFamilies,
  moneyFamilies,
  requestFamilies,
  tokenFamilies,
} from "./metrics_requests.ts";

/** The figures in the text exposition format, version 0.0.4. Counters are those of this run; they begin anew when it is reset. */
export function metricsText(figures: Figures, version: string): string {
  return [
    gauge("build_info", "Version of the program", [[{ version }, 1]]),
    ...requestFamilies(figures),
    ...tokenFamilies(figures),
    ...keptFamilies(figures),
    ...cacheFamilies(figures),
    ...compressionFamilies(figures),
    ...prefixFamilies(figures),
    ...moneyFamilies(figures),
    ...storeFamilies(figures),
  ].map(familyText).join("") + durations(figures);
}

function durations({ latency, overhead, ttfb }: Figures): string {
  const summary = (name: string, help: string, report: DurationReport) =>
    summaryText({
      name,
      help,
      sum: report.sum_ms,
      count: report.total_requests,
      min: report.min_ms,
      max: report.max_ms,
    });
  const added = "Latency added by the service itself";
  return summary(
    "latency_ms",
    "Milliseconds to the last byte of responses",
    latency,
  ) +
    summary("overhead_ms", `${added} in milliseconds`, overhead) +
    summary("ttfb_ms", "Milliseconds to the first byte of responses", ttfb) +
    histogramText({
      name: "overhead_seconds",
      help: `${added} in seconds`,
      buckets: overhead.buckets.map(({ le_ms, requests }) =>
        [le_ms / 1000, requests] as const
      ),
      count: overhead.total_requests,
      sum: overhead.sum_ms / 1000,
    });
}
