import assert from "node:assert/strict";
import fc from "fast-check";
import { figuresOf } from "../../../src/cli/perf/figures.ts";
import { savedBy, succeeded } from "../../../src/core/outcome.ts";
import { readerOf, traffic } from "../../ledger/traffic.ts";
import { aloneBlock, blockOf, requestOf } from "../inspect/samples.ts";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import type { BlockKey } from "../../../src/core/store.ts";

type Parts = Partial<LoggedRequest>;

/** Figures of requests that are alike but for these parts. */
function figures(all: readonly Parts[], asked?: ReadonlyMap<string, number>) {
  const requests = all.map((parts, i) => requestOf(i + 1, parts));
  return figuresOf(requests, { hours: undefined, since: undefined }, asked);
}

/** The spread of these milliseconds. */
function spread(values: readonly number[]) {
  return figures(values.map((overheadMs) => ({ overheadMs }))).overhead_ms;
}

Deno.test("figuresOf takes percentiles by the nearest rank", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.deepEqual(spread(values), {
    count: 100,
    avg: 50.5,
    p50: 50,
    p90: 90,
    p95: 95,
    p99: 99,
    max: 100,
    over_500_ms: 0,
  });
  assert.equal(spread([1, 2]).p50, 1);
  assert.equal(spread([1.23456]).p99, 1.235);
  const { count, over_500_ms, ...rest } = spread([]);
  assert.deepEqual([count, over_500_ms], [0, 0]);
  assert.deepEqual([...new Set(Object.values(rest))], [null]);
});

Deno.test("figuresOf's percentiles rise, and are values that were met", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
    (values) => {
      const { p50, p90, p95, p99, max } = spread(values);
      const row = [p50, p90, p95, p99, max].map(Number);
      assert.deepEqual(row, row.toSorted((a, b) => a - b));
      for (const value of row) assert(values.includes(value));
      assert(
        values.filter((value) => value <= p50!).length * 2 >= values.length,
      );
    },
  ));
});

