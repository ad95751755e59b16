import assert from "node:assert/strict";
import { errorType, promptTokens } from "../../src/telemetry/gen_ai_metrics.ts";
import { openOwnMetrics } from "../../src/telemetry/otel_sdk.ts";
import {
  ENTRY,
  otelIo,
  otelOptions,
  startCollector,
} from "./export_samples.ts";
import { readMetrics } from "./otlp_metrics.ts";

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

Deno.test("promptTokens sums what was reported, and is undefined when nothing was", () => {
  assert.equal(promptTokens({ input: 1, cacheRead: 2, cacheWrite: 3 }), 6);
  assert.equal(promptTokens({ cacheRead: 2 }), 2);
  assert.equal(promptTokens({ output: 5 }), undefined);
});

Deno.test("errorType is the status of what went wrong", () => {
  assert.deepEqual(
    [200, 302, 404, 499, 529, 0, 999].map(errorType),
    [undefined, undefined, "404", "499", "529", "_OTHER", "_OTHER"],
  );
});
