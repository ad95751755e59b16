import assert from "node:assert/strict";
import { testRetrieval } from "../../conformance/retrieval.ts";
import {
  responsesDialect,
  WHOLE_RESPONSE,
} from "../../conformance/retrieval_dialects.ts";
import { responsesRetrieval } from "../../../src/providers/responses/retrieval.ts";

testRetrieval(responsesDialect);

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const ASK =
  '{"type":"function_call","call_id":"r1","name":"headroom_retrieve","arguments":"{}"}';
const CALL =
  '{"type":"function_call","call_id":"c1","name":"x","arguments":""}';

Deno.test("responsesRetrieval.exchange keeps the client's calls and every other value", () => {
  const exchange = responsesRetrieval.exchange(WHOLE_RESPONSE);
  const response = (output: string) =>
    utf8.encode(`{"id":"a","n":1.0,"status":"completed","output":[${output}]}`);
  exchange.push(response(`${ASK},${CALL}`));
  const { calls, continues } = exchange.endRound();
  assert.equal(continues, false);
  const end = exchange.finish([{ call: calls[0]!, content: "{}" }]);
  assert.deepEqual(end.bytes, response(CALL));
  assert.equal(end.responseId, undefined);
  assert.equal(end.records.length, 1);
});

Deno.test("responsesRetrieval.exchange maps the id that the client saw to the last one", () => {
  const exchange = responsesRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(
    utf8.encode(`{"id":"a","status":"completed","output":[${ASK}]}`),
  );
  exchange.endRound();
  exchange.continuation([]);
  exchange.push(utf8.encode('{"id":"b","status":"completed","output":[]}'));
  exchange.endRound();
  const { bytes, responseId } = exchange.finish([]);
  assert.deepEqual(responseId, { seen: "a", last: "b" });
  assert.match(decoder.decode(bytes), /^\{"id":"a"/);
});

Deno.test("responsesRetrieval.exchange refuses a further round without output", () => {
  const exchange = responsesRetrieval.exchange(WHOLE_RESPONSE);
  exchange.push(
    utf8.encode(`{"id":"a","status":"completed","output":[${ASK}]}`),
  );
  exchange.endRound();
  exchange.continuation([]);
  exchange.push(utf8.encode('{"error":{}}'));
  assert.throws(() => exchange.endRound(), /Cannot continue/);
  assert.match(decoder.decode(exchange.failure("why")), /"message":"why"/);
});
