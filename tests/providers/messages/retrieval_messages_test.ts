import assert from "node:assert/strict";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { SentMessages } from "../../../src/providers/messages/retrieval_messages.ts";
import { anchorOf } from "../../../src/providers/messages/retrieval_turn.ts";

function sent(...messages: readonly unknown[]): SentMessages {
  const body = new TextEncoder().encode(JSON.stringify({ messages }));
  return new SentMessages(body, messagesFormat.scan(body));
}

const USER = { role: "user", content: "q" };
const BLOCKS = [
  { type: "thinking", thinking: "t", signature: "s" },
  { type: "redacted_thinking", data: "d" },
  { type: "text", text: "b" },
  { type: "tool_use", id: "c1", name: "x", input: { id: "no", text: "no" } },
];

Deno.test("SentMessages finds a turn by each name that a record of it can have", () => {
  const messages = sent(USER, { role: "assistant", content: BLOCKS }, USER);
  const context = messages.context(1);
  for (
    const blocks of [
      BLOCKS,
      BLOCKS.slice(0, 1),
      BLOCKS.slice(1, 2),
      BLOCKS.slice(2, 3),
    ]
  ) {
    const anchor = anchorOf(blocks, context)!;
    assert.deepEqual(messages.index([anchor]).places(anchor), [1], anchor);
  }
});

Deno.test("SentMessages does not take the client's words for a turn", () => {
  const messages = sent(USER, USER, { role: "user", content: BLOCKS });
  for (const blocks of [[{ text: "q" }], BLOCKS]) {
    const anchor = anchorOf(blocks, messages.context(1))!;
    assert.deepEqual(messages.index([anchor]).places(anchor), []);
  }
});

Deno.test("SentMessages reads blocks with their spans, whatever they are", () => {
  const messages = sent(USER, {
    role: "assistant",
    content: [{}, ...BLOCKS],
  }, {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: "" }],
  }, { role: "user" });
  const turn = messages.at(1)!;
  assert.deepEqual(turn.blocks.map((block) => messages.value(block)), [
    {},
    ...BLOCKS,
  ]);
  assert.deepEqual(messages.value(messages.at(0)!.blocks[0]!), {
    type: "text",
    text: "q",
  });
  assert.equal(messages.at(2)!.blocks[0]!.answers, "c1");
  assert.deepEqual(messages.at(3)!.blocks, []);
  assert.equal(messages.at(4), undefined);
  assert.equal(messages.at(1), turn);
});
