import assert from "node:assert/strict";
import { StreamExchange } from "../../../src/providers/responses/retrieval_stream.ts";
import { WHOLE_RESPONSE } from "../../conformance/retrieval_dialects.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const OPTIONS = { ...WHOLE_RESPONSE, streaming: true };
const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const ASK = {
  type: "function_call",
  call_id: "r1",
  name: "headroom_retrieve",
  arguments: "{}",
};
const created = event("response.created", {
  sequence_number: 0,
  response: { id: "a" },
});
const asked = event("response.output_item.done", {
  sequence_number: 1,
  output_index: 0,
  item: ASK,
});
const ended = (type: string, sequence_number: number, response: object) =>
  event(`response.${type}`, {
    sequence_number,
    response: { status: type, output: [], ...response },
  });

function pushed(exchange: StreamExchange, text: string): string {
  return decoder.decode(exchange.push(utf8.encode(text)));
}

Deno.test("StreamExchange hides a call that has no start event", () => {
  const exchange = new StreamExchange(OPTIONS);
  assert.equal(pushed(exchange, created + asked), created);
  pushed(exchange, ended("completed", 2, { id: "a" }));
  assert.ok(exchange.endRound().continues);
});

Deno.test("StreamExchange counts on in what the client has seen", () => {
  const exchange = new StreamExchange(OPTIONS);
  const odd = (sequence_number: number) =>
    event("response.new", { sequence_number });
  const bare = ": comment\n\n" + event("response.bare", {});
  assert.equal(
    pushed(exchange, created + asked + odd(2) + bare),
    created + odd(1) + bare,
  );
  pushed(exchange, ended("completed", 3, { id: "a" }));
  exchange.endRound();
  exchange.continuation([]);
  assert.equal(pushed(exchange, created + odd(1)), odd(2));
  const failed = decoder.decode(exchange.failure("why"));
  assert.match(failed, /"sequence_number":3,.*"message":"why"/);
});

Deno.test("StreamExchange ends with the provider's own failure, and remembers nothing", () => {
  const exchange = new StreamExchange(OPTIONS);
  pushed(exchange, created + asked + ended("completed", 2, { id: "a" }));
  exchange.endRound();
  exchange.continuation([]);
  pushed(exchange, ended("failed", 1, { id: "b", error: { code: "x" } }));
  assert.deepEqual(exchange.endRound().calls, []);
  const { bytes, records, responseId } = exchange.finish([]);
  assert.equal(
    decoder.decode(bytes),
    ended("failed", 1, { id: "a", error: { code: "x" } }),
  );
  assert.deepEqual(records, []);
  assert.equal(responseId, undefined);
});

Deno.test("StreamExchange relays an upstream error as the end", () => {
  const exchange = new StreamExchange(OPTIONS);
  const error = event("error", { message: "overloaded" });
  assert.equal(pushed(exchange, created + asked + error), created + error);
  assert.deepEqual(exchange.endRound().calls, []);
  assert.equal(exchange.finish([]).bytes.length, 0);
});
