import assert from "node:assert/strict";
import fc from "fast-check";
import { spreadOf } from "../../../src/cli/perf/report.ts";
import {
  Compressors,
  Conversations,
  endingOf,
  isTaken,
  Models,
  promptOf,
} from "../../../src/cli/perf/sums.ts";
import { savedBy, succeeded } from "../../../src/core/outcome.ts";
import { readerOf, traffic } from "../../ledger/traffic.ts";
import { aloneBlock, blockOf, requestOf } from "../inspect/samples.ts";
import type { BlockKey } from "../../../src/core/store.ts";
import { perfReport } from "../../../src/cli/perf/collect.ts";
import { perfCsv, rawCsv, rawJson } from "../../../src/cli/perf/rows.ts";

Deno.test("spreadOf takes percentiles by the nearest rank", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.deepEqual(spreadOf(values), {
    count: 100,
    avg: 50.5,
    p50: 50,
    p90: 90,
    p95: 95,
    p99: 99,
    max: 100,
  });
  assert.equal(spreadOf([1, 2]).p50, 1);
  assert.equal(spreadOf([1.23456]).p99, 1.235);
});

Deno.test("spreadOf knows nothing of no values", () => {
  const { count, ...rest } = spreadOf([]);
  assert.equal(count, 0);
  assert.deepEqual([...new Set(Object.values(rest))], [null]);
});

Deno.test("spreadOf's percentiles rise, and are values that were met", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
    (values) => {
      const { p50, p90, p95, p99, max } = spreadOf([...values]);
      const row = [p50, p90, p95, p99, max].map(Number);
      assert.deepEqual(row, row.toSorted((a, b) => a - b));
      for (const value of row) assert(values.includes(value));
      assert(
        values.filter((value) => value <= p50!).length * 2 >= values.length,
      );
    },
  ));
});

Deno.test("endingOf tells how a request ended", () => {
  const of = (parts: Parameters<typeof requestOf>[1]) =>
    endingOf(requestOf(1, parts));
  assert.equal(of({}), "answered");
  assert.equal(of({ costBasis: undefined }), "other");
  assert.equal(of({ status: 500 }), "failed");
  assert.equal(of({ status: 404 }), "client_errors");
  assert.equal(of({ status: 499 }), "aborted");
  assert.equal(of({ cached: true }), "cached");
  assert.equal(of({ status: 429, refusedBy: "budget" }), "refused");
});

Deno.test("promptOf is what was billed, and unknown where nobody said", () => {
  assert.equal(promptOf(requestOf(1)), 12 + 15_000 + 1988);
  const silent = { input: undefined, cacheRead: undefined };
  assert.equal(
    promptOf(requestOf(1, { ...silent, cacheWrite: undefined })),
    undefined,
  );
});

Deno.test("isTaken says of every request what the ledger says", () => {
  const entries = traffic(3, 200);
  const all = readerOf(entries).requests({ limit: entries.length, after: 0 });
  for (const [i, entry] of entries.entries()) {
    const logged = all[i]!;
    assert.equal(isTaken(logged), succeeded(entry), `${entry.status}`);
    const saved = isTaken(logged)
      ? logged.tokensBefore - logged.tokensAfter
      : 0;
    assert.equal(saved, savedBy(entry));
  }
});

