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
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { FORMATS, harness } from "./harness.ts";

const { parts } = harness();
const { responseIds } = parts;

function keyOf(json: object, session?: string) {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const names = { body, session, agent: undefined };
  return keyOfConversation(
    parts,
    { ...names, format: responsesFormat },
    responsesFormat.scan(body),
  );
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
    keyOfSession(parts, { format: responsesFormat, session, agent });
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

const LOG = Array.from({ length: 400 }, (_, i) => `line ${i} of it`).join("\n");
const TALK: Conversation = {
  question: "why did it fail?",
  steps: [0, 1, 2].map((i) => ({
    says: `step ${i}`,
    calls: [{ id: `c${i}`, tool: "Bash", args: {}, result: `${i}\n${LOG}` }],
  })),
};

Deno.test("a conversation that goes on in another format gets the tool in that format, or none", async () => {
  for (const from of CLIENTS) {
    for (const to of CLIENTS) {
      for (const facts of [{ session: "s" }, {}]) {
        const process = harness();
        const send = (client: ClientFormat, steps: number) =>
          process.send(client.id, bodyOf(client, TALK, steps), facts);
        for (const steps of [0, 1]) await send(from, steps);
        for (const steps of [2, 3]) {
          const { bytes, declaration } = await send(to, steps);
          const text = new TextDecoder().decode(bytes);
          assert.equal(
            text.includes(FORMATS[to.id]!.retrieval.definition),
            declaration.by === "proxy",
            `${from.id} to ${to.id}`,
          );
          assert.equal(text.includes("hash="), declaration.by === "proxy");
        }
      }
    }
  }
});

Deno.test("a fork without a call keeps the tool under another session", async () => {
  for (const client of CLIENTS) {
    const process = harness();
    const said: Conversation = {
      question: "hello",
      steps: [{ says: "hi", calls: [], note: "and now?" }],
    };
    const send = async (steps: number, facts: { session?: string }) =>
      (await process.send(client.id, bodyOf(client, said, steps), facts))
        .declaration.by;
    const begun = [
      await send(0, { session: "a" }),
      await send(1, { session: "a" }),
    ];
    assert.deepEqual(begun, ["proxy", "proxy"]);
    assert.equal(await send(1, { session: "b" }), "proxy", client.id);
    assert.equal(await send(1, {}), "proxy", client.id);
  }
});
