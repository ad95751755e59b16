import assert from "node:assert/strict";
import { StreamedBlock } from "../../../src/providers/messages/retrieval_block.ts";

function add(block: StreamedBlock, delta: object): void {
  block.add({ ...delta }, () => JSON.stringify(delta));
}

function whole(start: object, ...deltas: readonly object[]): string {
  const block = new StreamedBlock(JSON.stringify(start));
  for (const delta of deltas) add(block, delta);
  assert.ok(block.isExact);
  return block.whole().json;
}

Deno.test("StreamedBlock joins the deltas of each kind", () => {
  assert.equal(
    whole(
      { type: "text", text: "", citations: [] },
      { type: "text_delta", text: "a\n" },
      { type: "citations_delta", citation: { at: 1 } },
      { type: "text_delta", text: "\ud83d\ude00" },
    ),
    '{"type":"text","text":"a\\n😀","citations":[{"at":1}]}',
  );
  assert.equal(
    whole(
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "hm" },
      { type: "signature_delta", signature: "sig" },
    ),
    '{"type":"thinking","thinking":"hm","signature":"sig"}',
  );
});

Deno.test("StreamedBlock keeps the input's own writing", () => {
  const start = { type: "tool_use", id: "a", name: "b", input: {} };
  assert.equal(
    whole(
      start,
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: '{"n": 1.0,' },
      { type: "input_json_delta", partial_json: '"big":12345678901234567890}' },
    ),
    '{"type":"tool_use","id":"a","name":"b","input":{"n": 1.0,"big":12345678901234567890}}',
  );
  assert.equal(whole(start), JSON.stringify(start));
});

Deno.test("StreamedBlock knows what it cannot rebuild", () => {
  const cut = new StreamedBlock('{"type":"tool_use","input":{}}');
  add(cut, { type: "input_json_delta", partial_json: '{"a' });
  assert.ok(!cut.isExact);
  const odd = new StreamedBlock('{"type":"new"}');
  add(odd, { type: "new_delta", x: 1 });
  assert.ok(!odd.isExact);
});

Deno.test("StreamedBlock is ours by the tool's name", () => {
  const ours = '{"type":"tool_use","name":"headroom_retrieve","input":{}}';
  assert.ok(new StreamedBlock(ours).isOurs);
  assert.ok(!new StreamedBlock(ours.replace("headroom_", "")).isOurs);
});
