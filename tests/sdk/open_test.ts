import assert from "node:assert/strict";
import type { CcrEntry } from "../../src/core/store.ts";
import { openLibrary } from "../../src/sdk/open.ts";

const log = Array.from(
  { length: 200 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");
const rows = JSON.stringify(
  Array.from({ length: 9 }, (_, id) => ({ id, state: "done", owner: "team" })),
  null,
  2,
);

async function library(keep?: (entry: CcrEntry) => Promise<void>) {
  const kept: CcrEntry[] = [];
  const { compressText } = await openLibrary({
    keep: keep ?? ((entry) => Promise.resolve(void kept.push(entry))),
    now: () => 7,
  });
  return { compressText, kept };
}

Deno.test("compressText keeps the original before it hands out a marker", async () => {
  const { compressText, kept } = await library();
  const result = await compressText(log);
  const hash = /hash=([0-9a-f]{24})\]$/.exec(result.text)?.[1];
  assert.equal(kept.length, 1);
  assert.equal(kept[0]?.key, hash);
  assert.equal(kept[0]?.original, log);
  assert(result.tokensAfter < result.tokensBefore / 2);
  assert.equal(result.strategy, "log");
  assert.equal(result.reason, undefined);
});

Deno.test("compressText leaves nothing out when the original cannot be kept, or under lossless", async () => {
  const refused = await library(() => Promise.reject(new Error("full")));
  const kept = await library();
  for (
    const { text } of [
      await refused.compressText(log),
      await kept.compressText(log, { lossless: true }),
    ]
  ) {
    assert.doesNotMatch(text, /hash=|omitted/);
  }
  assert.equal(kept.kept.length, 0);
  const table = await kept.compressText(rows, { lossless: true });
  assert(table.tokensAfter < table.tokensBefore);
});

Deno.test("compressText says why it left a text alone", async () => {
  const { compressText } = await library();
  const text = "Just a sentence.";
  const result = await compressText(text);
  assert.equal(result.text, text);
  assert.equal(result.tokensAfter, result.tokensBefore);
  assert.equal(result.reason, "no_kind");
  const written = await compressText(log, { toolName: "Write" });
  assert.equal(written.reason, "never_compressed_tool");
});

Deno.test("compressText leaves nothing out of a file that an agent edits", async () => {
  const { compressText, kept } = await library();
  const result = await compressText(rows, { toolName: "Read" });
  assert.doesNotMatch(result.text, /hash=/);
  assert.equal(kept.length, 0);
});
