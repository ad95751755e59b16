import assert from "node:assert/strict";
import { perfReport } from "../../../src/cli/perf/collect.ts";
import { perfText } from "../../../src/cli/perf/print.ts";
import { textWidth } from "../../../src/cli/width.ts";
import { aloneBlock, blockOf, requestOf } from "../inspect/samples.ts";

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
