import assert from "node:assert/strict";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import type { RequestRecord } from "../../src/core/ledger.ts";
import {
  errorType,
  makeInstruments,
} from "../../src/telemetry/otel_instruments.ts";
import { openOwnMetrics } from "../../src/telemetry/otel_sdk.ts";
import { genAiName } from "../../src/upstream/known_hosts.ts";
import {
  ENTRY,
  otelIo,
  otelOptions,
  startCollector,
} from "./export_samples.ts";
import { readMetrics } from "./otlp_metrics.ts";

interface Series {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly value: unknown;
}

/** Records requests, and reads every series. */
async function seriesOf(
  ...entries: readonly RequestRecord[]
): Promise<Series[]> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 3_600_000,
  });
  const provider = new MeterProvider({ readers: [reader] });
  const record = makeInstruments(provider.getMeter("t"), {
    genAi: genAiName,
  });
  for (const entry of entries) record(entry);
  await provider.forceFlush();
  const series = exporter.getMetrics().flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({
          name: descriptor.name,
          attributes,
          value,
        }))
      )
    )
  );
  await provider.shutdown();
  return series;
}

/** Sums of the counters, over all series. */
function totals(series: readonly Series[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { name, value } of series) {
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}

Deno.test("makeInstruments counts what the ledger counts", async () => {
  assert.deepEqual(totals(await seriesOf(ENTRY)), {
    "svc.proxy.requests": 1,
    "svc.proxy.tokens.input": 600,
    "svc.proxy.tokens.output": 50,
    "svc.proxy.tokens.saved": 450,
    "svc.proxy.tokens.added": 50,
    "svc.proxy.cache.read_tokens": 400,
    "svc.proxy.cache.write_tokens": 100,
    "svc.proxy.cache.uncached_input_tokens": 100,
    "svc.compression.tokens.saved": 450,
  });
});

Deno.test("makeInstruments counts what was added apart, so that no counter falls", async () => {
  const series = await seriesOf(ENTRY, { ...ENTRY, tokensAfter: 1030 });
  const sums = totals(series);
  assert.equal(sums["svc.proxy.tokens.saved"], 900);
  assert.equal(sums["svc.proxy.tokens.added"], 50 + 480);
});

Deno.test("makeInstruments counts no saving of a request that failed", async () => {
  const sums = totals(await seriesOf({ ...ENTRY, status: 529, usage: {} }));
  assert.equal(sums["svc.proxy.requests.failed"], 1);
  assert.equal(sums["svc.proxy.tokens.saved"], undefined);
  assert.equal(sums["svc.proxy.tokens.added"], undefined);
  assert.equal(sums["svc.compression.tokens.saved"], undefined);
});

Deno.test("makeInstruments tells cached and limited requests, which have no overhead and no operation", async () => {
  const series = await seriesOf(
    { ...ENTRY, cached: true, usage: {} },
    { ...ENTRY, status: 429, refusedBy: "rate_limit", usage: {} },
  );
  const sums = totals(series);
  assert.equal(sums["svc.proxy.requests.cached"], 1);
  assert.equal(sums["svc.proxy.requests.rate_limited"], 1);
  const names = series.map(({ name }) => name);
  assert(!names.includes("svc.proxy.overhead.duration"));
  assert(!names.some((name) => name.startsWith("gen_ai.")));
});

Deno.test("makeInstruments names provider, model, stack and client, and leaves out what is unknown", async () => {
  const requests = (await seriesOf(
    ENTRY,
    { ...ENTRY, model: "", stack: "", agent: "" },
  )).filter(({ name }) => name === "svc.proxy.requests");
  assert.deepEqual(requests.map(({ attributes }) => attributes), [
    {
      provider: "messages",
      model: "claude-sonnet-4-5",
      stack: "adapter_ts_vercel_ai",
      client: "claude-cli",
    },
    { provider: "messages" },
  ]);
});

Deno.test("makeInstruments keeps the models of a hostile client to a hundred and one", async () => {
  const entries = Array.from(
    { length: 500 },
    (_, i) => ({ ...ENTRY, model: `m${i}` }),
  );
  const series = await seriesOf(...entries);
  for (
    const name of ["svc.proxy.requests", "gen_ai.client.operation.duration"]
  ) {
    assert.equal(series.filter((one) => one.name === name).length, 101);
  }
  assert.equal(totals(series)["svc.proxy.requests"], 500);
});

Deno.test("makeInstruments has the saving by tool definitions apart, and not in that of compression", async () => {
  const plain = totals(await seriesOf(ENTRY));
  assert(!("svc.proxy.tokens.tool_schema_saved" in plain));
  const deferred = totals(await seriesOf({ ...ENTRY, schemaTokensSaved: 30 }));
  assert.equal(deferred["svc.proxy.tokens.tool_schema_saved"], 30);
  assert.equal(
    deferred["svc.compression.tokens.saved"],
    plain["svc.compression.tokens.saved"]! - 30,
  );
});

Deno.test("genAiInstruments measures tokens and duration with the attributes and buckets of the conventions", async () => {
  await using collector = startCollector();
  const metrics = openOwnMetrics(
    otelOptions({ endpoint: collector.url }),
    otelIo(),
  );
  metrics.record(ENTRY);
  metrics.record({ ...ENTRY, status: 529, usage: {} });
  await metrics.close();
  const read = readMetrics((await collector.next()).text).metrics;
  const call = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude-sonnet-4-5",
  };
  const tokens = read.get("gen_ai.client.token.usage");
  assert.equal(tokens?.unit, "{token}");
  assert.deepEqual(
    tokens?.points.map((
      { attributes, sum, count },
    ) => [attributes, sum, count]),
    [
      [{ ...call, "gen_ai.token.type": "input" }, 600, 1],
      [{ ...call, "gen_ai.token.type": "output" }, 50, 1],
    ],
  );
  assert.deepEqual(tokens?.points[0]?.bounds, [
    ...[1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144],
    ...[1048576, 4194304, 16777216, 67108864],
  ]);
  const duration = read.get("gen_ai.client.operation.duration");
  assert.equal(duration?.unit, "s");
  assert.deepEqual(
    duration?.points.map(({ attributes, sum }) => [attributes, sum]),
    [[call, 0.1], [{ ...call, "error.type": "529" }, 0.1]],
  );
  assert.deepEqual(duration?.points[0]?.bounds, [
    ...[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28],
    ...[2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  ]);
});

Deno.test("errorType is the status of what went wrong", () => {
  assert.deepEqual(
    [200, 302, 404, 499, 529, 0, 999].map(errorType),
    [undefined, undefined, "404", "499", "529", "_OTHER", "_OTHER"],
  );
});
