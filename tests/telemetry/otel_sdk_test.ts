import assert from "node:assert/strict";
import { openOwnMetrics } from "../../src/telemetry/otel_sdk.ts";
import {
  ENTRY,
  type Logged,
  logInto,
  otelIo,
  otelOptions,
  startCollector,
  withEnv,
} from "./export_samples.ts";
import { readMetrics } from "./otlp_metrics.ts";

const TEMPORALITY = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

/** Milliseconds between exports in tests that need several. */
const OFTEN_MS = 100;

/** What a collector answers, and how often it is waited for before the export is closed. */
interface Collecting {
  readonly answers?: readonly (() => Response)[];
  readonly exports?: number;
  readonly env?: Record<string, string>;
}

/** Exports one request. */
async function exported(
  options: Parameters<typeof otelOptions>[0],
  { answers = [], exports = 0, env = {} }: Collecting = {},
) {
  await using collector = startCollector(...answers);
  const logged: Logged[] = [];
  return await withEnv(env, async () => {
    const metrics = openOwnMetrics(
      otelOptions({ endpoint: collector.url, ...options }),
      otelIo({ env, log: logInto(logged) }),
    );
    metrics.record(ENTRY);
    for (let i = 0; i < exports; i++) await collector.next();
    await metrics.close();
    const read = () => readMetrics(collector.received[0]!.text);
    return { logged, health: metrics.health(), read };
  });
}

for (
  const [word, sums, histograms] of [
    ["cumulative", 2, 2],
    ["DELTA", 1, 1],
    ["lowmemory", 1, 1],
    ["nonsense", 2, 2],
  ] as const
) {
  Deno.test(`openOwnMetrics exports with the temporality ${word}`, async () => {
    const { read, logged } = await exported({}, {
      env: { [TEMPORALITY]: word },
    });
    for (const { kind, temporality } of read().metrics.values()) {
      assert.equal(temporality, kind === "sum" ? sums : histograms);
    }
    assert.deepEqual(
      logged.map(([level, event]) => [level, event]),
      word === "nonsense" ? [["warn", "otel_setting_ignored"]] : [],
    );
  });
}

Deno.test("openOwnMetrics names the service, the process and the user's attributes", async () => {
  const { read } = await exported({
    serviceName: "mine",
    resourceAttributes: [["deployment.environment", "home"]],
  });
  const { resource, scope } = read();
  assert.equal(resource["service.name"], "mine");
  assert.equal(resource["service.version"], "1.2.3");
  assert.equal(resource["service.instance.id"], "instance-1");
  assert.equal(resource["deployment.environment"], "home");
  assert.deepEqual(scope, { name: "svc", version: "1.2.3" });
});

Deno.test("openOwnMetrics warns once while points are rejected, and says when they are taken", async () => {
  const partial = (count: string) => () =>
    Response.json({
      partialSuccess: {
        rejectedDataPoints: count,
        errorMessage: "cumulative is not\u001b[31m supported",
      },
    });
  const { logged, health } = await exported({ intervalMs: OFTEN_MS }, {
    answers: [partial("3"), partial("4"), () => Response.json({})],
    exports: 3,
  });
  const reason = "cumulative is not [31m supported";
  assert.deepEqual(logged, [
    ["warn", "otel_points_rejected", {
      signal: "metrics",
      rejected: 3,
      reason,
    }],
    ["info", "otel_export_recovered", { signal: "metrics" }],
  ]);
  assert.deepEqual(health, { error: null, rejected_points: 7 });
});

Deno.test("openOwnMetrics warns once while exports fail, and again after a recovery", async () => {
  const refused = () => new Response("secret-1 is wrong", { status: 401 });
  const fine = () => Response.json({});
  const { logged, health } = await exported({
    intervalMs: OFTEN_MS,
    headers: [["authorization", "secret-1"]],
  }, { answers: [refused, refused, fine, refused], exports: 4 });
  const failed = [
    "warn",
    "otel_export_failed",
    { signal: "metrics", reason: "HTTP 401" },
  ];
  assert.deepEqual(logged, [
    failed,
    ["info", "otel_export_recovered", { signal: "metrics" }],
    failed,
  ]);
  assert.equal(health.error, "failed: HTTP 401");
});

Deno.test("openOwnMetrics follows no redirection", async () => {
  await using other = startCollector();
  const headers = { location: other.url };
  const { logged } = await exported({}, {
    answers: [() => new Response(null, { status: 307, headers })],
  });
  assert.equal(other.received.length, 0);
  assert.deepEqual(logged.map(([, event]) => event), ["otel_export_failed"]);
});

Deno.test("openOwnMetrics writes a line of JSON per export with the console exporter", async () => {
  let written = "";
  const metrics = openOwnMetrics(
    otelOptions({ exporter: "console" }),
    otelIo({ write: (text) => void (written += text) }),
  );
  metrics.record(ENTRY);
  await metrics.close();
  assert(written.endsWith("\n"));
  const { metrics: read } = readMetrics(written.trimEnd());
  assert(read.has("svc.proxy.requests"));
});
