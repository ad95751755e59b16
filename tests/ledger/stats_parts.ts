/** Parts of the stats body for tests. */
import type { RequestRecord } from "../../src/core/ledger.ts";
import { statsReport } from "../../src/ledger/stats_report.ts";
import type { StatsParts } from "../../src/ledger/stats_body.ts";
import { counted } from "./counted.ts";
import { readerOf } from "./traffic.ts";

/** Everything that a body is made of, after these requests. */
export function partsOf(records: readonly RequestRecord[]): StatsParts {
  const reader = readerOf(records);
  return {
    report: statsReport(counted(...records), {
      lifetime: reader.lifetime(),
      budget: {
        budget: { limitNanoUsd: 5e9, period: "daily", estimatedBasis: "count" },
        periodStart: 0,
        measuredNanoUsd: 3e9,
        estimatedNanoUsd: 1e9,
        records: 4,
        estimatedRecords: 2,
        reservedNanoUsd: 5e8,
      },
    }),
    reader,
    mode: "cache",
    mcp: {
      compressions: 3,
      retrievals: 2,
      tokens_saved: 900,
      tokens_retrieved: 70,
    },
    ccr: {
      backend: "memory",
      entries: 4,
      bytes: 4000,
      maxBytes: 100_000,
      originalTokens: 1000,
      formTokens: 100,
      retrievals: 5,
    },
    cache: {
      entries: 1,
      total_hits: 2,
      bytes: 300,
      max_bytes: 4000,
      ttl_seconds: 3600,
    },
    rateLimiter: { requests_per_minute: 60 },
    otel: { enabled: true, endpoint: "http://collector.example" },
    beacon: { enabled: true, endpoint: "http://beacon.example" },
    isTelemetryOn: true,
    logsMessages: false,
    config: { port: 8787 },
    ratesOf: () => ({
      input: 5e6,
      cacheRead: 5e5,
      cacheWrite: 6.25e6,
      cacheWrite1h: 10e6,
    }),
    stageFailures: new Map([["scan", 2]]),
  };
}
