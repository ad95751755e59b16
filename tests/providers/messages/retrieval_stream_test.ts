import assert from "node:assert/strict";
import {
  StreamedBlock,
  StreamExchange,
} from "../../../src/providers/messages/retrieval_stream.ts";
import { WHOLE_RESPONSE } from "../../conformance/retrieval_dialects.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const OPTIONS = { ...WHOLE_RESPONSE, streaming: true };
const event = (data: object) => `data:${JSON.stringify(data)}\r\n\r\n`;
const START = event({ type: "message_start", message: { id: "m" } });
const ASK = event({
  type: "content_block_start",
  index: 0,
  content_block: {
    type: "tool_use",
    id: "r1",
    name: "headroom_retrieve",
    input: { hash: "h" },
  },
});
const STOP =
  event({ type: "message_delta", delta: { stop_reason: "tool_use" } }) +
  event({ type: "message_stop" });

function pushed(exchange: StreamExchange, text: string): string {
  return decoder.decode(exchange.push(utf8.encode(text)));
}

Deno.test("StreamExchange relays unknown events and comments raw, before and behind a retrieval", () => {
  const exchange = new StreamExchange(OPTIONS);
  const odd = `: hello\n\nevent: new\nid: 1\ndata: {"a" :1.0}\n\n`;
  assert.equal(pushed(exchange, START + odd), START + odd);
  assert.equal(exchange.touched, false);
  assert.equal(pushed(exchange, ASK + odd), odd);
  assert.equal(exchange.touched, true);
});

Deno.test("StreamExchange relays an upstream error as the end", () => {
  const exchange = new StreamExchange(OPTIONS);
  const error = event({ type: "error", error: { type: "overloaded_error" } });
  assert.equal(pushed(exchange, START + ASK + error), START + error);
  assert.deepEqual(exchange.endRound().calls, []);
  const { bytes, records } = exchange.finish([]);
  assert.equal(bytes.length + records.length, 0);
});

Deno.test("StreamExchange does not continue a turn with a block that it cannot rebuild", () => {
  const exchange = new StreamExchange(OPTIONS);
  const block = { type: "new_block" };
  const delta = { type: "new_delta" };
  pushed(
    exchange,
    ASK +
      event({ type: "content_block_start", index: 1, content_block: block }) +
      event({ type: "content_block_delta", index: 1, delta }) + STOP,
  );
  assert.throws(() => exchange.endRound(), /Cannot continue/);
});

Deno.test("StreamExchange names the last round's input and cache fields at the end", () => {
  const exchange = new StreamExchange(OPTIONS);
  pushed(exchange, START + ASK + STOP);
  const { calls } = exchange.endRound();
  exchange.continuation([{ call: calls[0]!, content: "{}" }]);
  const usage = { input_tokens: 7, cache_read_input_tokens: 5 };
  pushed(
    exchange,
    event({ type: "message_start", message: { id: "n", usage } }) +
      event({
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 3 },
      }) + event({ type: "message_stop" }),
  );
  assert.deepEqual(exchange.endRound().calls, []);
  assert.ok(
    decoder.decode(exchange.finish([]).bytes).includes(
      '"usage":{"input_tokens":7,"cache_read_input_tokens":5,"output_tokens":3}',
    ),
  );
});

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
