import assert from "node:assert/strict";
import { perfReport, requestsOf } from "../../../src/cli/perf/collect.ts";
import {
  aloneBlock,
  blockOf,
  proofOf,
  readerOf,
  requestOf,
} from "../inspect/samples.ts";
import { readerOf as ledgerOf, sumsOf, traffic } from "../../ledger/traffic.ts";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import { perfText } from "../../../src/cli/perf/print.ts";
import { textWidth } from "../../../src/cli/terminal.ts";

const ALL = { hours: undefined, since: undefined };

Deno.test("requestsOf gives all pages, the oldest first, from a time on", () => {
  const rows = Array.from({ length: 2500 }, (_, i) => requestOf(i + 1));
  const reader = readerOf(rows);
  const seqs = [...requestsOf(reader, ALL)].map(({ seq }) => seq);
  assert.deepEqual(seqs, rows.map(({ seq }) => seq));
  const since = rows[2000]!.at;
  assert.equal([...requestsOf(reader, { since })].length, 500);
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

Deno.test("perfReport of nothing has no figures and no advice", () => {
  const report = perfReport([], { hours: 24, since: 0 }, undefined);
  assert.equal(report.hours, 24);
  assert.equal(report.since, "1970-01-01T00:00:00.000Z");
  assert.equal(report.overhead_ms.p50, null);
  assert.deepEqual(report.recommendations, []);
});

/** Advice on 30 requests that are alike but for `parts`. */
function advice(
  parts: (i: number) => Partial<LoggedRequest>,
  asked?: ReadonlyMap<string, number>,
): readonly string[] {
  const all = Array.from({ length: 30 }, (_, i) => requestOf(i, parts(i)));
  const span = { hours: undefined, since: undefined };
  return perfReport(all, span, asked).recommendations;
}

Deno.test("recommendations are silent where all is well", () => {
  assert.deepEqual(advice(() => ({ blocks: [blockOf()] }), new Map()), []);
});

Deno.test("recommendations name what the figures justify", () => {
  const cases: readonly [RegExp, readonly string[]][] = [
    [
      /^svc changed a part of the prompt .* in 1 of 30 requests\. .* report it/,
      advice((i) => ({
        prefix: proofOf({ verdict: i === 3 ? "ours" : "extended" }),
      })),
    ],
    [
      /^6 of 30 requests failed/,
      advice((i) => i % 5 === 0 ? { status: 502 } : {}),
    ],
    [
      /^One request in 20 waits 700 ms or longer for svc \(10 of 30 above/,
      advice((i) => i % 3 === 0 ? { overheadMs: 700 } : {}),
    ],
    [
      /^Only 0 % was saved\. .* 100 % .* a file that may be edited .*\(file_read\)/,
      advice(() => ({
        tokensAfter: 84_120,
        tokensSaved: 0,
        blocks: [aloneBlock()],
      })),
    ],
    [
      /^Only -1 % was saved: .* retrieval tool costs more .* SVC_NO_CCR=1/,
      advice(() => ({ tokensBefore: 10_000, tokensAfter: 10_100 })),
    ],
    [
      /caches falls within conversations, from 80 % to 20 %/,
      advice((i) => ({
        conversation: `c${i % 3}`,
        input: i < 15 ? 20 : 80,
        cacheRead: i < 15 ? 80 : 20,
        cacheWrite: 0,
      })),
    ],
    [
      /^In 15 of 30 requests the client itself changed/,
      advice((i) => ({
        prefix: proofOf({ verdict: i % 2 ? "client" : "extended" }),
      })),
    ],
    [
      /^Models asked 12 times for what was left out of 30 results \(log\)/,
      advice(() => ({ blocks: [blockOf()] }), new Map([["log", 12]])),
    ],
    [
      /^No price is known for 30 requests \(model-1\)/,
      advice(() => ({ nanoUsd: undefined })),
    ],
  ];
  for (const [pattern, [first, ...others]] of cases) {
    assert.match(first ?? "nothing", pattern);
    assert.deepEqual(others, [], `${pattern}`);
  }
});

Deno.test("recommendations say nothing of a few requests", () => {
  const few = Array.from(
    { length: 5 },
    (_, i) => requestOf(i, { status: i === 0 ? 500 : 200, overheadMs: 900 }),
  );
  const span = { hours: undefined, since: undefined };
  assert.deepEqual(perfReport(few, span, undefined).recommendations, []);
});

Deno.test("perfText shows the figures in tables, and what is unknown as such", () => {
  const report = perfReport(
    [
      requestOf(1, { blocks: [blockOf(), aloneBlock()] }),
      requestOf(2, { model: "", nanoUsd: undefined, ttfbMs: undefined }),
      requestOf(3, { status: 500 }),
    ],
    { hours: 24, since: 0 },
    new Map([["log", 1]]),
  );
  assert.equal(
    perfText(report, "/ws/ledger.db", 120),
    `3 requests of the last 24 h in /ws/ledger.db: 2 answered by a model, 1 failed

Tokens         168,240 -> 33,800 (saved 79.9 %)
Prompt caches  88.24 % read (30,000 tokens), 3,976 written, 24 not cached
Throughput     3 requests in the busiest minute; streams: p50 280, p90 280 tokens/s
Conversations  1; requests p50 2, p90 2, max 2; tokens p50 84,120, p90 84,120, max 84,120

TIME                    P50       P90       P95       P99       MAX  OVER 500 MS
added by svc         1.9 ms    1.9 ms    1.9 ms    1.9 ms    1.9 ms            0
to the first byte    812 ms    812 ms    812 ms    812 ms    812 ms            2
to the last byte   2,310 ms  2,310 ms  2,310 ms  2,310 ms  2,310 ms            2

MODEL    REQUESTS  BEFORE   AFTER   SAVED  OUTPUT     COST       P50
model-1         1  84,120  16,900  79.9 %     420  $0.0123  2,310 ms
-               1  84,120  16,900  79.9 %     420        ?  2,310 ms

SHORTENED  RESULTS  BEFORE  AFTER   SAVED  RETRIEVED
log              1   5,120    640  87.5 %     1 of 1

SKIPPED                                           RESULTS     SIZE
it is a file that may be edited from these bytes        1  1.23 kB

What to do:
- No price is known for 1 request (-): add the model to models.json in the configuration directory
`,
  );
});

Deno.test("perfText fits into the terminal, with large figures and wide names", () => {
  const model = "通义千问-旗舰版-长文本-2026-thinking-preview";
  const large = { tokensBefore: 1e9, tokensAfter: 9e8, nanoUsd: 9e15 };
  const report = perfReport(
    [
      requestOf(1, { model, ...large, latencyMs: 1e7, overheadMs: 1e5 }),
      requestOf(2, {
        model,
        nanoUsd: undefined,
        blocks: [
          blockOf({ strategy: "wrapped:search_results", tokensBefore: 1e9 }),
          aloneBlock(),
        ],
      }),
    ],
    { hours: 24, since: 0 },
    new Map([["wrapped:search_results", 12_345]]),
  );
  for (const width of [60, 80, 100]) {
    const text = perfText(report, "/home/somebody/.svc/ledger.db", width);
    for (const line of text.split("\n")) {
      assert(textWidth(line) <= width, `${width}: ${line}`);
    }
    assert.match(text, /\nwrapped search/);
  }
});

Deno.test("perfText leaves out tables without rows", () => {
  const text = perfText(
    perfReport(
      [requestOf(1, { status: 500, ttfbMs: undefined, conversation: "" })],
      { hours: undefined, since: undefined },
      undefined,
    ),
    "/ws/ledger.db",
    80,
  );
  assert.equal(
    text,
    `1 request in /ws/ledger.db: 0 answered by a model, 1 failed

Tokens         0 -> 0 (saved 0.0 %)
Prompt caches  the providers reported no tokens
Throughput     1 request in the busiest minute
`,
  );
});
