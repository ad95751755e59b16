import assert from "node:assert/strict";
import { metricsState, tracesState } from "../../src/telemetry/otel_state.ts";
import { otelOptions } from "./export_samples.ts";

Deno.test("metricsState names what decides", () => {
  const reason = (
    parts: Parameters<typeof otelOptions>[0],
    env: Record<string, string> = {},
    offline = false,
  ) => metricsState(otelOptions(parts), { env, offline }).reason;
  assert.equal(reason({}, {}, true), "SVC_OFFLINE is on");
  assert.equal(
    reason({}, { OTEL_SDK_DISABLED: "true" }),
    "OTEL_SDK_DISABLED is true",
  );
  assert.equal(reason({ enabled: false }), "SVC_OTEL_METRICS_ENABLED is off");
  assert.match(reason({ exporter: "console" }), /stderr/);
  assert.equal(reason({}), "SVC_OTEL_METRICS_ENABLED is on");
});

Deno.test("metricsState shows where they go, without a secret", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:pw@c:1/a" };
  const { enabled, endpoint } = metricsState(otelOptions(), {
    env,
    offline: false,
  });
  assert.deepEqual([enabled, endpoint], [true, "https://c:1/a/v1/metrics"]);
});

Deno.test("tracesState says what is set and what cannot be used", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:pw@c" };
  const of = (more: Record<string, string>, offline = false) => {
    const { reason } = tracesState({ env: { ...env, ...more }, offline });
    return reason;
  };
  assert.equal(of({}), "OTEL_EXPORTER_OTLP_ENDPOINT is set");
  assert.equal(of({}, true), "SVC_OFFLINE is on");
  assert.equal(
    of({ OTEL_TRACES_EXPORTER: "none" }),
    "OTEL_TRACES_EXPORTER is none",
  );
  assert.equal(
    of({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
    "OTEL_EXPORTER_OTLP_PROTOCOL has a value that cannot be used",
  );
  const nowhere = tracesState({ env: {}, offline: false });
  assert.deepEqual(
    [nowhere.enabled, nowhere.reason],
    [false, "OTEL_EXPORTER_OTLP_ENDPOINT is not set"],
  );
});
