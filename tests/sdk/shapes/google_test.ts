import assert from "node:assert/strict";
import fc from "fast-check";
import { answerRetrieval } from "../../../src/sdk/answer_retrieval.ts";
import {
  chatToGoogle,
  googleShape,
  googleToChat,
} from "../../../src/sdk/shapes/google.ts";
import { createSvc } from "../../../src/sdk/svc.ts";
import { googleContents } from "../convert/conversations.ts";
import { logOf } from "../conversations.ts";
import { assertAppendOnly, shadowTexts } from "./shadow_rules.ts";

const answer = (response: unknown) => ({
  role: "user",
  parts: [{ functionResponse: { name: "rows", response } }],
});
const LONG = "x".repeat(300);

Deno.test("googleShape gives slots that are there, for contents that grow", () => {
  fc.assert(
    fc.property(googleContents, (contents) => {
      shadowTexts(googleShape, contents);
      assertAppendOnly(googleShape, contents);
    }),
    { numRuns: 200 },
  );
});

Deno.test("googleShape finds the texts of a response", () => {
  const place = "/0/parts/0/functionResponse/response";
  const texts = (response: unknown) =>
    shadowTexts(googleShape, [answer(response)])
      .map(([path, text]) => [path.slice(place.length), text]);
  assert.deepEqual(texts({ output: LONG, code: 0 }), [["/output", LONG]]);
  assert.deepEqual(texts({ stdout: LONG, stderr: LONG }), [
    ["/stdout", LONG],
    ["/stderr", LONG],
  ]);
  const mcp = [{ type: "text", text: "a" }, { type: "image" }];
  assert.deepEqual(texts({ content: mcp, isError: false }), [
    ["/content/0/text", "a"],
  ]);
  assert.deepEqual(texts({ result: [1] }), [["/result", "[1]"]]);
  assert.deepEqual(texts({ rows: [1] }), [["", '{"rows":[1]}']]);
  assert.deepEqual(texts({ error: "no" }), []);
  assert.deepEqual(texts(undefined), []);
});

Deno.test("googleShape lets two calls of one function be answered in order, and a part stand alone", () => {
  const call = (n: number) => ({ functionCall: { name: "rows", args: { n } } });
  const { parts: [one] } = answer({ output: "a" });
  const { messages } = googleShape.shadow([
    "Rows?",
    { role: "model", parts: [call(1), call(2)] },
    { role: "user", parts: [one, one] },
    one,
  ]);
  const ids = messages.flatMap((message) => {
    const content = Reflect.get(message as object, "content");
    return Array.isArray(content)
      ? content.map((block) => block.id ?? block.tool_use_id)
      : [];
  });
  assert.equal(ids.length, 6);
  assert.deepEqual(ids.slice(2, 4), ids.slice(0, 2));
  assert.equal(ids[4], ids[5], "the call is missing, and stood for");
  assert.equal(new Set(ids).size, 3);
});

Deno.test("googleShape lets nothing answer a call of an older turn", () => {
  const call = { functionCall: { name: "rows", args: {} } };
  const { messages } = googleShape.shadow([
    { role: "model", parts: [call] },
    { role: "model", parts: [call] },
    answer({ output: "a" }),
  ]);
  const [, called, answered] = messages.map((message) =>
    Reflect.get(Object(message), "content")[0]
  );
  assert.equal(answered.tool_use_id, called.id);
});

Deno.test("googleShape makes a response that the API takes", async () => {
  await using svc = createSvc();
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, state: "done" }));
  for (const response of [{ rows }, { result: rows }]) {
    const contents = [answer(response)];
    const { messages, tokensSaved } = await svc.compress(contents, {
      lossless: true,
    });
    assert(tokensSaved > 100);
    const made = messages[0]!.parts[0]!.functionResponse.response;
    const [key] = Object.keys(made as object);
    assert.equal(key, "rows" in response ? "output" : "result");
    assert.equal(typeof Reflect.get(made as object, key!), "string");
  }
});

Deno.test("googleShape tells contents from others", () => {
  const { tells } = googleShape;
  assert(tells({ role: "user", parts: [] }));
  assert(tells({ parts: [{ text: "x" }] }));
  for (
    const other of [
      null,
      { role: "user", content: "x" },
      { role: "user", content: "x", parts: [] },
      { id: "1", parts: [{ type: "text", text: "x" }] },
    ]
  ) assert(!tells(other), JSON.stringify(other));
});