Deno.test("Compressors sums up what became of new results, the greatest saving first", () => {
  const all = new Compressors();
  const paths = { strategy: "paths", outcome: "reformatted" } as const;
  all.add(requestOf(1, {
    blocks: [
      blockOf({ ...paths, tokensBefore: 100, tokensAfter: 90 }),
      blockOf(),
      aloneBlock(),
    ],
  }));
  all.add(requestOf(2, { blocks: [blockOf(), aloneBlock({ bytes: 1 })] }));
  assert.deepEqual(all.figures(new Map([["log", 1]])), [
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
  assert.equal(all.figures(undefined)[0]?.asked_for, null);
  assert.deepEqual(all.leftAlone(), [
    { reason: "file_read", results: 2, bytes: 1235 },
  ]);
});

Deno.test("Compressors counts a result once, however many requests and processes send it", () => {
  const all = new Compressors();
  const key = "block-2" as BlockKey;
  all.add(requestOf(1, { blocks: [blockOf(), aloneBlock({ key })] }));
  all.add(requestOf(2, {
    blocks: [
      blockOf({ isKnown: true }),
      aloneBlock({ key, isKnown: true, reason: "left_before" }),
    ],
  }));
  // A process that has not skipped it itself does not know it.
  all.add(requestOf(3, { blocks: [aloneBlock({ key })] }));
  assert.deepEqual(all.figures(undefined).map(({ results }) => results), [1]);
  const [alone, ...others] = all.leftAlone();
  assert.deepEqual([alone?.results, others], [1, []]);
});

/** Requests of a conversation; the cache holds `reads[i]` of 100 prompt tokens. */
function add(all: Conversations, conversation: string, reads: number[]) {
  for (const [i, cacheRead] of reads.entries()) {
    all.add(requestOf(i, {
      conversation,
      tokensBefore: 1000 * (i + 1),
      input: 100 - cacheRead,
      cacheRead,
      cacheWrite: 0,
    }));
  }
}

Deno.test("Conversations compares the first five requests with the last five of long conversations", () => {
  const all = new Conversations();
  add(all, "long", [0, 10, 20, 30, 40, 50, 60, 80, 80, 90, 90]);
  add(all, "short", [99, 99]);
  const cache = all.cache();
  assert.equal(cache.long_conversations, 1);
  assert.equal(cache.first_5_hit_percent, 20);
  assert.equal(cache.last_5_hit_percent, 80);
  assert.equal(cache.requests, 13);
  assert.equal(cache.read_tokens, 550 + 198);
  assert.equal(cache.hit_percent, 57.54);
});

Deno.test("Conversations knows the sizes of each", () => {
  const all = new Conversations();
  add(all, "a", [0, 0, 0]);
  add(all, "b", [0]);
  const { count, requests, tokens } = all.sizes();
  assert.deepEqual([count, requests.p50, requests.max], [2, 1, 3]);
  assert.deepEqual([tokens.p50, tokens.max], [1000, 3000]);
});

Deno.test("Conversations counts requests outside of any, and those without reported tokens, only where it can", () => {
  const all = new Conversations();
  add(all, "", [50]);
  const silent = { input: undefined, cacheRead: undefined };
  all.add(requestOf(1, { ...silent, cacheWrite: undefined }));
  assert.equal(all.sizes().count, 1);
  assert.equal(all.cache().requests, 1);
  assert.equal(new Conversations().cache().hit_percent, null);
});

Deno.test("Models sums up requests, the most first, and counts those without a price", () => {
  const all = new Models();
  all.add(requestOf(1, { model: "rare" }));
  all.add(requestOf(2, { latencyMs: 10 }));
  all.add(requestOf(3, { latencyMs: 30, nanoUsd: undefined }));
  const [first, second] = all.figures();
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
  assert.equal(second?.model, "rare");
  all.add(requestOf(4, { model: "mystery", nanoUsd: undefined }));
  const mystery = all.figures().find(({ model }) => model === "mystery");
  assert.deepEqual([mystery?.cost_usd, mystery?.unpriced_requests], [null, 1]);
});

Deno.test("perfCsv has one figure per line, and the same lines for programs to rely on", () => {
  const report = perfReport(
    [
      requestOf(1, {
        nanoUsd: undefined,
        blocks: [blockOf(), aloneBlock()],
      }),
    ],
    { hours: 24, since: 0 },
    undefined,
  );
  const lines = perfCsv(report).trimEnd().split("\r\n");
  assert.equal(lines[0], "section,name,metric,value");
  for (
    const line of [
      "span,,hours,24",
      "span,,since,1970-01-01T00:00:00.000Z",
      "requests,,total,1",
      "tokens,,savings_percent,79.91",
      "models,model-1,cost_usd,",
      "models,model-1,unpriced_requests,1",
      "cache,,first_5_hit_percent,",
      "overhead_ms,,p95,1.94",
      "latency_ms,,over_500_ms,1",
      "busiest_minute_requests,,busiest_minute_requests,1",
      "conversations,,requests.p50,1",
      "compressors,log,asked_for,",
      "left_alone,file_read,bytes,1234",
    ]
  ) assert(lines.includes(line), line);
  assert(
    lines.some((line) => /^recommendations,1,text,"?No price/.test(line)),
  );
});

Deno.test("rawCsv has a line per request below its header", () => {
  const header = rawCsv(undefined);
  const line = rawCsv(requestOf(1, { model: 'a,"b', ttfbMs: undefined }));
  assert.equal(header.split(",").length, 24);
  assert.match(header, /^timestamp,request_id,.*,strategies,retrievals\r\n$/);
  assert.match(
    line,
    /,messages,api.example.com,"a,""b",default,claude-cli,c0ffee,200,answered,84120,16900,67220,12,15000,1988,420,0.0123456,measured,1.94,,2310.4,log search_results,0\r\n$/,
  );
});

Deno.test("rawJson is one line that a terminal can show", () => {
  const line = rawJson(requestOf(1, { model: "a\x9b2J" }));
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert(!line.includes("\x9b"));
  const { model, ending, prefix } = JSON.parse(line);
  assert.deepEqual([model, ending, prefix], [
    "a\x9b2J",
    "answered",
    "extended",
  ]);
});
