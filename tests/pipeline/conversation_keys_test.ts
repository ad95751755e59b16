import assert from "node:assert/strict";
import type { CompressParts } from "../../src/pipeline/compress_parts.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import {
  conversationOf,
  keyOfConversation,
  keyOfSession,
  pinKey,
  pinnedToSession,
  sessionPin,
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

Deno.test("pinnedToSession speaks for conversations that were never seen, and have the tools of those before", () => {
  const tools = (...names: string[]) => ({
    tools: { span: { start: 0, end: 2 }, names, count: names.length },
  });
  const session = "s" as ConversationKey;
  const pinned = sessionPin(parts, session, tools("Bash", "Read"));
  const open = (key: ConversationKey) => ({
    definition: key === pinned ? "def" : undefined,
    retrievals: [],
    asked: [],
    activeAt: 1,
  });
  const known = {
    conversations: { open },
    keyOf: parts.keyOf,
  } as unknown as CompressParts;
  const fresh = {
    definition: undefined,
    retrievals: [],
    asked: [],
    activeAt: undefined,
  };
  const of = (
    scan: ReturnType<typeof tools>,
    conversation: Parameters<typeof pinnedToSession>[2]["conversation"] = fresh,
    key: ConversationKey | undefined = session,
  ) => pinnedToSession(known, key, { conversation, scan });
  assert.equal(of(tools("Bash", "Read")), "def");
  assert.equal(of(tools("Read")), undefined);
  const scan = tools("Bash", "Read");
  assert.equal(
    pinnedToSession(known, undefined, { conversation: fresh, scan }),
    undefined,
  );
  assert.equal(of(scan, { ...fresh, activeAt: 5 }), undefined);
});

Deno.test("pinKey keeps requests without tools apart", () => {
  const key = "k" as ConversationKey;
  const tools = { span: { start: 0, end: 2 }, names: ["a"], count: 1 };
  assert.equal(pinKey(key, { tools }), key);
  assert.notEqual(pinKey(key, { tools: undefined }), key);
});
