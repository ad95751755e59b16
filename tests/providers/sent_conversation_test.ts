import assert from "node:assert/strict";
import type { ByteSpan } from "../../src/core/block.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import { SentConversation } from "../../src/providers/sent_conversation.ts";

const utf8 = new TextEncoder();

const READER = {
  read: (body: Uint8Array, { start, end }: ByteSpan) => {
    const text = new TextDecoder().decode(body.subarray(start, end));
    return JSON.parse(text) as { role: string; name?: string };
  },
  speech: ({ role }: { role: string; name?: string }) => ({
    by: role === "assistant" ? "model" as const : "client" as const,
    texts: [],
  }),
};

const USER = { role: "user", content: "q" };
const TURN = { role: "assistant", name: "a", content: "b" };
const RESULT = { role: "tool", tool_call_id: "c", content: "out" };

function sent(messages: readonly unknown[], reader = READER) {
  const body = utf8.encode(JSON.stringify({ messages }));
  const scan = chatCompletionsFormat.scan(body);
  return new SentConversation(body, scan, reader);
}

Deno.test("SentConversation reads each element once, and only when it is asked for", () => {
  let reads = 0;
  const conversation = sent([USER, TURN], {
    ...READER,
    read: (body, span) => {
      reads++;
      return READER.read(body, span);
    },
  });
  assert.equal(reads, 0);
  assert.deepEqual(conversation.at(1), TURN);
  assert.equal(conversation.at(1), conversation.at(1));
  assert.equal(reads, 1);
  assert.equal(conversation.at(2), undefined);
  assert.equal(conversation.at(-1), undefined);
});

Deno.test("SentConversation names the model's turns only, and does not read results for it", () => {
  const conversation = sent([{ ...USER, name: "a" }, TURN, RESULT, TURN], {
    ...READER,
    read: (body, span) => {
      const element = READER.read(body, span);
      assert.notEqual(element.role, "tool");
      return element;
    },
  });
  const index = conversation.turns(["call:a"], (index, at, { name }) => {
    index.add(`call:${name}`, at);
  });
  assert.deepEqual(index.places("call:a"), [1, 3]);
  assert.equal(index.wants("text"), false);
});

Deno.test("SentConversation gives the context of the turn that comes next, also behind a plain string", () => {
  const whole = sent([USER, TURN, USER]);
  assert.equal(whole.context(), whole.context(3));
  assert.notEqual(sent([USER, RESULT]).context(), sent([USER]).context());
  const context = (input: unknown) => {
    const body = utf8.encode(JSON.stringify({ input }));
    const scan = responsesFormat.scan(body);
    return new SentConversation(body, scan, READER).context();
  };
  assert.notEqual(context("q"), context("p"));
});

Deno.test("SentConversation reads values and texts at their spans", () => {
  const conversation = sent([USER]);
  assert.deepEqual(conversation.parsed(conversation.spans[0]), USER);
  assert.equal(conversation.parsed(undefined), undefined);
  assert.equal(conversation.text(undefined), "");
  const start = '{"messages":[{"role":'.length;
  assert.equal(conversation.text({ start, end: start + 6 }), "user");
});
