import assert from "node:assert/strict";
import { splice } from "../../../src/bytes/splice.ts";
import { responsesFormat } from "../../../src/providers/responses/format.ts";
import { turnItems } from "../../../src/providers/responses/retrieval_item.ts";
import {
  spliceBack,
  turnContext,
  turnNames,
} from "../../../src/providers/responses/retrieval_splice.ts";
import { TurnLog } from "../../../src/providers/responses/retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const ASK =
  '{"type":"function_call","id":"f0","call_id":"r1","name":"headroom_retrieve","arguments":"{}"}';
const CALL =
  '{"type":"function_call","id":"f1","call_id":"c1","name":"x","arguments":""}';
const THOUGHT = '{"type":"reasoning","id":"rs","encrypted_content":"e"}';
const ANSWER = { call: { callId: "r1", wanted: { hash: "" } }, content: "all" };
const RESULT = '{"type":"function_call_output","call_id":"r1","output":"all"}';
const OUT = '{"type":"function_call_output","call_id":"c1","output":"out"}';
const USER = '{"role":"user","content":"q"}';
const CONTEXT = contextOf(`[${USER}]`);

function contextOf(input: string): string {
  const body = utf8.encode(`{"input":${input}}`);
  return turnContext(body, responsesFormat.scan(body));
}
const said = (text: string) =>
  `{"type":"message","id":"m${text}","role":"assistant","content":[{"type":"output_text","text":"${text}"}]}`;

function recordOf(first: readonly string[], last?: readonly string[]) {
  const log = new TurnLog({ conversationLength: 1, context: CONTEXT });
  log.end(turnItems(first, false), { status: "completed" });
  if (last === undefined) return log.records([ANSWER]);
  log.answer([ANSWER]);
  log.end(turnItems(last, false), { status: "completed" });
  return log.records([]);
}

function spliced(
  input: readonly string[],
  records: ReturnType<typeof recordOf>,
  members = "",
): readonly unknown[] {
  const body = utf8.encode(`{${members}"input":[${input.join(" , ")}]}`);
  const edits = spliceBack(body, responsesFormat.scan(body), records);
  const out = JSON.parse(decoder.decode(splice(body, edits))) as {
    input: readonly unknown[];
  };
  return out.input;
}

const values = (...items: readonly string[]) =>
  JSON.parse(`[${items.join(",")}]`) as readonly unknown[];

Deno.test("turnNames holds a name of every turn of a body, and no others", () => {
  for (const last of [said("b"), CALL, THOUGHT]) {
    const [record] = recordOf([said("a"), ASK], [last]);
    const names = (...items: readonly string[]) => {
      const body = utf8.encode(`{"input":[${[USER, ...items].join(",")}]}`);
      return turnNames(body, responsesFormat.scan(body));
    };
    const own = record!.anchor.split("\n");
    const shown = names(said("a"), last, USER);
    assert(own.some((name) => shown.includes(name)));
    assert(!own.some((name) => names(said("z")).includes(name)));
  }
});

Deno.test("spliceBack replaces the client's copies of earlier items by the stored ones", () => {
  const records = recordOf([THOUGHT, said("a"), ASK], [said("b"), CALL]);
  const bare = [
    '{"type":"reasoning","encrypted_content":"e"}',
    '{"role":"assistant","content":"a"}',
  ];
  assert.deepEqual(
    spliced([USER, ...bare, said("b"), CALL, OUT], records),
    values(USER, THOUGHT, said("a"), ASK, RESULT, said("b"), CALL, OUT),
  );
});

Deno.test("spliceBack takes references for items, and the start of the conversation for a place", () => {
  const records = recordOf([said("a"), ASK], [said("b")]);
  const references = ["ma", "mb"].map((id) =>
    `{"type":"item_reference","id":"${id}"}`
  );
  assert.deepEqual(
    spliced([...references, USER], records),
    values(said("a"), ASK, RESULT, references[1]!, USER),
  );
  assert.deepEqual(
    spliced([said("b"), USER], recordOf([ASK], [said("b")])),
    values(ASK, RESULT, said("b"), USER),
  );
});

Deno.test("spliceBack finds a turn whose later items the client dropped", () => {
  const records = recordOf([said("a"), ASK], [THOUGHT, said("b"), CALL]);
  assert.deepEqual(
    spliced([USER, said("a"), CALL, OUT], records),
    values(USER, said("a"), ASK, RESULT, CALL, OUT),
  );
});

Deno.test("spliceBack leaves a turn alone whose earlier items differ", () => {
  const records = recordOf([said("a"), ASK], [CALL]);
  for (const shown of [[CALL], [said("A"), CALL], [CALL, said("a")]]) {
    const input = [USER, ...shown, OUT];
    assert.deepEqual(spliced(input, records), values(...input));
  }
});

