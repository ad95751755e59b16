import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { openSpans } from "../../src/telemetry/tracing_sdk.ts";
import {
  attributesOf,
  ENTRY,
  fieldsOf,
  listOf,
  type Logged,
  logInto,
  otelIo,
  otelOptions,
  startCollector,
  withEnv,
} from "./export_samples.ts";

/** Records requests and reads the spans that arrive, strictly. */
async function spansOf(
  entries: readonly RequestRecord[],
  env: Record<string, string> = {},
  logged: Logged[] = [],
): Promise<Record<string, unknown>[]> {
  await using collector = startCollector();
  const all = { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url };
  await withEnv(all, async () => {
    const spans = openSpans(
      otelOptions(),
      otelIo({ env: all, log: logInto(logged) }),
    );
    for (const entry of entries) spans.record(entry);
    await spans.close();
  });
  if (collector.received.length === 0) return [];
  const { text } = await collector.next();
  const [resource] = listOf(
    fieldsOf(JSON.parse(text), ["resourceSpans"]).resourceSpans,
  );
  const { scopeSpans } = fieldsOf(resource, ["resource", "scopeSpans"]);
  const [scope] = listOf(scopeSpans);
  const { spans } = fieldsOf(scope, ["scope", "spans"]);
  return listOf(spans).map((span) =>
    fieldsOf(span, [
      ...["traceId", "spanId", "name", "kind", "flags", "status"],
      ...["startTimeUnixNano", "endTimeUnixNano", "attributes", "events"],
      ...["links", "droppedAttributesCount", "droppedEventsCount"],
      "droppedLinksCount",
    ])
  );
}

Deno.test("openSpans makes one client span per request with the conventions' attributes", async () => {
  const [span, ...more] = await spansOf([ENTRY]);
  assert.equal(more.length, 0);
  assert(span !== undefined);
  assert.equal(span.name, "chat claude-sonnet-4-5");
  assert.equal(span.kind, 3);
  assert.match(String(span.traceId), /^[\da-f]{32}$/);
  assert.match(String(span.spanId), /^[\da-f]{16}$/);
  assert.equal(span.startTimeUnixNano, `${ENTRY.at}000000`);
  assert.equal(span.endTimeUnixNano, `${ENTRY.at + ENTRY.latencyMs}000000`);
  assert.deepEqual(attributesOf(span.attributes), {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude-sonnet-4-5",
    "gen_ai.usage.input_tokens": 600,
    "gen_ai.usage.output_tokens": 50,
    "gen_ai.usage.cache_read.input_tokens": 400,
    "gen_ai.usage.cache_creation.input_tokens": 100,
    "http.response.status_code": 200,
    "svc.request.id": "r",
    "svc.stack": "adapter_ts_vercel_ai",
    "svc.client": "claude-cli",
    "svc.tokens.before": 1000,
    "svc.tokens.after": 600,
    "svc.tokens.saved": 400,
    "svc.overhead_ms": 4,
    "svc.ttfb_ms": 60,
  });
});

Deno.test("openSpans gives every request a trace of its own, and marks what failed", async () => {
  const [fine, failed] = await spansOf([ENTRY, { ...ENTRY, status: 503 }]);
  assert.notEqual(fine?.traceId, failed?.traceId);
  assert.equal(attributesOf(failed?.attributes)["error.type"], "503");
  assert.equal(fieldsOf(failed?.status, ["code", "message"]).code, 2);
});

Deno.test("openSpans makes none for what no model was asked", async () => {
  const spans = await spansOf([
    { ...ENTRY, provider: "passthrough" },
    { ...ENTRY, cached: true },
    { ...ENTRY, status: 429, refusedBy: "budget" },
  ]);
  assert.deepEqual(spans, []);
});

Deno.test("openSpans samples as the standard variables say", async () => {
  const none = await spansOf([ENTRY], { OTEL_TRACES_SAMPLER: "always_off" });
  assert.equal(none.length, 0);
  const all = await spansOf([ENTRY], {
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "1",
  });
  assert.equal(all.length, 1);
});

Deno.test("openSpans warns of a sampler that it does not know, and keeps all", async () => {
  const logged: Logged[] = [];
  const env = { OTEL_TRACES_SAMPLER: "sometimes" };
  assert.equal((await spansOf([ENTRY], env, logged)).length, 1);
  assert.deepEqual(logged.map(([, event]) => event), ["otel_setting_ignored"]);
});
