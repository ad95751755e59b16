import assert from "node:assert/strict";
import { openTracing, tracingState } from "../../src/telemetry/tracing.ts";
import {
  ENTRY,
  type Logged,
  logInto,
  otelIo,
  otelOptions,
  startCollector,
  withEnv,
} from "./export_samples.ts";

const BASE = "OTEL_EXPORTER_OTLP_ENDPOINT";

/** Says what the variables mean. */
function stateIn(env: Record<string, string>, offline = false) {
  const { enabled, decidedBy } = tracingState({ env, offline });
  return [enabled, decidedBy];
}

Deno.test("tracingState is on when an endpoint is named, and off otherwise", () => {
  const own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  assert.deepEqual(stateIn({}), [false, BASE]);
  assert.deepEqual(stateIn({ [BASE]: "http://a" }), [true, BASE]);
  assert.deepEqual(stateIn({ [own]: "http://a" }), [true, own]);
});

Deno.test("tracingState is off for each variable that says so, offline first", () => {
  const off = { [BASE]: "http://a", OTEL_SDK_DISABLED: "TRUE" };
  assert.deepEqual(stateIn(off, true), [false, "SVC_OFFLINE"]);
  assert.deepEqual(stateIn(off), [false, "OTEL_SDK_DISABLED"]);
  assert.deepEqual(
    stateIn({ [BASE]: "http://a", OTEL_TRACES_EXPORTER: "none" }),
    [false, "OTEL_TRACES_EXPORTER"],
  );
});

for (
  const [name, env] of [
    ["a protocol without HTTP", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
    ["another exporter", { OTEL_TRACES_EXPORTER: "zipkin" }],
  ] as const
) {
  Deno.test(`openTracing warns of ${name} and sends nothing`, async () => {
    await using collector = startCollector();
    const logged: Logged[] = [];
    const tracing = await openTracing(
      otelOptions(),
      otelIo({ env: { ...env, [BASE]: collector.url }, log: logInto(logged) }),
    );
    tracing.record(ENTRY);
    await tracing.close();
    assert.deepEqual(logged.map(([, event]) => event), [
      "otel_setting_ignored",
    ]);
    assert.equal(collector.received.length, 0);
    assert.equal(tracing.status().enabled, false);
  });
}

Deno.test("openTracing sends nothing when offline", async () => {
  await using collector = startCollector();
  const env = { [BASE]: collector.url };
  await withEnv(env, async () => {
    const tracing = await openTracing(
      otelOptions(),
      otelIo({ env, offline: true }),
    );
    tracing.record(ENTRY);
    await tracing.close();
  });
  assert.equal(collector.received.length, 0);
});

Deno.test("openTracing posts spans to the endpoint that the variables name", async () => {
  await using collector = startCollector();
  const env = { [BASE]: `${collector.url}/` };
  await withEnv(env, async () => {
    const tracing = await openTracing(otelOptions(), otelIo({ env }));
    tracing.record(ENTRY);
    await tracing.close();
    assert.deepEqual(tracing.status(), {
      enabled: true,
      endpoint: `${collector.url}/v1/traces`,
      error: null,
    });
  });
  assert.equal((await collector.next()).path, "/v1/traces");
});
