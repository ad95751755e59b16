import assert from "node:assert/strict";
import { BodyScanner } from "../../src/bytes/body_scan.ts";

const utf8 = new TextEncoder();
const span = (start: number) => ({ start, end: start + 1 });

/** A pass over a body whose members all are common ones or the conversation. */
function scanned(json: string): BodyScanner {
  const scan = new BodyScanner(utf8.encode(json));
  scan.cursor.object((key) => {
    if (key === "messages") scan.conversation = scan.cursor.skip();
    else scan.common(key);
  });
  return scan;
}

Deno.test("BodyScanner takes the members that all formats have", () => {
  const { model, streaming, toolChoice } = scanned(
    '{"stream":true,"tool_choice":{"type":"any"},"model":"m\\u0031","messages":[],"x":1}',
  ).finish();
  assert.equal(model, "m1");
  assert.equal(streaming, true);
  assert.deepEqual(toolChoice, { start: 29, end: 43 });
});

Deno.test("BodyScanner takes the largest limit of the answer, if there is one", () => {
  const limit = (members: string) =>
    scanned(`{${members}"messages":[]}`).finish().maxOutput;
  assert.equal(limit(""), undefined);
  assert.equal(limit('"max_tokens":null,'), undefined);
  assert.equal(limit('"max_tokens":"9",'), undefined);
  assert.equal(limit('"max_tokens":1.5e1,'), 15);
  assert.equal(limit('"max_output_tokens":7,'), 7);
  assert.equal(limit('"max_completion_tokens":8,"max_tokens":3,'), 8);
  assert.equal(limit('"max_tokens":-1,'), 0);
});

Deno.test("BodyScanner keeps the beginning of a long model name", () => {
  const { model } = scanned(
    `{"model":"${"m".repeat(1e6)}","messages":[]}`,
  ).finish();
  assert.equal(model, "m".repeat(200));
});

Deno.test("BodyScanner ends with a SyntaxError without a conversation, or with something behind the body", () => {
  assert.throws(() => scanned('{"model":"m"}').finish(), /no conversation/);
  assert.throws(() => scanned('{"messages":[]}]').finish(), SyntaxError);
});

Deno.test("BodyScanner keeps the first user message as identity and the last text as question", () => {
  const scan = scanned('{"messages":[]}');
  const result = () =>
    scan.found.result([{ type: "text", text: span(50) }], {
      messageIndex: 1,
      callId: "c",
    });
  scan.found.user([span(1), span(3)]);
  result();
  scan.found.user([span(5)]);
  scan.found.user([]);
  result();
  scan.found.userText(span(7), { messageIndex: 2, texts: [span(7)] });
  result();
  const { firstUserText, blocks } = scan.finish();
  assert.deepEqual(firstUserText, [span(1), span(3)]);
  assert.deepEqual(blocks.map(({ asked }) => asked), [
    span(3),
    span(5),
    span(7),
  ]);
});

Deno.test("BodyScanner makes blocks of long user texts, asked about by the other texts of their message", () => {
  const scan = scanned('{"messages":[]}');
  const long = { start: 100, end: 1124 };
  const longer = { start: 2000, end: 9000 };
  scan.found.userMessage([span(1), long, { start: 1200, end: 2223 }], 0);
  scan.found.userMessage([longer], 3);
  const { blocks, lastUserText } = scan.finish();
  assert.deepEqual(
    blocks.map(({ span, messageIndex, isUserText, callId, asked }) => [
      ...[span, messageIndex, isUserText, callId, asked],
    ]),
    [
      [long, 0, true, undefined, { start: 1200, end: 2223 }],
      [longer, 3, true, undefined, undefined],
    ],
  );
  assert.equal(lastUserText, longer);
});

Deno.test("BodyScanner numbers text parts only, and names the tool by its call or by the fallback", () => {
  const scan = scanned('{"messages":[]}');
  scan.found.call("known", { name: "Bash", args: span(9) });
  const parts = [
    { type: "image", text: undefined },
    { type: "text", text: span(1) },
    { type: "other", text: span(3) },
    { type: "input_text", text: span(5) },
  ];
  const at = { messageIndex: 0, fallbackName: "spare" };
  scan.found.result(parts, { ...at, callId: "known" });
  scan.found.result(parts.slice(0, 2), { ...at, callId: "unknown" });
  scan.found.result(parts.slice(0, 2), { ...at, callId: undefined });
  const found = scan.finish().blocks.map(({ part, toolName, call }) => [
    part,
    toolName,
    call,
  ]);
  assert.deepEqual(found, [
    [0, "Bash", span(9)],
    [1, "Bash", span(9)],
    [0, "spare", undefined],
    [0, "spare", undefined],
  ]);
});

Deno.test("BodyScanner orders counted spans", () => {
  const scan = scanned('{"messages":[]}');
  scan.found.count(span(9), undefined, span(2));
  scan.found.count(span(5));
  assert.deepEqual(scan.finish().counted, [span(2), span(5), span(9)]);
});

Deno.test("BodyScanner notes the members that the model reads, with their values, but for null", () => {
  const json = '{"a": [1] ,"b":{"x":"y"},"c":null,"d":true}';
  const scan = new BodyScanner(utf8.encode(json));
  scan.members(new Set(["a", "b", "c"]), (key) => {
    if (key === "b") scan.conversation = scan.cursor.skip();
  });
  const { prompt } = scan.finish();
  assert.deepEqual(
    prompt.map(({ name, span }) => [name, json.slice(span.start, span.end)]),
    [["a", "[1]"], ["b", '{"x":"y"}']],
  );
});
