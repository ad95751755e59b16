import assert from "node:assert/strict";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import { SentMessages } from "../../../src/providers/chat_completions/retrieval_messages.ts";
import {
  anchorOf,
  turnOf,
} from "../../../src/providers/chat_completions/retrieval_turn.ts";

function sent(...messages: readonly unknown[]): SentMessages {
  const body = new TextEncoder().encode(JSON.stringify({ messages }));
  return new SentMessages(body, chatCompletionsFormat.scan(body));
}

const USER = { role: "user", content: "q" };
const TURN = {
  role: "assistant",
  content: "b",
  tool_calls: [{ id: "c1", type: "function", function: { name: "x" } }],
};

Deno.test("SentMessages finds a turn by each name that a record of it can have", () => {
  const messages = sent(USER, TURN, USER);
  for (const turn of [TURN, { ...TURN, tool_calls: null }]) {
    const anchor = anchorOf(turnOf(JSON.stringify(turn)), messages.context(1))!;
    assert.deepEqual(messages.index([anchor]).places(anchor), [1], anchor);
  }
});

Deno.test("SentMessages does not take the client's words for a turn", () => {
  const messages = sent(USER, { ...TURN, role: "user" });
  for (const turn of [TURN, { ...TURN, tool_calls: null }]) {
    const anchor = anchorOf(turnOf(JSON.stringify(turn)), messages.context(1))!;
    assert.deepEqual(messages.index([anchor]).places(anchor), []);
  }
});

Deno.test("SentMessages knows what a message says only when it is one text", () => {
  const said = (content: unknown) => {
    const messages = sent({ role: "assistant", content });
    return messages.said(messages.at(0)!);
  };
  assert.equal(said("a"), "a");
  assert.equal(said(null), "");
  assert.equal(said([{ type: "text", text: "a" }]), "a");
  for (const mixed of [[], ["a"], [{ type: "refusal" }], [{ text: "a" }, {}]]) {
    assert.equal(said(mixed), undefined);
  }
});

Deno.test("SentMessages reads calls and other texts with their spans, whatever they are", () => {
  const messages = sent(
    { ...TURN, reasoning_content: "r", tool_calls: [{}, ...TURN.tool_calls] },
    { role: "tool", tool_call_id: "c1", content: "" },
  );
  const { calls, texts } = messages.at(0)!;
  assert.deepEqual(calls.map(({ id }) => id), ["", "c1"]);
  assert.deepEqual([...texts.keys()], ["reasoning_content"]);
  assert.equal(messages.text(texts.get("reasoning_content")), "r");
  assert.equal(messages.at(1)!.answers, "c1");
  assert.equal(messages.at(2), undefined);
});
