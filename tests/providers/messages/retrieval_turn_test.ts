import assert from "node:assert/strict";
import { type AnsweredTurn, loadedBy } from "../../../src/core/retrieval.ts";
import {
  anchorOf,
  errorJson,
  isEmptyText,
  isSameBlock,
  turnBlock,
  TurnLog,
} from "../../../src/providers/messages/retrieval_turn.ts";

const ASK =
  '{"type":"tool_use","id":"r1","name":"headroom_retrieve","input":{"hash":"h"}}';
const FACTS = { conversationLength: 1, context: "c" };
const CALL = '{"type":"tool_use","id":"c1","name":"Bash","input":{}}';

/** A tool that was found. */
const loaded = (name: string) => ({ name, definition: `{"name":"${name}"}` });

Deno.test("turnBlock tells our calls from the client's and from all else", () => {
  const kinds = [ASK, CALL, '{"type":"server_tool_use","name":"web_search"}'];
  assert.deepEqual(kinds.map((json) => turnBlock(json).calls), [
    "proxy",
    "client",
    undefined,
  ]);
});

Deno.test("isSameBlock ignores order, nulls and cache marks, and nothing else", () => {
  const block = { type: "text", text: "a", citations: null };
  const marked = { text: "a", cache_control: { type: "x" }, type: "text" };
  assert.ok(isSameBlock(block, marked));
  assert.ok(!isSameBlock(block, { ...marked, text: "b" }));
  assert.ok(!isSameBlock(block, { ...marked, citations: [{ a: 1 }] }));
});

Deno.test("isEmptyText is true for a text block without text only", () => {
  assert.ok(isEmptyText({ type: "text", text: "" }));
  assert.ok(!isEmptyText({ type: "text", text: " " }));
  assert.ok(!isEmptyText({ type: "thinking", thinking: "" }));
});

Deno.test("anchorOf prefers a call to a signature to the text, which needs a context", () => {
  const text = { type: "text", text: "one" };
  const thought = { type: "thinking", thinking: "t", signature: "s" };
  const redacted = { type: "redacted_thinking", data: "d" };
  const call = { type: "tool_use", id: "c1" };
  const kind = (blocks: Parameters<typeof anchorOf>[0]) =>
    anchorOf(blocks, "here")?.split(":")[0];
  assert.equal(anchorOf([redacted, text, call], undefined), "call:c1");
  assert.equal(kind([text, redacted]), "signature");
  assert.equal(kind([text, thought]), "signature");
  assert.equal(kind([{ ...call, id: "" }, text]), "text");
  assert.equal(kind([{ ...text, text: "" }]), undefined);
  assert.equal(anchorOf([text], undefined), undefined);
  assert.notEqual(anchorOf([text], "here"), anchorOf([text], "there"));
});

Deno.test("TurnLog continues only when every call is ours and the turn is whole", () => {
  const end = (blocks: readonly string[], stop: string) =>
    new TurnLog(FACTS).end(blocks.map(turnBlock), stop);
  const calls = [{ callId: "r1", wanted: { hash: "h" } }];
  assert.deepEqual(end([ASK], "tool_use"), { calls, continues: true });
  assert.deepEqual(end([ASK, CALL], "tool_use"), { calls, continues: false });
  assert.deepEqual(end([CALL], "tool_use"), { calls: [], continues: false });
  for (const stop of ["max_tokens", "refusal", "pause_turn"]) {
    assert.deepEqual(end([ASK], stop), { calls: [], continues: false });
  }
});

Deno.test("TurnLog sends blocks back as produced, but for empty texts", () => {
  const log = new TurnLog({ ...FACTS, conversationLength: 3 });
  const odd = '{"text":"a","type":"text","new_field":1.0}';
  log.end(
    [odd, '{"type":"text","text":""}', ASK].map(turnBlock),
    "tool_use",
  );
  const call = { callId: "r1", wanted: { hash: "h" } };
  assert.equal(
    log.answer([{ call, content: '{"é":1}' }]),
    `{"role":"assistant","content":[${odd},${ASK}]},` +
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"r1","content":"{\\"é\\":1}"}]}',
  );
  log.end(['{"type":"text","text":"b"}'].map(turnBlock), "end_turn");
  const [record] = log.records([]);
  assert.equal(record?.format, "messages");
  assert.equal((JSON.parse(record!.data) as AnsweredTurn).at, 3);
});

Deno.test("TurnLog keeps nothing when nothing was answered or nothing can be found again", () => {
  const plain = new TurnLog(FACTS);
  plain.end([turnBlock('{"type":"text","text":"b"}')], "end_turn");
  assert.deepEqual(plain.records([]), []);
  const empty = new TurnLog(FACTS);
  empty.end([turnBlock(ASK)], "tool_use");
  empty.answer([]);
  empty.end([], "end_turn");
  assert.deepEqual(empty.records([]), []);
});

Deno.test("TurnLog asks for tools, answers with references, and keeps which ones were loaded", () => {
  const search = (id: string, input: unknown) =>
    turnBlock(JSON.stringify({
      ...{ type: "tool_use", id, name: "svc_find_tools", input },
    }));
  const log = new TurnLog(FACTS);
  const { calls, continues } = log.end(
    [search("s1", { query: "mail" }), search("s2", { query: 7 })],
    "tool_use",
  );
  assert.equal(continues, true);
  const [first, second] = calls;
  assert.deepEqual(calls, [
    { callId: "s1", wanted: { tools: "mail" } },
    { callId: "s2", wanted: { tools: "" } },
  ]);
  const elements = log.answer([
    { call: first!, content: "", loads: ["a", "b"].map(loaded) },
    { call: second!, content: "none" },
  ]);
  const [, answer] = JSON.parse(`[${elements}]`);
  assert.deepEqual(answer.content, [
    {
      type: "tool_result",
      tool_use_id: "s1",
      content: [
        { type: "tool_reference", tool_name: "a" },
        { type: "tool_reference", tool_name: "b" },
      ],
    },
    { type: "tool_result", tool_use_id: "s2", content: "none" },
  ]);
  const beside = log.end([search("s3", {}), turnBlock(CALL)], "tool_use");
  assert.equal(beside.continues, false);
  const [record, ...more] = log.records([
    { call: beside.calls[0]!, content: "", loads: ["b", "c"].map(loaded) },
  ]);
  assert.deepEqual(more, []);
  assert.deepEqual(loadedBy(record!), ["a", "b", "c"]);
});

Deno.test("TurnLog keeps no names for a turn that loaded nothing, whatever its texts say", () => {
  const log = new TurnLog(FACTS);
  const { calls } = log.end([turnBlock(ASK), turnBlock(CALL)], "tool_use");
  const [record] = log.records([
    { call: calls[0]!, content: '{"loads":["x"]}' },
  ]);
  assert.deepEqual(loadedBy(record!), []);
});

Deno.test("errorJson is this family's error", () => {
  assert.equal(
    errorJson("m"),
    '{"type":"error","error":{"type":"api_error","message":"m"}}',
  );
});
