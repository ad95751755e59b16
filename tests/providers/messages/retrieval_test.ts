import assert from "node:assert/strict";
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
