import assert from "node:assert/strict";
import { perfReport, requestsOf } from "../../../src/cli/perf/collect.ts";
import { readerOf, requestOf } from "../inspect/samples.ts";
import { readerOf as ledgerOf, sumsOf, traffic } from "../../ledger/traffic.ts";

const ALL = { hours: undefined, since: undefined };

Deno.test("requestsOf gives all pages, the oldest first, from a time on", () => {
  const rows = Array.from({ length: 2500 }, (_, i) => requestOf(i + 1));
  const reader = readerOf(rows);
  const seqs = [...requestsOf(reader, ALL)].map(({ seq }) => seq);
  assert.deepEqual(seqs, rows.map(({ seq }) => seq));
  const since = rows[2000]!.at;
  assert.equal([...requestsOf(reader, { since })].length, 500);
});

Deno.test("perfReport counts every request once, however it ended", () => {
  const { requests } = perfReport(
    [
      requestOf(1),
      requestOf(2, { status: 503 }),
      requestOf(3, { status: 400 }),
      requestOf(4, { status: 499 }),
      requestOf(5, { cached: true }),
      requestOf(6, { refusedBy: "rate_limit", status: 429 }),
      requestOf(7, { costBasis: undefined }),
    ],
    ALL,
    undefined,
  );
  assert.deepEqual(requests, {
    total: 7,
    answered: 1,
    other: 1,
    failed: 1,
    client_errors: 1,
    aborted: 1,
    cached: 1,
    refused: 1,
  });
});

Deno.test("perfReport's tokens are those of the ledger, over any traffic", () => {
  const records = traffic(29, 300);
  const sums = sumsOf(records);
  const { tokens, cache } = perfReport(
    requestsOf(ledgerOf(records), ALL),
    ALL,
    undefined,
  );
  assert.equal(tokens.tokens_saved, sums.saved - sums.added);
  assert.equal(tokens.tokens_before - tokens.tokens_after, tokens.tokens_saved);
  assert(cache.read_tokens <= sums.cacheRead);
});

Deno.test("perfReport takes times of requests whose answer began upstream, and speed of those that a model answered", () => {
  const slow = { overheadMs: 600, ttfbMs: 700, latencyMs: 2700, output: 100 };
  const report = perfReport(
    [
      requestOf(1, slow),
      requestOf(2, { ...slow, overheadMs: 5, ttfbMs: 40, latencyMs: 60 }),
      requestOf(3, { ...slow, overheadMs: 700, status: 500 }),
      requestOf(4, { ...slow, ttfbMs: undefined, status: 502 }),
      requestOf(5, { ...slow, ttfbMs: undefined, cached: true }),
    ],
    ALL,
    undefined,
  );
  const { overhead_ms, ttfb_ms, latency_ms } = report;
  for (const { count } of [overhead_ms, ttfb_ms, latency_ms]) {
    assert.equal(count, 3);
  }
  assert.deepEqual([overhead_ms.max, overhead_ms.over_500_ms], [700, 2]);
  assert.equal(ttfb_ms.over_500_ms, 2);
  assert.equal(latency_ms.p50, 2700);
  // 100 tokens in 2 s; the other answer was no stream.
  assert.equal(report.output_tokens_per_second.max, 50);
  assert.equal(report.output_tokens_per_second.count, 1);
  assert.equal(report.busiest_minute_requests, 5);
});

Deno.test("perfReport of nothing has no figures and no advice", () => {
  const report = perfReport([], { hours: 24, since: 0 }, undefined);
  assert.equal(report.hours, 24);
  assert.equal(report.since, "1970-01-01T00:00:00.000Z");
  assert.equal(report.overhead_ms.p50, null);
  assert.deepEqual(report.recommendations, []);
});
