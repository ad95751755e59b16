import assert from "node:assert/strict";
import { Compressors } from "../../../src/cli/perf/compressors.ts";
import type { BlockKey } from "../../../src/core/store.ts";
import { aloneBlock, blockOf, requestOf } from "../inspect/samples.ts";

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
