import assert from "node:assert/strict";
import { StreamExchange } from "../../../src/providers/messages/retrieval_stream.ts";
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

/** Events of one block. */
function blockOf(index: number, start: object, ...deltas: readonly object[]) {
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) =>
      event({ type: "content_block_delta", index, delta })
    ),
    event({ type: "content_block_stop", index }),
  ].join("");
}

Deno.test("StreamExchange sends each kind of block back as the model wrote it", () => {
  const exchange = new StreamExchange(OPTIONS);
  const json = (partial_json: string) => ({
    type: "input_json_delta",
    partial_json,
  });
  const tool = { type: "tool_use", id: "r1", name: "headroom_retrieve" };
  pushed(
    exchange,
    START +
      blockOf(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "hm" },
        { type: "signature_delta", signature: "sig" },
      ) +
      blockOf(
        1,
        { type: "text", text: "", citations: [] },
        { type: "text_delta", text: "a\n" },
        { type: "citations_delta", citation: { at: 1 } },
        { type: "text_delta", text: "\ud83d\ude00" },
      ) +
      blockOf(
        2,
        { ...tool, input: {} },
        ...["", '{"hash": "h",', '"big":12345678901234567890}'].map(json),
      ) + blockOf(3, { ...tool, id: "r2", input: { hash: "i" } }) + STOP,
  );
  const { calls } = exchange.endRound();
  assert.deepEqual(calls.map(({ wanted }) => wanted), [
    { hash: "h" },
    { hash: "i" },
  ]);
  const elements = decoder.decode(exchange.continuation([]));
  const start = '{"role":"assistant","content":[' +
    '{"type":"thinking","thinking":"hm","signature":"sig"},' +
    '{"type":"text","text":"a\\n😀","citations":[{"at":1}]},' +
    '{"type":"tool_use","id":"r1","name":"headroom_retrieve","input":{"hash": "h","big":12345678901234567890}},' +
    '{"type":"tool_use","id":"r2","name":"headroom_retrieve","input":{"hash":"i"}}]}';
  assert.ok(elements.startsWith(start), elements);
});

Deno.test("StreamExchange does not answer a call whose input is cut off", () => {
  const exchange = new StreamExchange(OPTIONS);
  const cut = { type: "input_json_delta", partial_json: '{"a' };
  const call = { type: "tool_use", id: "r", name: "headroom_retrieve" };
  const own = { type: "tool_use", id: "c", name: "Bash", input: {} };
  pushed(exchange, START + blockOf(0, call, cut) + blockOf(1, own) + STOP);
  assert.throws(() => exchange.endRound(), /a content block is not complete/);
  const ended = new StreamExchange(OPTIONS);
  const stop = event({
    type: "message_delta",
    delta: { stop_reason: "max_tokens" },
  });
  const end = stop + event({ type: "message_stop" });
  pushed(ended, START + blockOf(0, call, cut) + end);
  assert.deepEqual(ended.endRound().calls, [], "nobody waits for an answer");
});
