import assert from "node:assert/strict";
import { testRetrieval } from "../../conformance/retrieval.ts";
import {
  chatDialect,
  WHOLE_RESPONSE,
} from "../../conformance/retrieval_dialects.ts";
import { chatRetrieval } from "../../../src/providers/chat_completions/retrieval.ts";

testRetrieval(chatDialect);

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const CALL =
  '{"id":"r1","type":"function","function":{"name":"headroom_retrieve","arguments":"{}"}}';

function completion(message: string, finish: string, choices = 1): Uint8Array {
  const choice = `{"index":0,"message":${message},"finish_reason":"${finish}"}`;
  return utf8.encode(
    `{"id":"a","n":1.0,"choices":[${Array(choices).fill(choice).join(",")}]}`,
  );
}

Deno.test("chatRetrieval.exchange drops a call that was cut off and keeps every other value", () => {
  const exchange = chatRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(
    completion(`{"content":"x","y":1e5,"tool_calls":[${CALL}]}`, "length"),
  );
  assert.deepEqual(exchange.endRound().calls, []);
  assert.deepEqual(
    exchange.finish([]).bytes,
    completion('{"content":"x","y":1e5}', "length"),
  );
});

Deno.test("chatRetrieval.exchange leaves several choices alone", () => {
  const exchange = chatRetrieval.exchange(WHOLE_RESPONSE);
  const body = completion(`{"tool_calls":[${CALL}]}`, "tool_calls", 2);
  exchange.push(body);
  assert.deepEqual(exchange.endRound().calls, []);
  assert.equal(exchange.finish([]).bytes, body);
});

Deno.test("chatRetrieval.exchange refuses a further round that is no completion", () => {
  const exchange = chatRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(completion(`{"tool_calls":[${CALL}]}`, "tool_calls"));
  assert.ok(exchange.endRound().continues);
  exchange.continuation([]);
  exchange.push(utf8.encode('{"error":{}}'));
  assert.throws(() => exchange.endRound(), /Cannot continue/);
  assert.match(decoder.decode(exchange.failure("why")), /"message":"why"/);
});

/** What is kept and shown of two rounds, of which the first asks for an original. */
function answered(first: string, then: string, context?: string) {
  const exchange = chatRetrieval.exchange({
    ...WHOLE_RESPONSE,
    ...context !== undefined && { context },
  });
  const asking = `{${first},"tool_calls":[${CALL}]}`;
  exchange.push(completion(asking, "stop"));
  const { calls: [call], continues } = exchange.endRound();
  assert.ok(continues, "some providers say so beside calls");
  const sent = exchange.continuation([{ call: call!, content: "{}" }]);
  assert.equal(
    decoder.decode(sent),
    `${asking},{"role":"tool","tool_call_id":"r1","content":"{}"}`,
  );
  exchange.push(completion(`{${then}}`, "stop"));
  exchange.endRound();
  const { bytes, records } = exchange.finish([]);
  const { choices } = JSON.parse(decoder.decode(bytes));
  return { message: choices[0].message, records };
}

Deno.test("chatRetrieval.exchange joins the texts and lists of all rounds, and names the turn by its text and what it answers", () => {
  const first =
    '"role":"assistant","content":"a","reasoning_content":"r","list":[1],"odd":"x"';
  const then = '"role":"assistant","content":null,"list":[2],"y":3,"odd":[4]';
  const { message, records } = answered(first, then, "here");
  assert.deepEqual(message, {
    ...{ role: "assistant", content: "a", reasoning_content: "r" },
    ...{ list: [1, 2], odd: [4], y: 3 },
  });
  assert.match(records[0]!.anchor, /^text:[0-9a-f]{32}@here$/);
  assert.deepEqual(answered(first, then).records, []);
  assert.deepEqual(answered('"x":1', '"content":null', "here").records, []);
});
