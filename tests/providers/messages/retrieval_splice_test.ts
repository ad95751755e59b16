import assert from "node:assert/strict";
import { splice } from "../../../src/bytes/splice.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import {
  spliceBack,
  turnContext,
  turnNames,
} from "../../../src/providers/messages/retrieval_splice.ts";
import {
  turnBlock,
  TurnLog,
} from "../../../src/providers/messages/retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const ASK =
  '{"type":"tool_use","id":"r1","name":"headroom_retrieve","input":{"hash":"h"}}';
const ANSWER = {
  call: { callId: "r1", wanted: { hash: "h" } },
  content: "all",
};
const RESULT = '{"type":"tool_result","tool_use_id":"r1","content":"all"}';
const USER = '{"role":"user","content":"q"}';
const CONTEXT = contextOf(`[${USER}]`);

function contextOf(messages: string): string {
  const body = utf8.encode(`{"messages":${messages}}`);
  return turnContext(body, messagesFormat.scan(body));
}

/** A record of these blocks per round; with `beside`, the last round's call waits for the client. */
function recordOf(rounds: readonly (readonly string[])[], beside = false) {
  const log = new TurnLog({ conversationLength: 1, context: CONTEXT });
  for (const [i, blocks] of rounds.entries()) {
    const { continues } = log.end(
      blocks.map(turnBlock),
      blocks.includes(ASK) ? "tool_use" : "end_turn",
    );
    if (continues && i < rounds.length - 1) log.answer([ANSWER]);
  }
  return log.records(beside ? [ANSWER] : []);
}

function spliced(
  messages: string,
  records: ReturnType<typeof recordOf>,
): string {
  const body = utf8.encode(`{"messages":${messages}}`);
  const edits = spliceBack(body, messagesFormat.scan(body), records);
  const out = decoder.decode(splice(body, edits));
  return out.slice('{"messages":'.length, -1);
}

const text = (t: string) => `{"type":"text","text":"${t}"}`;
const said = (...blocks: readonly string[]) =>
  `{"role":"assistant","content":[${blocks.join(",")}]}`;
const ANSWERED = `{"role":"user","content":[${RESULT}]}`;

Deno.test("turnNames holds the anchors of the turns of a body, and no others", () => {
  const call =
    '{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"x"}}';
  const signed = '{"type":"thinking","thinking":"t","signature":"s"}';
  const redacted = '{"type":"redacted_thinking","data":"d"}';
  for (const block of [text("b"), call, signed, redacted]) {
    const [record] = recordOf([[text("a"), ASK], [block]]);
    const own = record!.anchor.split("\n");
    const names = (shown: string) => {
      const body = utf8.encode(`{"messages":[${USER},${shown},${USER}]}`);
      return turnNames(body, messagesFormat.scan(body));
    };
    assert(names(said(text("a"), block)).some((name) => own.includes(name)));
    assert(!names(said(text("other"))).some((name) => own.includes(name)));
    const client = said(text("a"), block).replace("assistant", "user");
    assert(!names(client).some((name) => own.includes(name)));
  }
});

Deno.test("turnNames tells conversations apart whose calls bear the same ids", () => {
  const call = (id: string) =>
    `{"type":"tool_use","id":"${id}","name":"Bash","input":{}}`;
  const names = (question: string) => {
    const user = `{"role":"user","content":"${question}"}`;
    const turn = said(call("functions.Bash:0"));
    const body = utf8.encode(`{"messages":[${user},${turn}]}`);
    return turnNames(body, messagesFormat.scan(body));
  };
  const [first] = names("first question");
  assert(first !== undefined);
  assert(names("first question").includes(first));
  assert(!names("another question").includes(first));
});

Deno.test("spliceBack takes apart what a re-serialising client joined, white space, order, nulls and cache marks aside", () => {
  const cited =
    '{"type":"text","text":"é. ","x":null,"citations":[{"b":[1],"a":{"d":2,"c":3}}]}';
  const records = recordOf([[cited, ASK], [text("b")]]);
  const first =
    '{ "citations":[{"a":{"c":3,"d":2},"b":[1]}], "text": "\\u00e9. ", "type": "text" }';
  const second =
    '{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}';
  assert.equal(
    spliced(
      `[${USER} , { "content" : [ ${first} , ${second} ], "role":"assistant" },${USER}]`,
      records,
    ),
    `[${USER},${
      said(cited, ASK)
    },${ANSWERED} , { "content" : [ ${second} ], "role":"assistant" },${USER}]`,
  );
});

Deno.test("spliceBack cuts the text of a client that keeps only strings", () => {
  const records = recordOf([[text("a\\n"), ASK], [text("b")]]);
  const before = `${said(text("a\\n"), ASK)},${ANSWERED}`;
  assert.equal(
    spliced(`[${USER},{"role":"assistant","content":"a\\nb"}]`, records),
    `[${USER},${before},{"role":"assistant","content":"b"}]`,
  );
  const alone = recordOf([[ASK], [text("b")]]);
  assert.equal(
    spliced(`[${USER},{"role":"assistant","content":"b"}]`, alone),
    `[${USER},${said(ASK)},${ANSWERED},{"role":"assistant","content":"b"}]`,
  );
});

