import assert from "node:assert/strict";
import {
  anchorOf,
  contentOf,
  errorJson,
  turnCall,
  turnJson,
  TurnLog,
  turnOf,
} from "../../../src/providers/chat_completions/retrieval_turn.ts";

const ASK =
  '{"id":"r1","type":"function","function":{"name":"headroom_retrieve","arguments":"{\\"hash\\":\\"h\\"}"}}';
const CALL =
  '{"id":"c1","type":"function","function":{"name":"Bash","arguments":"{}"}}';
const ANSWER = { call: { callId: "r1", wanted: { hash: "h" } }, content: "{}" };

function message(content: string, ...calls: readonly string[]): string {
  return `{"role":"assistant","content":${content},"x":1.0,"tool_calls":[${
    calls.join(",")
  }]}`;
}

Deno.test("turnOf and turnJson keep a message as it is written", () => {
  const json = message("null", ASK, CALL);
  assert.equal(turnJson(turnOf(json)), json);
  assert.deepEqual(turnOf(json).calls.map(({ calls }) => calls), [
    "proxy",
    "client",
  ]);
  const plain = '{"role":"assistant","content":"é","tool_calls":null}';
  assert.equal(contentOf(turnOf(plain)), "é");
  assert.equal(
    turnJson(turnOf(plain)),
    '{"role":"assistant","content":"é"}',
  );
});

Deno.test("turnCall reads id, owner and arguments", () => {
  assert.deepEqual(turnCall(ASK), {
    json: ASK,
    id: "r1",
    calls: "proxy",
    args: '{"hash":"h"}',
  });
});

Deno.test("anchorOf prefers a call to the text, which needs a context", () => {
  const anchor = (json: string, context?: string) =>
    anchorOf(turnOf(json), context);
  assert.equal(anchor(message('"a"', CALL)), "call:c1");
  assert.match(anchor(message('"a"'), "here")!, /^text:[0-9a-f]{32}@here$/);
  assert.equal(anchor(message('"a"')), undefined);
  assert.equal(anchor(message("null"), "here"), undefined);
});

Deno.test("TurnLog continues only when every call is ours and the turn is whole", () => {
  const end = (calls: readonly string[], finish: string) =>
    new TurnLog({ conversationLength: 1 }).end(
      turnOf(message("null", ...calls)),
      finish,
    );
  const calls = [{ callId: "r1", wanted: { hash: "h" } }];
  assert.deepEqual(end([ASK], "tool_calls"), { calls, continues: true });
  assert.deepEqual(end([ASK], "stop"), { calls, continues: true });
  assert.deepEqual(end([ASK, CALL], "tool_calls"), { calls, continues: false });
  assert.deepEqual(end([ASK], "length"), { calls: [], continues: false });
});

Deno.test("TurnLog shows all rounds as one message without our calls", () => {
  const log = new TurnLog({ conversationLength: 1, context: "c" });
  const first = turnOf(
    '{"role":"assistant","content":"a","reasoning_content":"r","list":[1.0],"tool_calls":[' +
      ASK + "]}",
  );
  log.end(first, "tool_calls");
  assert.equal(
    log.answer([ANSWER]),
    `${turnJson(first)},{"role":"tool","tool_call_id":"r1","content":"{}"}`,
  );
  log.end(
    turnOf('{"role":"assistant","content":null,"list":[2],"y":3}'),
    "stop",
  );
  assert.equal(
    turnJson(log.shown()),
    '{"role":"assistant","content":"a","list":[1.0,2],"y":3,"reasoning_content":"r"}',
  );
  assert.equal(log.continued, 1);
  assert.equal(log.records([]).length, 1);
});

Deno.test("errorJson is this family's error", () => {
  assert.match(errorJson("m"), /^\{"error":\{"message":"m"/);
});
