import assert from "node:assert/strict";
import type { BlockKey, CcrKey, FrozenForm } from "../../src/core/store.ts";
import { splice } from "../../src/bytes/splice.ts";
import {
  type CompressedBody,
  untouched,
} from "../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import {
  compressAnswer,
  simulationReport,
} from "../../src/proxy/compress_answer.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { BodyCounter, pieceSpans } from "../../src/tokens/body_counter.ts";
import { spanText } from "../../src/tokens/count_pieces.ts";
import { prefixDrift } from "../../src/reports/prefix_drift.ts";

const utf8 = new TextEncoder();
const PREFIX = '{"messages":';

/** A body of two tool results, both with a form; the forms are listed in the wrong order. */
function made(): { call: CompressedBody; messages: string } {
  const results = ["first", "second", "third"].map((content, i) => ({
    type: "tool_result",
    tool_use_id: `c${i}`,
    content,
  }));
  const messages = JSON.stringify([{ role: "user", content: results }]);
  const body = utf8.encode(`${PREFIX}${messages}}`);
  const scan = messagesFormat.scan(body);
  const form = (strategy: string, entry?: string): FrozenForm => ({
    literal: utf8.encode(`"${strategy}"`),
    strategy,
    entry: entry as CcrKey | undefined,
    definition: undefined,
    tokensBefore: 30,
    tokensAfter: 10,
  });
  const formed = [
    { key: "b" as BlockKey, block: scan.blocks[1]!, form: form("table") },
    { key: "a" as BlockKey, block: scan.blocks[0]!, form: form("log", "k1") },
  ];
  const edits = formed.toReversed().map(({ block, form }) => ({
    span: block.span,
    replacement: form.literal,
  }));
  const call: CompressedBody = {
    ...untouched(body, scan, "test"),
    bytes: splice(body, edits),
    edits,
    declaration: { by: "client" },
    formed,
    formTokensSaved: 40,
    strategies: ["log", "table"],
  };
  return { call, messages };
}

function answered(
  facts: {
    simulation?: object;
    tokenBudget?: number;
    wantsDiff?: boolean;
    isEstimated?: boolean;
  },
) {
  const { call } = made();
  return compressAnswer(call, {
    messages: { start: PREFIX.length, end: call.body.length - 1 },
    uncounted: 40,
    tokenBudget: undefined,
    ...facts,
  });
}

Deno.test("compressAnswer lists transforms and hashes in body order, beside exact sums", async () => {
  const { messages } = made();
  const response = answered({});
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("x-svc-tokens-saved"), "40");
  assert.equal(response.headers.get("x-svc-tokens-estimated"), null);
  const estimated = answered({ isEstimated: true }).headers;
  assert.equal(estimated.get("x-svc-tokens-estimated"), "true");
  assert.deepEqual(await response.json(), {
    messages: JSON.parse(
      messages.replace('"first"', '"log"').replace('"second"', '"table"'),
    ),
    tokens_before: 100,
    tokens_after: 60,
    tokens_saved: 40,
    compression_ratio: 0.6,
    transforms_applied: ["router:log", "router:table"],
    transforms_summary: { "router:log": 1, "router:table": 1 },
    ccr_hashes: ["k1"],
  });
});

Deno.test("compressAnswer compares with the budget only when there is one", async () => {
  const within = async (tokenBudget?: number) =>
    (await answered({
      ...tokenBudget !== undefined && { tokenBudget },
    }).json()).within_budget;
  assert.equal(await within(), undefined);
  assert.equal(await within(60), true);
  assert.equal(await within(59), false);
});

Deno.test("compressAnswer of a simulation gives the messages as they came, and says what would become of each result", async () => {
  const { messages } = made();
  const answer = await answered({ simulation: { more: 1 } }).json();
  assert.deepEqual(answer.messages, JSON.parse(messages));
  assert.equal(answer.messages_optimized[0].content[0].content, "log");
  assert.equal(answer.tokens_saved, 40);
  assert.deepEqual(answer.ccr_hashes, []);
  assert.deepEqual(answer.transforms, ["router:log", "router:table"]);
  assert.deepEqual(answer.transforms_applied, answer.transforms);
  assert.equal(answer.more, 1);
  assert.equal(answer.diff_artifact, undefined);
  assert.deepEqual(answer.block_breakdown, {
    "router:log": 1,
    "router:table": 1,
    left_alone_before: 1,
  });
});

