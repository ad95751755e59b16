import assert from "node:assert/strict";
import type { CompressParts } from "../../src/pipeline/compress_parts.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import {
  conversationOf,
  definitionOfSession,
  keyOfConversation,
  keyOfSession,
} from "../../src/pipeline/conversation_keys.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import { harness } from "./harness.ts";

const { parts } = harness();
const { responseIds } = parts;

function keyOf(json: object, session?: string) {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const names = { body, session, agent: undefined };
  return keyOfConversation(parts, names, responsesFormat.scan(body));
}

Deno.test("keyOfConversation depends on session and first user text, not on what follows", () => {
  const first = { role: "user", content: "why?" };
  const more = { role: "assistant", content: "because" };
  assert.equal(keyOf({ input: [first] }), keyOf({ input: [first, more] }));
  assert.equal(keyOf({ input: "why?" }), keyOf({ input: [first] }));
  assert.notEqual(keyOf({ input: "why?" }), keyOf({ input: "how?" }));
  assert.notEqual(keyOf({ input: "why?" }), keyOf({ input: "why?" }, "s"));
});

Deno.test("keyOfConversation follows the response that a body continues", async () => {
  const key = keyOf({ input: "why?" });
  await responseIds.note(conversationOf("resp_1"), key);
  const next = { previous_response_id: "resp_1", input: "and then?" };
  assert.equal(keyOf(next), key);
  assert.notEqual(keyOf({ ...next, previous_response_id: "resp_2" }), key);
});

Deno.test("keyOfSession is one key per session and agent, and none without a session", () => {
  const key = (session?: string, agent?: string) =>
    keyOfSession(parts, { session, agent });
  assert.equal(key("s", "a"), key("s", "a"));
  assert.notEqual(key("s", "a"), key("s", "b"));
  assert.equal(key(undefined, "a"), undefined);
});

Deno.test("definitionOfSession speaks for conversations that were never seen", () => {
  const opened = {
    open: () => ({ definition: "def", retrievals: [], asked: [], activeAt: 1 }),
  };
  const known = { conversations: opened } as unknown as CompressParts;
  const session = "s" as ConversationKey;
  const fresh = {
    definition: undefined,
    retrievals: [],
    asked: [],
    activeAt: undefined,
  };
  assert.equal(definitionOfSession(known, session, fresh), "def");
  assert.equal(definitionOfSession(known, undefined, fresh), undefined);
  const seen = { ...fresh, activeAt: 5 };
  assert.equal(definitionOfSession(known, session, seen), undefined);
});
