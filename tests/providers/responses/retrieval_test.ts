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

Deno.test("responsesRetrieval.exchange sends items back as produced, but for reasoning that is stored nowhere", () => {
  const bare = '{"type":"reasoning","id":"rs1","summary":[]}';
  const rest = [
    '{"type":"reasoning","encrypted_content":"e","summary":[]}',
    '{"type":"reasoning","id":"rs2","summary":[],"content":[{"type":"reasoning_text","text":"so"}]}',
    ASK,
  ].join(",");
  for (
    const [store, sent] of [["", `${bare},${rest}`], ['"store":false,', rest]]
  ) {
    const exchange = responsesRetrieval.exchange(WHOLE_RESPONSE);
    exchange.push(
      utf8.encode(`{${store}"status":"completed","output":[${bare},${rest}]}`),
    );
    const { calls: [call] } = exchange.endRound();
    const elements = exchange.continuation([{ call: call!, content: "{}" }]);
    assert.equal(
      decoder.decode(elements),
      `${sent},{"type":"function_call_output","call_id":"r1","output":"{}"}`,
    );
  }
});

Deno.test("responsesRetrieval.exchange names a turn by what its item is and by its id; a text needs a context", () => {
  const anchor = (item: string, context?: string) => {
    const exchange = responsesRetrieval.exchange({
      ...WHOLE_RESPONSE,
      ...context !== undefined && { context },
    });
    for (const output of [ASK, item]) {
      exchange.push(utf8.encode(`{"status":"completed","output":[${output}]}`));
      if (exchange.endRound().continues) exchange.continuation([]);
    }
    return exchange.finish([]).records[0]?.anchor;
  };
  const said = '{"type":"message","content":"b"}';
  const named = '{"type":"message","id":"m","content":"b"}';
  assert.equal(anchor(CALL), "call:c1");
  assert.equal(anchor(said), undefined);
  assert.match(anchor(said, "here")!, /^text:[0-9a-f]{32}@here$/);
  assert.match(
    anchor(named, "here")!,
    /^text:[0-9a-f]{32}@here\nid:m\nid:m@here$/,
  );
  assert.equal(anchor(named), "id:m");
});
