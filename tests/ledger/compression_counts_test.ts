import assert from "node:assert/strict";
import type { RequestRecord, SeenBlock } from "../../src/core/ledger.ts";
import { CompressionCounts } from "../../src/ledger/compression_counts.ts";
import { RECORD } from "./samples.ts";

function counted(...records: readonly Partial<RequestRecord>[]) {
  const counts = new CompressionCounts();
  for (const record of records) counts.add({ ...RECORD, ...record });
  return counts;
}

function block(
  outcome: SeenBlock["outcome"],
  before?: number,
  after?: number,
): SeenBlock {
  return {
    key: undefined,
    entry: undefined,
    isKnown: false,
    messageIndex: 0,
    toolName: "Bash",
    kind: "log",
    outcome,
    strategy: "",
    reason: "",
    bytes: 9,
    tokensBefore: before,
    tokensAfter: after,
  };
}

Deno.test("CompressionCounts knows mean and best of the requests with an edit", () => {
  const report = counted(
    {},
    { tokensAfter: 200 },
    { tokensAfter: 100, status: 500 },
  ).report();
  assert.deepEqual(report, {
    requests_compressed: 2,
    avg_compression_pct: 60,
    best_compression_pct: 80,
    best_detail: "1000 to 200 tokens",
    total_tokens_removed: 1200,
    total_tokens_before: 2000,
    uncompressed_requests: {},
  });
});

Deno.test("a request without an edit counts under the reason that most of its tool results have", () => {
  const none = { strategies: [] };
  const { uncompressed_requests } = counted(
    { ...none, leftAlone: ["no_kind", "too_small", "too_small"] },
    { ...none, leftAlone: [] },
    { ...none, provider: "passthrough" },
    { ...none, cached: true },
  ).report();
  assert.deepEqual(uncompressed_requests, {
    too_small: 1,
    no_compressible_content: 1,
    passthrough: 1,
  });
});

Deno.test("new tool results are summed where their tokens were counted", () => {
  const blocks = [
    block("elided", 1000, 100),
    block("reformatted", 200, 150),
    block("alone", 50),
    block("alone"),
  ];
  const counts = counted({ blocks }, { blocks, status: 503 });
  assert.deepEqual(counts.fresh(), {
    blocks: 4,
    counted_blocks: 3,
    compressed_blocks: 2,
    tokens_before: 1250,
    tokens_after: 300,
    compressed_tokens_before: 1200,
    compressed_tokens_after: 250,
  });
});
