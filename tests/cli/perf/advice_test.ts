import assert from "node:assert/strict";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import { perfReport } from "../../../src/cli/perf/collect.ts";
import { aloneBlock, blockOf, proofOf, requestOf } from "../inspect/samples.ts";

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
