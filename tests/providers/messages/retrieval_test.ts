import assert from "node:assert/strict";
import { loadedBy } from "../../../src/core/retrieval.ts";
import { testRetrieval } from "../../conformance/retrieval.ts";
import {
  messagesDialect,
  WHOLE_RESPONSE,
} from "../../conformance/retrieval_dialects.ts";
import { messagesRetrieval } from "../../../src/providers/messages/retrieval.ts";

testRetrieval(messagesDialect);

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const ASK =
  '{"type":"tool_use","id":"r1","name":"headroom_retrieve","input":{"hash":"h"}}';

Deno.test("messagesRetrieval.exchange keeps every value that it does not change", () => {
  const exchange = messagesRetrieval.exchange(WHOLE_RESPONSE);
  const odd = '{"type":"text","text":"\\u00e9","x":1.0}';
  exchange.push(utf8.encode(
    `{"id":"m1","content":[${odd}, ${ASK}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}`,
  ));
  const { calls, continues } = exchange.endRound();
  assert.ok(continues);
  const content = "{}";
  const elements = exchange.continuation([{ call: calls[0]!, content }]);
  assert.ok(decoder.decode(elements).includes(`[${odd},${ASK}]`));
  exchange.push(utf8.encode(
    `{"id":"m2","n":1e5,"content":[{"type":"text","text":"b"}],"stop_reason":"end_turn","usage":{"input_tokens":9.0,"output_tokens":3}}`,
  ));
  assert.equal(exchange.endRound().continues, false);
  assert.equal(
    decoder.decode(exchange.finish([]).bytes),
    `{"id":"m1","n":1e5,"content":[${odd},{"type":"text","text":"b"}],"stop_reason":"end_turn","usage":{"input_tokens":9.0,"output_tokens":5}}`,
  );
});

Deno.test("messagesRetrieval.exchange refuses a further round that is no message", () => {
  const exchange = messagesRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(utf8.encode(`{"content":[${ASK}],"stop_reason":"tool_use"}`));
  exchange.endRound();
  exchange.continuation([]);
  exchange.push(utf8.encode('{"type":"error"}'));
  assert.throws(() => exchange.endRound(), /Cannot continue/);
});

/** A response that holds these blocks. */
function said(stop_reason: string, ...content: readonly object[]): Uint8Array {
  return utf8.encode(JSON.stringify({ content, stop_reason }));
}
const CALL = { type: "tool_use", id: "c1", name: "Bash", input: {} };

Deno.test("messagesRetrieval.exchange asks for tools, answers with references, and keeps which ones were loaded", () => {
  const search = (id: string, input: object) => ({
    ...{ type: "tool_use", id, name: "svc_find_tools", input },
  });
  const loads = (...names: readonly string[]) =>
    names.map((name) => ({ name, definition: `{"name":"${name}"}` }));
  const exchange = messagesRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(
    said(
      "tool_use",
      search("s1", { query: "mail" }),
      search("s2", { query: 7 }),
    ),
  );
  const { calls: [first, second] } = exchange.endRound();
  assert.deepEqual([first, second], [
    { callId: "s1", wanted: { tools: "mail" } },
    { callId: "s2", wanted: { tools: "" } },
  ]);
  const elements = exchange.continuation([
    { call: first!, content: "", loads: loads("a", "b") },
    { call: second!, content: "none" },
  ]);
  const [, { content }] = JSON.parse(`[${decoder.decode(elements)}]`);
  assert.deepEqual(content.map((one: { content: unknown }) => one.content), [
    [
      { type: "tool_reference", tool_name: "a" },
      { type: "tool_reference", tool_name: "b" },
    ],
    "none",
  ]);
  exchange.push(said("tool_use", search("s3", {}), CALL));
  const { calls: [third], continues } = exchange.endRound();
  assert.equal(continues, false);
  const { records } = exchange.finish([
    { call: third!, content: "", loads: loads("b", "c") },
  ]);
  assert.deepEqual(records.map(loadedBy), [["a", "b", "c"]]);
});

Deno.test("messagesRetrieval.exchange names a turn by a call, else by a signature, else by its text and what it answers", () => {
  const text = { type: "text", text: "one" };
  const thought = { type: "thinking", thinking: "t", signature: "s" };
  const redacted = { type: "redacted_thinking", data: "d" };
  const nameOf = (
    context: string | undefined,
    ...blocks: readonly object[]
  ) => {
    const exchange = messagesRetrieval.exchange({
      ...WHOLE_RESPONSE,
      ...context !== undefined && { context },
    });
    exchange.push(said("tool_use", JSON.parse(ASK)));
    const { calls: [call] } = exchange.endRound();
    exchange.continuation([{ call: call!, content: '{"loads":["x"]}' }]);
    exchange.push(said("end_turn", ...blocks));
    exchange.endRound();
    const { records: [record] } = exchange.finish([]);
    if (record) assert.deepEqual(loadedBy(record), []);
    return record?.anchor.split("\n")[0]?.split(/[@:]/).slice(0, 2).join(":");
  };
  assert.equal(nameOf(undefined, redacted, text, CALL), "call:c1");
  assert.match(nameOf("here", text, redacted)!, /^signature:/);
  assert.match(nameOf("here", text, thought)!, /^signature:/);
  assert.match(nameOf("here", { ...CALL, id: "" }, text)!, /^text:/);
  assert.equal(nameOf("here", { ...text, text: "" }), undefined);
  assert.equal(nameOf(undefined, text), undefined);
});

Deno.test("messagesRetrieval.deferral is known for the models of one host that load on demand", () => {
  const known = (model: string, host = "api.anthropic.com") =>
    messagesRetrieval.deferral!.isKnown(host, model);
  for (
    const model of [
      ...["claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "claude-opus-5"],
      ...["claude-haiku-4-5", "claude-opus-4-10", "claude-mythos-preview"],
    ]
  ) {
    assert.equal(known(model), true, model);
    assert.equal(known(model, "api.anthropic.com.example"), false);
  }
  for (
    const model of [
      ...["claude-3-5-sonnet-20241022", "claude-sonnet-4-20250514"],
      ...["claude-opus-4-1", "claude-opus-4", "gpt-5", "", "x-claude-opus-5"],
    ]
  ) assert.equal(known(model), false, model);
});