Deno.test("googleShape lets the name of a function decide where its call is not among the contents", async () => {
  await using svc = createSvc();
  const text = logOf(200);
  const answered = (name: string, response: unknown) => ({
    role: "user",
    parts: [{ functionResponse: { name, response } }],
  });
  const shell = await svc.compress([answered("run_shell_command", { text })]);
  assert.equal(shell.ccrHashes.length, 1);
  const call = {
    name: "headroom_retrieve",
    args: { hash: shell.ccrHashes[0] },
  };
  const part = await answerRetrieval(svc, { functionCall: call });
  const contents = [{ role: "user", parts: [part!] }];
  const { messages, tokensSaved } = await svc.compress(contents);
  assert.equal(messages[0], contents[0]);
  assert.equal(tokensSaved, 0);
  const later = [...contents, answered("run_shell_command", { text })];
  const grown = await svc.compress(later);
  assert.equal(grown.messages[0], contents[0]);
  assert.notEqual(grown.messages[1], later[1]);
});

const target = (contents: readonly unknown[], offset = 0) =>
  googleToChat(contents, { offset }).flatMap((group) => group.target);
const call = (id?: string) => ({
  functionCall: { ...id && { id }, name: "read", args: { x: 1 } },
});
const read = (output: string, id?: string) => ({
  functionResponse: { ...id && { id }, name: "read", response: { output } },
});
/** Which answer belongs to which call. */
const ids = (contents: readonly unknown[], offset?: number) =>
  target(contents, offset).flatMap(({ tool_calls, tool_call_id }) =>
    tool_call_id ?? (tool_calls as { id: string }[]).map(({ id }) => id)
  );

Deno.test("googleToChat gives two calls of one function ids of their own, answered in order", () => {
  const turn = [
    { role: "model", parts: [call(), call()] },
    { role: "user", parts: [read("a"), read("b")] },
  ];
  assert.deepEqual(ids([...turn, ...turn]), [
    "call_0_0",
    "call_0_1",
    "call_0_0",
    "call_0_1",
    "call_2_0",
    "call_2_1",
    "call_2_0",
    "call_2_1",
  ]);
  assert.deepEqual(ids(turn, 5).slice(0, 2), ["call_5_0", "call_5_1"]);
});

Deno.test("googleToChat keeps ids that are there, and lets nothing answer a call of an older turn", () => {
  assert.deepEqual(
    ids([
      { role: "model", parts: [call("mine"), call()] },
      { role: "model", parts: [call()] },
      { role: "user", parts: [read("a"), read("b", "mine"), read("c")] },
    ]),
    ["mine", "call_0_1", "call_1_0", "call_1_0", "mine", "call_2_2"],
  );
});

Deno.test("googleToChat writes a response that is only an output as that, any other as JSON", () => {
  const other = {
    functionResponse: { name: "read", response: { rows: [1] } },
  };
  const said = target([{ role: "user", parts: [read("a"), other] }])
    .map(({ content }) => content);
  assert.deepEqual(said, ["a", '{"rows":[1]}']);
});

Deno.test("googleToChat and chatToGoogle write images, inline and by address", () => {
  const parts = [
    { text: "Look" },
    { inlineData: { mimeType: "image/png", data: "aGk=" } },
    { fileData: { mimeType: "image/*", fileUri: "gs://b/i.png" } },
  ];
  const chat = target([{ role: "user", parts }]);
  assert.deepEqual(chat[0]?.content, [
    { type: "text", text: "Look" },
    { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
    { type: "image_url", image_url: { url: "gs://b/i.png" } },
  ]);
  const [back] = chatToGoogle(chat, { names: new Map() });
  assert.deepEqual(back?.target, [{ role: "user", parts }]);
});

Deno.test("googleToChat leaves thoughts out of what is said", () => {
  const thought = { text: "Hm", thought: true };
  const [message] = target([{
    role: "model",
    parts: [thought, { text: "Hi" }],
  }]);
  assert.deepEqual(message, { role: "assistant", content: "Hi" });
});