Deno.test("spliceBack puts a call and its result beside the client's", () => {
  assert.deepEqual(
    spliced([USER, THOUGHT, CALL, OUT], recordOf([THOUGHT, ASK, CALL])),
    values(USER, THOUGHT, ASK, CALL, RESULT, OUT),
  );
  const input = [USER, CALL];
  assert.deepEqual(spliced(input, recordOf([CALL, ASK])), values(...input));
});

Deno.test("spliceBack answers alone where the call stands in the stored response", () => {
  const records = recordOf([CALL, ASK]);
  assert.deepEqual(
    spliced([OUT], records, '"previous_response_id":"a",'),
    values(RESULT, OUT),
  );
  assert.deepEqual(spliced([OUT], records), values(OUT));
});

Deno.test("spliceBack leaves a conversation that is one string alone", () => {
  const body = utf8.encode('{"input":"b"}');
  const records = recordOf([ASK], [said("b")]);
  assert.deepEqual(spliceBack(body, responsesFormat.scan(body), records), []);
});

Deno.test("turnContext does not mind how the client writes what it said", () => {
  const context = contextOf(`[${USER},${CALL},${OUT}]`);
  const written = [
    '{"output":[{"text":"o\\u0075t","type":"input_text"}],"call_id":"c1","type":"function_call_output"}',
    `${OUT},{"role":"developer","content":"s"}`,
  ];
  for (const other of written) {
    assert.equal(contextOf(`[${USER},${CALL},${other}]`), context);
  }
  assert.equal(contextOf('"q"'), CONTEXT);
  assert.equal(
    contextOf(
      '[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}]',
    ),
    CONTEXT,
  );
});

Deno.test("turnContext differs by the last call, its result and what was said behind it", () => {
  const contexts = [
    "[]",
    `[${USER}]`,
    `[${USER},${CALL},${OUT}]`,
    `[${USER},${OUT.replace("c1", "c2")}]`,
    `[${USER},${OUT.replace('"out"', '"Out"')}]`,
    `[${USER},${OUT},${said("a")},${USER}]`,
    `[${USER},${OUT.replace("c1", "c2")},${said("a")},${USER}]`,
  ];
  assert.equal(new Set(contexts.map(contextOf)).size, contexts.length);
});

Deno.test("spliceBack tells two answers with the same words by their ids, else takes the newest", () => {
  const named = (id: string) => said("b").replace('"mb"', `"${id}"`);
  const records = ["m1", "m2"].flatMap((id) =>
    recordOf([ASK.replace("r1", id)], [named(id)])
  );
  const found = (item: string) =>
    JSON.stringify(spliced([USER, item, USER], records)).match(
      /"call_id":"m\d"/g,
    )?.at(0);
  assert.equal(found(named("m1")), '"call_id":"m1"');
  assert.equal(found(named("m2")), '"call_id":"m2"');
  assert.equal(found(named("m3")), undefined);
  assert.equal(found('{"role":"assistant","content":"b"}'), '"call_id":"m2"');
});

Deno.test("spliceBack does not take a user's words or a result for the turn", () => {
  const records = recordOf([ASK], [said("b")]).map((record) => ({
    ...record,
    anchor: record.anchor.split("\n")[0]!,
  }));
  const input = [USER, '{"role":"user","content":"b"}', USER];
  assert.deepEqual(spliced(input, records), values(...input));
});

Deno.test("spliceBack puts one of two answers beside a call, the newest", () => {
  const records = ["old", "new"].flatMap((content) =>
    recordOf([CALL, ASK]).map((record) => ({
      ...record,
      data: record.data.replace('\\"all\\"', `\\"${content}\\"`),
    }))
  );
  const out = JSON.stringify(spliced([USER, CALL, OUT], records));
  assert.deepEqual(out.match(/old|new/g), ["new"]);
});

Deno.test("turnContext looks past what the model said and what others say", () => {
  const others = [
    '{"type":"reasoning","id":"rs","encrypted_content":"e","summary":[]}',
    '{"type":"message","id":"m","role":"assistant","content":[{"text":"b"}]}',
    '{"role":"developer","content":"s"}',
    '{"type":"compaction","encrypted_content":"e"}',
  ];
  const context = contextOf(`[${USER},${OUT}]`);
  assert.equal(contextOf(`[${[USER, OUT, ...others]}]`), context);
  assert.notEqual(contextOf(`[${USER},${OUT},${USER}]`), context);
  assert.equal(contextOf('"q"'), contextOf(`[${USER}]`));
});

Deno.test("turnNames passes over answers of any kind, and takes references for turns", () => {
  const body = utf8.encode(`{"input":[${[
    USER,
    '{"type":"mcp_approval_response","id":"no","approval_request_id":"mcpr"}',
    '{"type":"function_call_output","id":"no","call_id":"c1","output":[]}',
    '{"type":"item_reference","id":"m"}',
  ]}]}`);
  const names = turnNames(body, responsesFormat.scan(body));
  assert(names.some((name) => name.includes("id:m")), `${names}`);
  assert(!names.some((name) => /no|mcpr|c1/.test(name)), `${names}`);
});
