import assert from "node:assert/strict";
import { recentRequest } from "../../src/ledger/recent_requests.ts";
import { NOON, RECORD } from "./samples.ts";
import { readerOf } from "./traffic.ts";

Deno.test("recentRequest has the fields of the wire, and null for an output that nobody reported", () => {
  const [logged] = readerOf([RECORD]).requests({ limit: 1 });
  assert.deepEqual(recentRequest(logged!), {
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