Deno.test("spliceBack does not mind an empty text that the client dropped or kept", () => {
  const records = recordOf([[text(""), text("a"), ASK], [text("b")]]);
  for (
    const shown of [[text("a"), text("b")], [text(""), text("a"), text("b")]]
  ) {
    assert.equal(
      spliced(`[${USER},${said(...shown)}]`, records),
      `[${USER},${said(text("a"), ASK)},${ANSWERED},${said(text("b"))}]`,
    );
  }
});

Deno.test("spliceBack removes a message that holds nothing of the last round", () => {
  const records = recordOf([[text("a"), ASK], []]);
  assert.equal(
    spliced(`[${USER},${said(text("a"))},${USER}]`, records),
    `[${USER},${said(text("a"), ASK)},${ANSWERED},${USER}]`,
  );
});

const CALL = '{"type":"tool_use","id":"c1","name":"Bash","input":{"a":1}}';
const OUT = '{"type":"tool_result","tool_use_id":"c1","content":"out"}';

Deno.test("spliceBack puts a call and its result beside the client's, past a system message", () => {
  const system = '{"role":"system","content":"s"}';
  const results = (...blocks: readonly string[]) =>
    `{"role":"user","content":[${blocks.join(",")}]}`;
  assert.equal(
    spliced(
      `[${USER},${said(CALL)},${system},${results(OUT)}]`,
      recordOf([[CALL, ASK]], true),
    ),
    `[${USER},${said(CALL, ASK)},${system},${results(RESULT, OUT)}]`,
  );
});

Deno.test("spliceBack leaves a turn alone whose results are not there", () => {
  const records = recordOf([[CALL, ASK]], true);
  for (const rest of ["", `,${USER}`, `,${said(text("x"))},${USER}`]) {
    const messages = `[${USER},${said(CALL)}${rest}]`;
    assert.equal(spliced(messages, records), messages);
  }
});

Deno.test("spliceBack leaves a turn alone whose earlier blocks differ", () => {
  const call = [text("a"), ASK];
  const records = recordOf([call, [CALL]]);
  for (const shown of [[CALL], [text("A"), CALL], [CALL, text("a")]]) {
    const messages = `[${USER},${said(...shown)},${USER}]`;
    assert.equal(spliced(messages, records), messages);
  }
  const first = `[${said(text("a"), CALL)},${USER}]`;
  assert.equal(spliced(first, records), first);
});

Deno.test("spliceBack ignores records of another format", () => {
  const [record] = recordOf([[ASK], [text("b")]]);
  const messages = `[${USER},${said(text("b"))}]`;
  assert.equal(
    spliced(messages, [{ ...record!, format: "responses" }]),
    messages,
  );
});

const RESULTS = `{"role":"user","content":[${OUT}]}`;

Deno.test("turnContext does not mind how the client writes what it said", () => {
  const before = `${USER},${said(CALL)}`;
  const context = contextOf(`[${before},${RESULTS}]`);
  const written = [
    '{"content":[{"content":[{"text":"o\\u0075t","type":"text"}],"tool_use_id":"c1","type":"tool_result","cache_control":{"type":"ephemeral"}}], "role":"user"}',
    `${RESULTS},{"role":"system","content":"s"}`,
    `{"role":"user","content":[${OUT},${text("a reminder")}]}`,
  ];
  for (const other of written) {
    assert.equal(contextOf(`[${before},${other}]`), context);
  }
  assert.equal(
    contextOf('[{"role":"user","content":[{"type":"text","text":"q"}]}]'),
    CONTEXT,
  );
});

Deno.test("turnContext differs by the last call, its result and what was said behind it", () => {
  const results = (id: string, content: string) =>
    `[${USER},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"${content}"}]}`;
  const contexts = [
    "[]",
    `[${USER}]`,
    '[{"role":"user","content":"Q"}]',
    `${results("c1", "out")}]`,
    `${results("c2", "out")}]`,
    `${results("c1", "Out")}]`,
    `${results("c1", "out")},${said(text("a"))},${USER}]`,
    `${results("c2", "out")},${said(text("a"))},${USER}]`,
  ];
  assert.equal(new Set(contexts.map(contextOf)).size, contexts.length);
});

Deno.test("spliceBack puts the newest of several back, and each in its place", () => {
  const answered = (content: string, at: number) => {
    const log = new TurnLog({ conversationLength: at, context: CONTEXT });
    log.end([turnBlock(ASK)], "tool_use");
    log.answer([{ ...ANSWER, content }]);
    log.end([turnBlock(text("b"))], "end_turn");
    return log.records([]);
  };
  const records = ["old", "new", "later"].flatMap((content, i) =>
    answered(content, i < 2 ? 1 : 3)
  );
  const out = spliced(
    `[${USER},${said(text("b"))},${USER},${said(text("b"))}]`,
    records,
  );
  assert.deepEqual(out.match(/old|new|later/g), ["new", "later"]);
});
