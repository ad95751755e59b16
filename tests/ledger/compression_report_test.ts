import assert from "node:assert/strict";
import type { SeenBlock } from "../../src/core/ledger.ts";
import {
  compressionReport,
  freshReport,
} from "../../src/ledger/compression_report.ts";
import { counted } from "./counted.ts";

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

Deno.test("compressionReport knows mean and best of the requests with an edit", () => {
  const report = compressionReport(counted(
    {},
    { tokensAfter: 200 },
    { tokensBefore: 500, tokensAfter: 100 },
    { tokensAfter: 100, status: 500 },
  ));
  assert.deepEqual(report, {
    requests_compressed: 3,
    avg_compression_pct: 66.67,
    best_compression_pct: 80,
    best_detail: "1000 to 200 tokens",
    total_tokens_removed: 1600,
    total_tokens_before: 2500,
    uncompressed_requests: {},
  });
});

Deno.test("a request without an edit counts under the reason that most of its tool results have", () => {
  const none = { strategies: [] };
  const { uncompressed_requests } = compressionReport(counted(
    { ...none, leftAlone: ["no_kind", "too_small", "too_small"] },
    { ...none, leftAlone: [] },
    { ...none, provider: "passthrough" },
    { ...none, cached: true },
  ));
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
  const sums = counted({ blocks }, { blocks, status: 503 });
  assert.deepEqual(freshReport(sums), {
    blocks: 4,
    counted_blocks: 3,
    compressed_blocks: 2,
    tokens_before: 1250,
    tokens_after: 300,
    compressed_tokens_before: 1200,
    compressed_tokens_after: 250,
  });
});
