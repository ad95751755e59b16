import assert from "node:assert/strict";
import fc from "fast-check";
import { answerRetrieval } from "../../../src/sdk/answer_retrieval.ts";
import { googleShape } from "../../../src/sdk/shapes/google.ts";
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
