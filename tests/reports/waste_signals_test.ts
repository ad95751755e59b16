import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { WASTE_SIGNALS } from "../../src/reports/waste_search.ts";
import { wasteSignals, wasteTexts } from "../../src/reports/waste_signals.ts";

const length = (text: string) => text.length;

Deno.test("wasteSignals names every kind, with zeros where there is none", () => {
  const none = Object.fromEntries(WASTE_SIGNALS.map((name) => [name, 0]));
  assert.deepEqual(wasteSignals([], length), none);
  assert.deepEqual(wasteSignals(["fine", "words"], length), none);
});

Deno.test("wasteSignals counts what it found in all texts", () => {
  const signals = wasteSignals(
    ["at 2026-03-02", "on 2026-03-03", { text: "name     size" }],
    length,
  );
  assert.equal(signals.dynamic_date, 20);
  assert.equal(signals.whitespace, 4);
});

Deno.test("wasteSignals counts equal pieces once, and takes the rest of many for alike", () => {
  const counted: string[] = [];
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id }));
  const { json_bloat } = wasteSignals([JSON.stringify(rows)], (text) => {
    counted.push(text);
    return 2;
  });
  assert.deepEqual(counted, ['"id":']);
  assert.equal(json_bloat, 2 * 2999);
});

Deno.test("wasteSignals never counts more than there is, whatever the texts", () => {
  fc.assert(fc.property(fc.array(fc.string({ maxLength: 400 })), (texts) => {
    const total = texts.join("").length;
    for (const tokens of Object.values(wasteSignals(texts, length))) {
      assert(tokens >= 0 && tokens <= total);
    }
  }));
});

Deno.test("wasteTexts yields each text that counts, its message and whether a form stands for it", () => {
  const result = (content: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c", content }],
  });
  const use = { type: "tool_use", id: "c", name: "t", input: { a: 1 } };
  const body = new TextEncoder().encode(JSON.stringify({
    messages: [
      { role: "user", content: "why?" },
      { role: "assistant", content: [use] },
      result("one"),
      result("two \ud800"),
      result("three"),
    ],
  }));
  const scan = messagesFormat.scan(body);
  const [block] = scan.blocks;
  const formed = [{ block }] as unknown as CompressedBody["formed"];
  assert.deepEqual([...wasteTexts({ scan, body, formed })], [
    { text: "why?", at: 0, isCompressed: false },
    { text: "one", at: 2, isCompressed: true },
    { text: "three", at: 4, isCompressed: false },
  ]);
  assert.deepEqual([...wasteTexts({ scan: undefined, body, formed })], []);
});
