import assert from "node:assert/strict";
import { openOtelMetrics } from "../../src/telemetry/otel_metrics.ts";
import {
  ENTRY,
  otelIo,
  otelOptions,
  startCollector,
  withEnv,
} from "./export_samples.ts";
import { readMetrics } from "./otlp_metrics.ts";

Deno.test("openOtelMetrics posts what was recorded to the full URL when it closes", async () => {
  await using collector = startCollector();
  const endpoint = `${collector.url}/otlp/anything`;
  const metrics = await openOtelMetrics(
    otelOptions({ endpoint, headers: [["authorization", "secret-1"]] }),
    otelIo(),
  );
  metrics.record(ENTRY);
  await metrics.close();
  const { path, headers, text } = await collector.next();
  assert.equal(path, "/otlp/anything");
  assert.equal(headers.get("authorization"), "secret-1");
  assert.equal(headers.get("content-type"), "application/json");
  const sums = readMetrics(text).metrics;
  assert.equal(sums.get("svc.proxy.requests")?.points[0]?.value, 1);
});

Deno.test("openOtelMetrics reports its state without a secret", async () => {
  await using collector = startCollector();
  const metrics = await openOtelMetrics(
    otelOptions({
      endpoint: `${collector.url}/v1/metrics`,
      headers: [["authorization", "secret-1"]],
    }),
    otelIo(),
  );
  const status = metrics.status();
  await metrics.close();
  assert.deepEqual(status, {
    enabled: true,
    exporter: "otlp_http",
    endpoint: `${collector.url}/v1/metrics`,
    service_name: "svc-proxy",
    export_interval_ms: 3_600_000,
    error: null,
    rejected_points: 0,
  });
});

Deno.test("openOtelMetrics follows the standard variables when no endpoint is set", async () => {
  await using collector = startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=a",
  };
  await withEnv(env, async () => {
    const metrics = await openOtelMetrics(otelOptions(), otelIo({ env }));
    metrics.record(ENTRY);
    assert.equal(
      metrics.status().endpoint,
      `${collector.url}/base/v1/metrics`,
    );
    await metrics.close();
  });
  const { path, headers } = await collector.next();
  assert.equal(path, "/base/v1/metrics");
  assert.equal(headers.get("x-team"), "a");
});

for (
  const [name, options, io] of [
    ["it is not enabled", otelOptions({ enabled: false }), otelIo()],
    ["offline", otelOptions(), otelIo({ offline: true })],
    [
      "OTEL_SDK_DISABLED is true",
      otelOptions(),
      otelIo({ env: { OTEL_SDK_DISABLED: "true" } }),
    ],
  ] as const
) {
  Deno.test(`openOtelMetrics sends nothing when ${name}`, async () => {
    await using collector = startCollector();
    const endpoint = collector.url;
    const metrics = await openOtelMetrics({ ...options, endpoint }, io);
    metrics.record(ENTRY);
    await metrics.close();
    assert.equal(collector.received.length, 0);
    const { enabled, exporter, endpoint: shown } = metrics.status();
    assert.deepEqual([enabled, exporter, shown], [false, null, null]);
  });
}

Deno.test("openOtelMetrics records into the provider that a host has set", async () => {
  const { metrics: api } = await import("@opentelemetry/api");
  const {
    InMemoryMetricExporter,
    MeterProvider,
    PeriodicExportingMetricReader,
  } = await import("@opentelemetry/sdk-metrics");
  const exporter = new InMemoryMetricExporter(1);
  const provider = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: 3_600_000,
      }),
    ],
  });
  assert(api.setGlobalMeterProvider(provider));
  try {
    const options = otelOptions({ enabled: false });
    const metrics = await openOtelMetrics(options, otelIo());
    metrics.record(ENTRY);
    assert.equal(metrics.status().exporter, "host");
    const offline = await openOtelMetrics(options, otelIo({ offline: true }));
    offline.record(ENTRY);
    await provider.forceFlush();
    const names = exporter.getMetrics().flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics)
    );
    const requests = names.find(({ descriptor }) =>
      descriptor.name === "svc.proxy.requests"
    );
    assert.deepEqual(requests?.dataPoints.map(({ value }) => value), [1]);
    await metrics.close();
  } finally {
    api.disable();
    await provider.shutdown();
  }
});
