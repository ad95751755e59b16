import assert from "node:assert/strict";
import {
  isSdkDisabled,
  metricsUrl,
  otlpUrl,
  shownUrl,
} from "../../src/telemetry/otel_contract.ts";

Deno.test("otlpUrl prefers the variable of the signal, which gets nothing appended", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://a/",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/x",
  };
  assert.equal(otlpUrl("TRACES", env), "http://b/x");
  assert.equal(otlpUrl("METRICS", env), "http://a/v1/metrics");
  assert.equal(otlpUrl("METRICS", {}), undefined);
});

Deno.test("shownUrl leaves out user, password, query and fragment", () => {
  assert.equal(shownUrl("https://u:p@h:1/x?key=k#f"), "https://h:1/x");
  assert.equal(shownUrl("not a url"), "?");
});

Deno.test("metricsUrl prefers the endpoint that is set, and falls back to this machine", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a" };
  assert.equal(metricsUrl({ endpoint: "http://b/x" }, env), "http://b/x");
  assert.equal(metricsUrl({ endpoint: undefined }, env), "http://a/v1/metrics");
  assert.equal(
    metricsUrl({ endpoint: undefined }, {}),
    "http://localhost:4318/v1/metrics",
  );
});

Deno.test("isSdkDisabled is true for the word true only", () => {
  const values = [undefined, "", "false", "1", "true", " TRUE "];
  assert.deepEqual(
    values.map((OTEL_SDK_DISABLED) => isSdkDisabled({ OTEL_SDK_DISABLED })),
    [false, false, false, false, true, true],
  );
});
