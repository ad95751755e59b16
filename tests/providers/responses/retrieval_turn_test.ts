import assert from "node:assert/strict";
import {
  identityOf,
  turnItems,
} from "../../../src/providers/responses/retrieval_item.ts";
import {
  anchorOf,
  TurnLog,
} from "../../../src/providers/responses/retrieval_turn.ts";

const ASK =
  '{"type":"function_call","call_id":"r1","name":"headroom_retrieve","arguments":"{\\"hash\\":\\"h\\"}"}';
const CALL =
  '{"type":"function_call","call_id":"c1","name":"x","arguments":""}';
const BARE = '{"type":"reasoning","id":"rs1","summary":[]}';
const PLAIN =
  '{"type":"reasoning","id":"rs2","summary":[],"content":[{"type":"reasoning_text","text":"so"}]}';
const SEALED = '{"type":"reasoning","encrypted_content":"e","summary":[]}';
const ANSWER = { call: { callId: "r1", wanted: { hash: "h" } }, content: "{}" };
const OUTPUT = '{"type":"function_call_output","call_id":"r1","output":"{}"}';

Deno.test("anchorOf prefers the last round, and a call to reasoning to text", () => {
  const seen = [
    { type: "function_call", call_id: "c0" },
    { type: "message", content: "a" },
    { type: "reasoning", encrypted_content: "e" },
    { type: "message", content: "b" },
  ].map(identityOf);
  assert.deepEqual(anchorOf(seen, 1), { kind: "call", index: 0 });
  assert.equal(anchorOf(seen.slice(1), 0)?.index, 1);
  assert.equal(anchorOf([seen[1]!, seen[3]!], 1)?.index, 1);
  assert.equal(anchorOf([], 0), undefined);
});

Deno.test("TurnLog continues only when every call is ours and the response is complete", () => {
  const end = (items: readonly string[], status: string) =>
    new TurnLog({ conversationLength: 1 }).end(turnItems(items, false), {
      status,
    });
  const calls = [{ callId: "r1", wanted: { hash: "h" } }];
  assert.deepEqual(end([ASK], "completed"), { calls, continues: true });
  assert.deepEqual(end([ASK, CALL], "completed"), { calls, continues: false });
  assert.deepEqual(end([ASK], "incomplete"), { calls: [], continues: false });
});

Deno.test("TurnLog sends items back as produced, but for reasoning that is stored nowhere", () => {
  const answered = (response: Record<string, unknown>) => {
    const log = new TurnLog({ conversationLength: 1 });
    log.end(turnItems([BARE, SEALED, PLAIN, ASK], false), {
      status: "completed",
      ...response,
    });
    return log.answer([ANSWER]);
  };
  const rest = `${SEALED},${PLAIN},${ASK},${OUTPUT}`;
  assert.equal(answered({}), `${BARE},${rest}`);
  assert.equal(answered({ store: false }), rest);
});

Deno.test("TurnLog keeps nothing when nothing was answered", () => {
  const log = new TurnLog({ conversationLength: 1 });
  log.end(turnItems([CALL], false), { status: "completed" });
  assert.deepEqual(log.records([]), []);
  assert.equal(log.shown.length, 1);
  assert.equal(log.continued, 0);
});

Deno.test("TurnLog names a turn by what its item is and by its id; a text needs a context", () => {
  const anchor = (item: string, context?: string) => {
    const log = new TurnLog({
      conversationLength: 1,
      ...context === undefined ? {} : { context },
    });
    log.end(turnItems([ASK], false), { status: "completed" });
    log.answer([ANSWER]);
    log.end(turnItems([item], false), { status: "completed" });
    return log.records([])[0]?.anchor;
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
