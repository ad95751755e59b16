import assert from "node:assert/strict";
import fc from "fast-check";
import {
  chatToVercel,
  vercelShape,
  vercelToChat,
} from "../../../src/sdk/shapes/vercel.ts";
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

const target = (messages: readonly unknown[]) =>
  vercelToChat(messages).flatMap((group) => group.target);
const part = (output: object) => ({
  type: "tool-result",
  toolCallId: "a",
  toolName: "t",
  ...output,
});

Deno.test("vercelToChat writes every form of a result", () => {
  const outputs = [
    { type: "text", value: "a" },
    { type: "error-text", value: "b" },
    { type: "json", value: { c: 1 } },
    { type: "execution-denied", reason: "d" },
    { type: "content", value: [{ type: "text", text: "e" }, { type: "x" }] },
  ].map((output) => part({ output }));
  const approval = { type: "tool-approval-response", approvalId: "x" };
  const old = [part({ result: "f" }), part({ result: [1] })];
  const said = target([
    { role: "tool", content: [...outputs, approval, ...old] },
  ]).map(({ role, tool_call_id, content }) => {
    assert.deepEqual([role, tool_call_id], ["tool", "a"]);
    return content;
  });
  assert.deepEqual(said, [
    "a",
    "b",
    '{"c":1}',
    "d",
    [{ type: "text", text: "e" }],
    "f",
    "[1]",
  ]);
});

Deno.test("vercelToChat writes images by their address, in every version's way of giving it", () => {
  const png = "data:image/png;base64,aGk=";
  const file = (data: unknown) => ({
    type: "file",
    mediaType: "image/png",
    data,
  });
  const [message] = target([{
    role: "user",
    content: [
      { type: "image", image: "aGk=" },
      { type: "image", image: new URL("https://h/i.png") },
      file(png),
      file({ type: "url", url: new URL("https://h/i.png") }),
      file({ type: "data", data: "aGk=" }),
      file(new Uint8Array(1)),
      { type: "file", mediaType: "application/pdf", data: "aGk=" },
    ],
  }]);
  const urls = (message?.content as { image_url: { url: string } }[])
    .map(({ image_url }) => image_url.url);
  assert.deepEqual(urls, [png, "https://h/i.png", png, "https://h/i.png", png]);
});

Deno.test("chatToVercel names the tools of results, and joins instructions", () => {
  const names = new Map([["a", "read"]]);
  const messages = chatToVercel([
    {
      role: "system",
      content: [{ type: "text", text: "x" }, { type: "text", text: "y" }],
    },
    { role: "tool", tool_call_id: "a", content: "one" },
    {
      role: "tool",
      tool_call_id: "b",
      content: [{ type: "text", text: "two" }],
    },
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "https://h/i.png" } }],
    },
  ], { names }).flatMap((group) => group.target);
  assert.deepEqual(messages, [
    { role: "system", content: "x\ny" },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: "read",
          output: { type: "text", value: "one" },
        },
        {
          type: "tool-result",
          toolCallId: "b",
          toolName: "unknown",
          output: { type: "content", value: [{ type: "text", text: "two" }] },
        },
      ],
    },
    {
      role: "user",
      content: [
        { type: "file", mediaType: "image/*", data: "https://h/i.png" },
      ],
    },
  ]);
});
