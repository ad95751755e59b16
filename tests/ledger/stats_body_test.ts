import assert from "node:assert/strict";
import { statsBody } from "../../src/ledger/stats_body.ts";
import { NOON, RECORD } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { traffic } from "./traffic.ts";

Deno.test("statsBody shows the last ten requests and the points of the last hundred", () => {
  const body = statsBody(partsOf(traffic(61, 300)));
  assert.deepEqual(
    body.recent_requests?.map(({ request_id }) => request_id),
    body.request_logs?.map(({ id }) => id),
  );
  assert.equal(body.recent_requests?.length, 10);
  assert.equal(body.recent_requests?.[0]?.request_id, "r299");
  assert.ok(body.savings_history.length > 10);
  assert.ok(body.savings_history.length <= 100);
  assert.equal(body.display_session.requests, 300);
  assert.deepEqual(body.stage_failures, { scan: 2 });
});

Deno.test("statsBody is plain JSON: it survives being sent", () => {
  const { request_logs: _, ...body } = statsBody(partsOf(traffic(62, 60)));
  assert.deepEqual(JSON.parse(JSON.stringify(body)), body);
});

Deno.test("statistics of tools are there when they are switched on only", () => {
  const form = {
    key: "b" as never,
    entry: "k" as never,
    toolName: "Bash",
    strategy: "log",
    saved: 300,
  };
  const block = {
    key: undefined,
    entry: undefined,
    isKnown: false,
    messageIndex: 0,
    toolName: "Bash",
    kind: "log",
    outcome: "elided",
    strategy: "log",
    reason: "",
    bytes: 9,
    tokensBefore: 400,
    tokensAfter: 100,
  } as const;
  const parts = partsOf([{ ...RECORD, forms: [form], blocks: [block] }]);
  assert.deepEqual(statsBody(parts).telemetry, {
    enabled: true,
    total_compressions: 1,
    total_retrievals: 0,
    global_retrieval_rate: 0,
    tool_signatures_tracked: 1,
    avg_compression_ratio: 0.25,
    avg_token_reduction: 300,
  });
  const off = statsBody({ ...parts, isTelemetryOn: false });
  assert.deepEqual(off.telemetry, { enabled: false });
});

Deno.test("statsBody shows a recent request in the fields of the wire, and null for an output that nobody reported", () => {
  const [recent] = statsBody(partsOf([RECORD])).recent_requests;
  assert.deepEqual(recent, {
    request_id: "r",
    timestamp: new Date(NOON).toISOString(),
    provider: "messages",
    model: "m1",
    project: "default",
    status: 200,
    input_tokens_original: 1000,
    input_tokens_optimized: 600,
    output_tokens: null,
    tokens_saved: 400,
    savings_percent: 40,
    optimization_latency_ms: 4,
    total_latency_ms: 100,
    transforms_applied: ["log"],
  });
});
