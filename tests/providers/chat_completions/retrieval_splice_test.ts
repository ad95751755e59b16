import assert from "node:assert/strict";
import { splice } from "../../../src/bytes/splice.ts";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import {
  spliceBack,
  turnContext,
  turnNames,
} from "../../../src/providers/chat_completions/retrieval_splice.ts";
import {
  TurnLog,
  turnOf,
} from "../../../src/providers/chat_completions/retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const ASK =
  '{"id":"r1","type":"function","function":{"name":"headroom_retrieve","arguments":"{}"}}';
const CALL =
  '{"id":"c1","type":"function","function":{"name":"Bash","arguments":"{}"}}';
const ANSWER = { call: { callId: "r1", wanted: { hash: "" } }, content: "all" };
const RESULT = '{"role":"tool","tool_call_id":"r1","content":"all"}';
const OUT = '{"role":"tool","tool_call_id":"c1","content":"out"}';
const USER = '{"role":"user","content":"q"}';
const CONTEXT = contextOf(`[${USER}]`);

function contextOf(messages: string): string {
  const body = utf8.encode(`{"messages":${messages}}`);
  return turnContext(body, chatCompletionsFormat.scan(body));
}

function recordOf(first: string, last: string) {
  const log = new TurnLog({ conversationLength: 1, context: CONTEXT });
  log.end(turnOf(first), "tool_calls");
  log.answer([ANSWER]);
  log.end(turnOf(last), "stop");
  return log.records([]);
}

function spliced(messages: string, records: ReturnType<typeof recordOf>) {
  const body = utf8.encode(`{"messages":${messages}}`);
  const edits = spliceBack(body, chatCompletionsFormat.scan(body), records);
  const out = decoder.decode(splice(body, edits));
  return out.slice('{"messages":'.length, -1);
}

const FIRST =
  `{"role":"assistant","content":"a ","reasoning_content":"x","tool_calls":[${ASK}]}`;

Deno.test("turnNames holds the anchors of the turns of a body, and no others", () => {
  const texts = '{"role":"assistant","content":"b"}';
  const calls = `{"role":"assistant","content":null,"tool_calls":[${CALL}]}`;
  for (const last of [texts, calls]) {
    const [record] = recordOf(FIRST, last);
    const own = record!.anchor.split("\n");
    const names = (shown: string) => {
      const body = utf8.encode(`{"messages":[${USER},${shown}]}`);
      return turnNames(body, chatCompletionsFormat.scan(body));
    };
    const shown = last === texts
      ? '{"role":"assistant","content":"a b"}'
      : calls;
    assert(names(shown).some((name) => own.includes(name)));
    assert(!names(USER).some((name) => own.includes(name)));
    const client = shown.replace("assistant", "user");
    assert(!names(client).some((name) => own.includes(name)));
  }
});

Deno.test("spliceBack splits every text that the client joined", () => {
  const records = recordOf(
    FIRST,
    '{"role":"assistant","content":"\\u00e9","reasoning_content":"y"}',
  );
  assert.equal(
    spliced(
      `[${USER} , {"reasoning_content": "xy", "content": "a é", "role":"assistant"}]`,
      records,
    ),
    `[${USER},${FIRST},${RESULT} , {"reasoning_content": "y", "content": "\\u00e9", "role":"assistant"}]`,
  );
  assert.equal(
    spliced(
      `[${USER},{"role":"assistant","content":[{"type":"text","text":"a é"}]}]`,
      records,
    ),
    `[${USER},${FIRST},${RESULT},{"role":"assistant","content":[{"type":"text","text":"\\u00e9"}]}]`,
  );
});

Deno.test("spliceBack leaves no text to a round that only called", () => {
  const records = recordOf(
    FIRST,
    `{"role":"assistant","content":null,"tool_calls":[${CALL}]}`,
  );
  const shown = (content: string) =>
    `{"role":"assistant","content":${content},"tool_calls":[${CALL}]}`;
  for (const content of ['"a "', '[{"type":"text","text":"a "}]']) {
    assert.equal(
      spliced(`[${USER},${shown(content)},${OUT}]`, records),
      `[${USER},${FIRST},${RESULT},${shown("null")},${OUT}]`,
    );
  }
});

Deno.test("spliceBack leaves a turn alone whose text differs", () => {
  const records = recordOf(
    FIRST,
    `{"role":"assistant","content":null,"tool_calls":[${CALL}]}`,
  );
  for (const content of ['"a"', "null", '[{"type":"text","text":"a"},{}]']) {
    const messages =
      `[${USER},{"role":"assistant","content":${content},"tool_calls":[${CALL}]}]`;
    assert.equal(spliced(messages, records), messages);
  }
});

Deno.test("spliceBack puts a call beside the client's only when its result follows", () => {
  const log = new TurnLog({ conversationLength: 1, context: CONTEXT });
  const turn = (calls: string) =>
    `{"role":"assistant","content":null,"tool_calls":[${calls}]}`;
  log.end(turnOf(turn(`${ASK},${CALL}`)), "tool_calls");
  const records = log.records([ANSWER]);
  assert.equal(
    spliced(`[${USER},${turn(CALL)},${OUT}]`, records),
    `[${USER},${turn(`${ASK},${CALL}`)},${RESULT},${OUT}]`,
  );
  for (const rest of ["", `,${USER}`]) {
    const messages = `[${USER},${turn(CALL)}${rest}]`;
    assert.equal(spliced(messages, records), messages);
  }
});

Deno.test("turnContext does not mind how the client writes what it said", () => {
  const system = '{"role":"system","content":"s"}';
  const context = contextOf(`[${USER},${OUT}]`);
  const written = [
    `${USER},{"content":[{"text":"o\\u0075t","type":"text"}],"tool_call_id":"c1","role":"tool"}`,
    `${USER},${OUT},${system}`,
  ];
  for (const other of written) assert.equal(contextOf(`[${other}]`), context);
  assert.equal(
    contextOf('[{"content":[{"type":"text","text":"q"}],"role":"user"}]'),
    CONTEXT,
  );
});

Deno.test("turnContext differs by the last call, its result and what was said behind it", () => {
  const contexts = [
    "[]",
    `[${USER}]`,
    `[${USER},${OUT}]`,
    `[${USER},${OUT.replace("c1", "c2")}]`,
    `[${USER},${OUT.replace('"out"', '"Out"')}]`,
    `[${USER},${OUT},${USER}]`,
    `[${USER},${OUT.replace("c1", "c2")},${USER}]`,
  ];
  assert.equal(new Set(contexts.map(contextOf)).size, contexts.length);
});

Deno.test("spliceBack puts back the newest of several for one turn", () => {
  const last = '{"role":"assistant","content":"b"}';
  const records = ["old", "new"].flatMap((content) =>
    recordOf(FIRST.replace("a ", ""), last).map((record) => ({
      ...record,
      data: record.data.replace('\\"all\\"', `\\"${content}\\"`),
    }))
  );
  const out = spliced(`[${USER},${last},${USER}]`, records);
  assert.deepEqual(out.match(/old|new/g), ["new"]);
});

Deno.test("spliceBack leaves a place to an older record when the newest is another turn's", () => {
  const last = `{"role":"assistant","content":"b","tool_calls":[${CALL}]}`;
  const [old] = recordOf(FIRST.replace("a ", ""), last);
  const [other] = recordOf(FIRST, last);
  const out = spliced(`[${USER},${last},${OUT}]`, [old!, other!]);
  assert.ok(out.includes(RESULT));
});
