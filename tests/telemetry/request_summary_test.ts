import assert from "node:assert/strict";
import { requestSummary } from "../../src/telemetry/request_summary.ts";
import { RECORD } from "./log_samples.ts";

Deno.test("requestSummary gives the facts of a request", () => {
  assert.deepEqual(requestSummary(RECORD), {
    request_id: RECORD.id,
    status: 200,
    provider: "messages",
    upstream: "api.example.com",
    model: "m-1",
    project: "default",
    client: "some-cli",
    tok_before: 1000,
    tok_after: 600,
    tok_saved: 400,
    tok_in: 50,
    tok_out: 20,
    cache_read: 500,
    cache_write: 50,
    cache_hit_pct: 83.3,
    opt_ms: 4.25,
    total_ms: 1234.568,
    ttfb_ms: 345.6,
    transforms: "log*2 json*1",
    prefix: "extended",
  });
});

Deno.test("requestSummary leaves out what nobody knows, and counts a pass once", () => {
  const fields = requestSummary({
    ...RECORD,
    usage: {},
    ttfbMs: undefined,
    prefix: undefined,
    forms: [],
    strategies: ["dedupe"],
    refusedBy: "budget",
    model: "",
  });
  for (
    const name of [
      "tok_out",
      "cache_read",
      "cache_hit_pct",
      "ttfb_ms",
      "prefix",
      "model",
    ]
  ) {
    assert(!(name in fields), name);
  }
  assert.equal(fields.transforms, "dedupe*1");
  assert.equal(fields.refused_by, "budget");
  assert.equal(
    requestSummary({ ...RECORD, forms: [], strategies: [] }).transforms,
    "none",
  );
});

Deno.test("requestSummary bounds names that clients choose", () => {
  const fields = requestSummary({
    ...RECORD,
    model: "m".repeat(10_000),
    agent: "a\nb",
    strategies: Array.from({ length: 500 }, (_, i) => `s${i}`),
    forms: [],
  });
  assert.equal(String(fields.model).length, 100);
  assert(!("client" in fields));
  assert.equal(String(fields.transforms).split(" ").length, 20);
});
