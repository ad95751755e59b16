import assert from "node:assert/strict";
import fc from "fast-check";
import { vercelShape } from "../../../src/sdk/shapes/vercel.ts";
import { createSvc } from "../../../src/sdk/svc.ts";
import { vercelMessages } from "../convert/conversations.ts";
import { assertAppendOnly, shadowTexts } from "./shadow_rules.ts";

const result = (output: unknown) => ({
  role: "tool",
  content: [{
    type: "tool-result",
    toolCallId: "a",
    toolName: "rows",
    output,
    providerOptions: { p: { x: 1 } },
  }],
});

Deno.test("vercelShape gives slots that are there, for messages that grow", () => {
  fc.assert(
    fc.property(vercelMessages, (messages) => {
      shadowTexts(vercelShape, messages);
      assertAppendOnly(vercelShape, messages);
    }),
    { numRuns: 200 },
  );
});

Deno.test("vercelShape gives every form of a result a slot, and none to what the provider ran", () => {
  const own = {
    type: "tool-result",
    toolCallId: "b",
    toolName: "search",
    output: { type: "text", value: "of the provider" },
  };
  const content = {
    type: "content",
    value: [{ type: "media", data: "aGk=" }, { type: "text", text: "c" }],
  };
  const texts = shadowTexts(vercelShape, [
    { role: "assistant", content: [own] },
    result({ type: "text", value: "a" }),
    result({ type: "error-text", value: "b" }),
    result(content),
    result({ type: "json", value: [1] }),
    result({ type: "execution-denied", reason: "no" }),
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", result: { n: 1 } }],
    },
  ]);
  assert.deepEqual(texts, [
    ["/1/content/0/output/value", "a"],
    ["/2/content/0/output/value", "b"],
    ["/3/content/0/output/value/1/text", "c"],
    ["/4/content/0/output", "[1]"],
    ["/6/content/0/result", '{"n":1}'],
  ]);
});

Deno.test("vercelShape turns a compressed value into a text and keeps the rest of the part", async () => {
  await using svc = createSvc();
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, state: "done" }));
  const call = {
    type: "tool-call",
    toolCallId: "a",
    toolName: "rows",
    input: {},
  };
  const messages: object[] = [
    { role: "user", content: [{ type: "text", text: "Rows?" }] },
    { role: "assistant", content: [call] },
    result({ type: "error-json", value: rows }),
  ];
  const { messages: made, tokensSaved } = await svc.compress(messages, {
    lossless: true,
  });
  assert(tokensSaved > 100);
  assert.equal(made[1], messages[1]);
  const [part] = Reflect.get(made[2]!, "content");
  assert.equal(part.output.type, "error-text");
  assert.equal(typeof part.output.value, "string");
  assert.deepEqual(part.providerOptions, { p: { x: 1 } });
});

Deno.test("vercelShape tells messages of the ai package from others", () => {
  const { tells } = vercelShape;
  assert(tells(result({ type: "text", value: "" })));
  assert(tells({ role: "system", content: "x", providerOptions: {} }));
  assert(tells({
    role: "user",
    content: [{ type: "file", mediaType: "a/b", data: "" }],
  }));
  for (
    const other of [
      undefined,
      5,
      { role: "user", content: "x" },
      { role: "user", content: [{ type: "text", text: "x" }] },
      { role: "user", content: [{ type: "image", source: {} }] },
      { role: "tool", tool_call_id: "a", content: "x" },
      { role: "user", parts: [{ text: "x" }] },
    ]
  ) assert(!tells(other), JSON.stringify(other));
});
