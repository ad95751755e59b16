import assert from "node:assert/strict";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { wasteTexts } from "../../src/pipeline/waste_texts.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";

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