Deno.test("figuresOf counts every request once, however it ended", () => {
  const { requests } = figures([
    {},
    { status: 503 },
    { status: 400 },
    { status: 499 },
    { cached: true },
    { refusedBy: "rate_limit", status: 429 },
    { costBasis: undefined },
  ]);
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

Deno.test("figuresOf counts the tokens of every request that the ledger counts", () => {
  const entries = traffic(3, 200);
  const all = readerOf(entries).requests({ limit: entries.length, after: 0 });
  for (const [i, entry] of entries.entries()) {
    const { tokens, conversations } = figures([all[i]!]);
    assert.equal(tokens.tokens_saved, savedBy(entry));
    const isCounted = succeeded(entry) && all[i]!.conversation !== "";
    assert.equal(conversations.count, isCounted ? 1 : 0, `${entry.status}`);
  }
});

Deno.test("figuresOf takes times of requests whose answer began upstream, and speed of those that a model answered", () => {
  const slow = { overheadMs: 600, ttfbMs: 700, latencyMs: 2700, output: 100 };
  const report = figures([
    slow,
    { ...slow, overheadMs: 5, ttfbMs: 40, latencyMs: 139 },
    { ...slow, overheadMs: 700, status: 500 },
    { ...slow, ttfbMs: undefined, status: 502 },
    { ...slow, ttfbMs: undefined, cached: true },
  ]);
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
  const stream = figures([{ ttfbMs: 40, latencyMs: 140, output: 1 }]);
  assert.equal(stream.output_tokens_per_second.max, 10);
});

Deno.test("figuresOf sums up what became of new results, the greatest saving first", () => {
  const paths = { strategy: "paths", outcome: "reformatted" } as const;
  const all: Parts[] = [
    {
      blocks: [
        blockOf({ ...paths, tokensBefore: 100, tokensAfter: 90 }),
        blockOf(),
        aloneBlock({ reason: "too_small", bytes: 5 }),
        aloneBlock(),
      ],
    },
    { blocks: [blockOf(), aloneBlock({ bytes: 1 })] },
  ];
  const { compressors, left_alone } = figures(all, new Map([["log", 1]]));
  assert.deepEqual(compressors, [
    {
      strategy: "log",
      results: 2,
      elided: 2,
      tokens_before: 10_240,
      tokens_after: 1280,
      tokens_saved: 8960,
      savings_percent: 87.5,
      asked_for: 1,
    },
    {
      strategy: "paths",
      results: 1,
      elided: 0,
      tokens_before: 100,
      tokens_after: 90,
      tokens_saved: 10,
      savings_percent: 10,
      asked_for: 0,
    },
  ]);
  assert.equal(figures(all).compressors[0]?.asked_for, null);
  assert.deepEqual(left_alone, [
    { reason: "file_read", results: 2, bytes: 1235 },
    { reason: "too_small", results: 1, bytes: 5 },
  ]);
});

Deno.test("figuresOf counts a result once, however many requests and processes send it", () => {
  const key = "block-2" as BlockKey;
  const { compressors, left_alone: [alone, ...others] } = figures([
    { blocks: [blockOf(), aloneBlock({ key })] },
    {
      blocks: [
        blockOf({ isKnown: true }),
        aloneBlock({ key, isKnown: true, reason: "left_before" }),
      ],
    },
    // A process that has not skipped it itself does not know it.
    { blocks: [aloneBlock({ key })] },
  ]);
  assert.deepEqual(compressors.map(({ results }) => results), [1]);
  assert.deepEqual([alone?.results, others], [1, []]);
});

/** Requests of a conversation; the cache holds `reads[i]` of 100 prompt tokens. */
function talk(conversation: string, reads: readonly number[]): Parts[] {
  return reads.map((cacheRead, i) => ({
    conversation,
    tokensBefore: 1000 * (i + 1),
    input: 100 - cacheRead,
    cacheRead,
    cacheWrite: 0,
  }));
}

Deno.test("figuresOf compares the first five requests with the last five of long conversations", () => {
  const { cache, conversations } = figures([
    ...talk("long", [0, 10, 20, 30, 40, 50, 60, 80, 80, 90, 90]),
    ...talk("short", [99, 99]),
  ]);
  assert.deepEqual(cache, {
    requests: 13,
    input_tokens: 1300 - 748,
    read_tokens: 550 + 198,
    write_tokens: 0,
    hit_percent: 57.54,
    long_conversations: 1,
    first_5_hit_percent: 20,
    last_5_hit_percent: 80,
  });
  const { count, requests, tokens } = conversations;
  assert.deepEqual([count, requests.p50, requests.max], [2, 2, 11]);
  assert.deepEqual([tokens.p50, tokens.max], [2000, 11_000]);
});

Deno.test("figuresOf counts requests outside of any conversation, and those without reported tokens, only where it can", () => {
  const silent = { input: undefined, cacheRead: undefined };
  const { conversations, cache } = figures([
    ...talk("", [50]),
    { ...silent, cacheWrite: undefined },
    // Who left before anybody counted took nothing.
    { ...silent, cacheWrite: undefined, status: 499, conversation: "left" },
  ]);
  assert.equal(conversations.count, 1);
  assert.equal(cache.requests, 1);
  assert.equal(figures([]).cache.hit_percent, null);
});

Deno.test("figuresOf sums up models, the most requests first, and counts those without a price", () => {
  const [first, ...others] = figures([
    { model: "rare" },
    { latencyMs: 10 },
    { latencyMs: 30, nanoUsd: undefined },
    { model: "mystery", nanoUsd: undefined },
  ]).models;
  assert.deepEqual(first, {
    model: "model-1",
    requests: 2,
    tokens_before: 168_240,
    tokens_after: 33_800,
    tokens_saved: 134_440,
    savings_percent: 79.91,
    output_tokens: 840,
    cost_usd: 0.0123456,
    unpriced_requests: 1,
    latency_p50_ms: 10,
  });
  assert.deepEqual(
    others.map((row) => [row.model, row.cost_usd, row.unpriced_requests]),
    [["rare", 0.0123456, 0], ["mystery", null, 1]],
  );
});
