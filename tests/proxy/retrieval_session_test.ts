import assert from "node:assert/strict";
import { ccrKey, conversationKey } from "../../src/ccr/key.ts";
import { itemsIn } from "../../src/ccr/marker.ts";
import { makeResponseIds } from "../../src/ccr/response_ids.ts";
import { makeRetriever } from "../../src/ccr/retriever.ts";
import { cutOriginal } from "../../src/compute/open_router.ts";
import { makeConversations } from "../../src/ccr/conversations.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import { retrievalSession } from "../../src/proxy/retrieval_session.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { harness, type RequestFacts } from "../pipeline/harness.ts";
import { replyOf } from "../upstream/replies.ts";

const TEXT = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n");
const talk = {
  question: "q",
  steps: [{
    calls: [{ id: "c", tool: "Bash", args: {}, result: TEXT }],
  }],
};

/** A session for a request in which one result is elided. */
async function session(changes: object = {}, facts: RequestFacts = {}) {
  const { send, store, clock: time } = harness({ ttlSeconds: 10 });
  const request = (steps: number) => {
    const body = bodyOf(messagesClient, talk, steps);
    const json = JSON.parse(new TextDecoder().decode(body));
    return new TextEncoder().encode(JSON.stringify({ ...json, ...changes }));
  };
  await send("messages", request(0), facts);
  const call = await send("messages", request(1), facts);
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const log = () => {};
  const conversations = makeConversations(store, {
    clock,
    ttlSeconds: 10,
    log,
  });
  const retriever = makeRetriever({
    store,
    clock,
    ttlSeconds: 10,
    cut: cutOriginal,
    onRetrieved: () => {},
    onUncounted: (error) => assert.fail(String(error)),
  });
  const sent: string[] = [];
  const answers: string[] = [];
  return {
    time,
    store,
    call,
    conversations,
    sent,
    answers,
    session: retrievalSession({
      store,
      conversations,
      retrieve: (from, wanted) => retriever.answer(from, wanted),
      responseIds: makeResponseIds(store, clock),
      itemsIn,
      clock,
      attempt: makeAttempt(log),
      everyTenSeconds: () => () => {},
      pause: () => Promise.resolve(),
    }, {
      format: messagesFormat,
      call,
      scan: call.scan!,
      signal: new AbortController().signal,
      onAnswer: (content) => void answers.push(content),
      send: (elements, forbidTools) => {
        sent.push(`${new TextDecoder().decode(elements)} ${forbidTools}`);
        return Promise.resolve(replyOf(new Response()));
      },
    }),
  };
}

Deno.test("a session answers with the original, also when the store has lost it", async () => {
  const { session: one, time, answers } = await session();
  const found = async () =>
    JSON.parse((await one.lookup({ hash: ccrKey(TEXT) })).content)
      .original_content;
  assert.equal(await found(), TEXT);
  time.ms += 60_000;
  assert.equal(await found(), TEXT);
  const { content } = await one.lookup({ hash: "0".repeat(24) });
  const unknown = JSON.parse(content);
  assert.equal(unknown.status, "missing");
  assert.equal(answers.length, 3);
});

Deno.test("a session answers for what its conversation was sent, not for what others were", async () => {
  const { session: one, store, call, time } = await session();
  const entry = (original: string) => ({
    key: ccrKey(original),
    original,
    strategy: "log",
    toolName: "Bash",
    originalTokens: 2,
    formTokens: 1,
    originalItems: 2,
    keptItems: 1,
    storedAt: time.ms,
  });
  const now = time.ms;
  const other = conversationKey({
    session: "other",
    agent: undefined,
    firstUserText: "q",
  });
  await store.write({ now, conversation: other, entries: [entry("theirs")] });
  await store.write({ now, entries: [entry("of nobody")] });
  const conversation = call.conversation!;
  await store.write({ now, conversation, entries: [entry("dropped")] });
  const asked = async (hash: string) =>
    JSON.parse((await one.lookup({ hash })).content);
  const unknown = await asked("0".repeat(24));
  for (const text of ["theirs", "of nobody"]) {
    const { hash, ...found } = await asked(ccrKey(text));
    assert.deepEqual({ hash: unknown.hash, ...found }, unknown);
    assert.equal(hash, ccrKey(text));
  }
  assert.equal((await asked(ccrKey("dropped"))).original_content, "dropped");
  // What is refused counts for nothing.
  await one.remember([]);
  assert.equal(store.retrievalEvents(9).length, 1);
});

Deno.test("a session counts what it gave back with its conversation, also where the response then failed", async () => {
  for (const end of ["finish", "failure"]) {
    const { session: one, store, call } = await session();
    await one.lookup({ hash: ccrKey(TEXT), lines: "3-4" });
    await one.lookup({ hash: "0".repeat(24) });
    if (end === "finish") await one.remember([]);
    else one.onFailure?.(new Error("broken"));
    await Promise.resolve();
    const [event, ...rest] = store.retrievalEvents(9);
    assert.equal(rest.length, 0);
    assert.equal(event?.part, "lines");
    const [shape] = store.asked(call.conversation!);
    assert.equal(shape?.toolName, "Bash");
    assert.equal(shape?.count, 1);
  }
});

Deno.test("a session sends everything that was said since the client's own request", async () => {
  const { session: one, sent } = await session();
  const say = (json: string, forbidTools: boolean) =>
    one.continueWith(new TextEncoder().encode(json), {
      forbidTools,
      signal: one.signal,
    });
  await say('{"a":1}', false);
  await say('{"b":2},{"c":3}', true);
  assert.deepEqual(sent, ['{"a":1} false', '{"a":1},{"b":2},{"c":3} true']);
});

Deno.test("a session knows whether the model may choose its tools", async () => {
  const auto = async (tool_choice: unknown) =>
    (await session({ tool_choice })).session.toolChoiceAuto;
  assert.equal(await auto(undefined), true);
  assert.equal(await auto({ type: "auto" }), true);
  assert.equal(await auto("auto"), true);
  assert.equal(await auto({ type: "any" }), false);
  assert.equal(await auto({ type: "tool", name: "Bash" }), false);
});

Deno.test("a session remembers retrievals and response ids durably", async () => {
  const { session: one, call, store } = await session();
  const record = { anchor: "a", format: "messages", data: "{}" };
  await one.remember([record]);
  assert.deepEqual(store.retrievals(call.conversation!), [record]);
  await one.onResponseId?.("seen", "last");
  assert.equal(store.responseId("seen"), "last");
});

Deno.test("a session answers a search with names, and counts the definitions that are loaded or the text that says there is none", async () => {
  const tools = Array.from({ length: 30 }, (_, i) => ({
    name: `mcp__srv__act_${i}`,
    description: "does something ".repeat(200),
  }));
  const facts = { defersTools: true };
  const { answers, session: one } = await session({ tools }, facts);
  assert.deepEqual(await one.lookup({ tools: "select:mcp__srv__act_7" }), {
    content: "",
    loads: [{
      name: "mcp__srv__act_7",
      definition: JSON.stringify(tools[7]),
    }],
  });
  assert.deepEqual(JSON.parse(answers[0]!), tools[7]);
  const none = await one.lookup({ tools: "zzzz" });
  assert.equal(none.loads, undefined);
  assert.equal(JSON.parse(none.content).found, 0);
  assert.deepEqual(answers.slice(1), [none.content]);
});
