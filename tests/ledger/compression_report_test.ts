import { RECORD } from "./samples.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../../src/core/store.ts";
import assert from "node:assert/strict";
import type { SeenBlock, SentForm } from "../../src/core/ledger.ts";
import {
  compressionReport,
  freshReport,
  retrievalsReport,
} from "../../src/ledger/compression_report.ts";
import { bookOf, counted, givenOf, sumsOfTasks } from "./counted.ts";

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

const EVENT: RetrievalEvent = {
  key: "k" as CcrKey,
  at: 0,
  via: "proxy",
  part: "full",
  query: "",
  strategy: "log",
  toolName: "Bash",
  items: 9,
  totalItems: 9,
  tokens: 700,
};

function form(
  key: string,
  strategy: string,
  facts: { entry?: string; saved: number },
): SentForm {
  return {
    key: key as BlockKey,
    entry: facts.entry as CcrKey | undefined,
    toolName: "Bash",
    strategy,
    saved: facts.saved,
  };
}

const reportOf = (...forms: readonly SentForm[]) =>
  retrievalsReport(counted(...forms.map((one) => ({ forms: [one] }))));

Deno.test("a retrieval is subtracted from what the forms of its kind and tool saved", () => {
  const log = form("a", "log", { entry: "k", saved: 500 });
  // It is sent again with every request of its conversation.
  const forms = [log, log, form("b", "paths", { saved: 30 })];
  const { total, tokens, by_strategy, by_tool } = retrievalsReport(sumsOfTasks([
    ...forms.map((one) => bookOf({ ...RECORD, forms: [one] })),
    givenOf(EVENT),
  ]));
  assert.deepEqual([total, tokens], [1, 700]);
  assert.deepEqual(by_strategy["log"], {
    forms: 1,
    elided: 1,
    tokens_saved: 500,
    asked_for: 1,
    tokens_given_back: 700,
    net_tokens_saved: -200,
  });
  assert.equal(by_strategy["paths"]?.net_tokens_saved, 30);
  assert.equal(by_tool?.["Bash"]?.net_tokens_saved, -170);
});

Deno.test("what was given back of a form that was never sent from here is in no table", () => {
  const { total, by_strategy, by_tool } = retrievalsReport(
    sumsOfTasks([givenOf(EVENT)]),
  );
  assert.deepEqual([total, by_strategy, by_tool], [1, {}, {}]);
});

Deno.test("a form without a tool's name is of an unknown one", () => {
  const { by_tool } = reportOf({
    ...form("a", "log", { saved: 1 }),
    toolName: "",
  });
  assert.equal(by_tool?.["unknown"]?.forms, 1);
});

Deno.test("pairs of tool and compressor are counted once each", () => {
  const { shapes } = reportOf(
    form("a", "log", { saved: 1 }),
    form("b", "log", { saved: 1 }),
    form("c", "json", { saved: 1 }),
    { ...form("d", "json", { saved: 1 }), toolName: "Read" },
  );
  assert.equal(shapes, 3);
});