Deno.test("compressAnswer lists what each transform did when the caller wants to know", async () => {
  const { diff_artifact } = await answered({ wantsDiff: true }).json();
  assert.deepEqual(diff_artifact, {
    original_tokens: 100,
    optimized_tokens: 60,
    total_tokens_saved: 40,
    transforms: ["log", "table"].map((name) => ({
      transform_name: `router:${name}`,
      message_index: 0,
      tool_name: "",
      tokens_before: 30,
      tokens_after: 10,
      tokens_saved: 20,
    })),
  });
});

/** A report of these messages; a token is a character. */
async function reportOf(
  messages: readonly unknown[],
  {
    system = undefined as unknown,
    stop = new AbortController(),
    leavesAt = Infinity,
  } = {},
) {
  const body = new TextEncoder().encode(
    JSON.stringify({ model: "m", messages }),
  );
  const scan = chatCompletionsFormat.scan(body);
  const made = untouched(body, scan, "test");
  const counter = new BodyCounter(({ bytes, ends }, onCounted) => {
    const texts = pieceSpans(ends).map((span) => spanText(bytes, span));
    onCounted(0, texts.map((text) => text.length));
    return Promise.resolve();
  });
  let pauses = 0;
  const report = await simulationReport({
    made,
    system,
    model: "m",
    count: (input) => counter.count(input),
    pause: () => {
      pauses++;
      if (pauses === leavesAt) stop.abort(`left after ${pauses} pauses`);
      return Promise.resolve();
    },
    signal: stop.signal,
  });
  return { ...report, pauses };
}

Deno.test("simulationReport counts waste in all texts of the messages, by the counter it is given", async () => {
  const { waste_signals, pauses } = await reportOf([
    { role: "user", content: 'say "2026-03-02"' },
    { role: "tool", tool_call_id: "c", content: "name     size" },
  ]);
  assert.equal(waste_signals["dynamic_date"], "2026-03-02".length);
  assert.equal(waste_signals["whitespace"], 4);
  assert.equal(waste_signals["json_bloat"], 0);
  assert.equal(pauses, 0);
});

Deno.test("simulationReport lets others have their turn after 8 Ki units of text or one slice, in whatever texts they stand", async () => {
  const said = (length: number, n: number) =>
    Array.from({ length: n }, (_, i) => ({
      role: "user",
      content: `${i} `.padEnd(length, "word "),
    }));
  assert.equal((await reportOf(said(100_000, 1))).pauses, 6);
  assert.equal((await reportOf(said(1000, 100))).pauses, 11);
});

Deno.test("simulationReport looks for what changes in the instructions, inside and beside the messages", async () => {
  const system = { role: "system", content: "Today is 2026-03-02." };
  const inside = await reportOf([
    system,
    { role: "user", content: "Today is 2026-03-03." },
  ]);
  assert.equal(inside.cache_alignment_score, 0.9);
  assert.equal(inside.cache_alignment_warnings.length, 1);
  const { cache_metrics } = prefixDrift({ messages: [system] });
  assert.equal(inside.stable_prefix_hash, cache_metrics.stable_prefix_hash);
  const beside = await reportOf([{ role: "user", content: "hi" }], {
    system: [{ type: "text", text: "At 2026-03-02 and 2026-03-03" }],
  });
  assert.equal(beside.cache_alignment_score, 0.8);
});

Deno.test("simulationReport says of no messages that there is nothing", async () => {
  const report = await reportOf([]);
  assert.equal(report.cache_alignment_score, 1);
  assert(Object.values(report.waste_signals).every((tokens) => tokens === 0));
});

Deno.test("simulationReport stops for a caller who leaves", async () => {
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(
    reportOf([{ role: "user", content: "hi" }], { stop }),
    { name: "AbortError" },
  );
  // Six pauses would be made for him who stays.
  const messages = [{ role: "user", content: "word ".repeat(20_000) }];
  await assert.rejects(
    reportOf(messages, { leavesAt: 2 }),
    (reason) => reason === "left after 2 pauses",
  );
});
