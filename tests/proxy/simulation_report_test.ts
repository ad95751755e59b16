import assert from "node:assert/strict";
import { prefixDrift } from "../../src/pipeline/prefix_drift.ts";
import { untouched } from "../../src/pipeline/compressed_body.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { simulationReport } from "../../src/proxy/simulation_report.ts";
import { BodyCounter, pieceSpans } from "../../src/tokens/body_counter.ts";
import { spanText } from "../../src/tokens/count_pieces.ts";

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
