import assert from "node:assert/strict";
import { chatToVercel, vercelToChat } from "../../../src/sdk/convert/vercel.ts";

const target = (messages: readonly unknown[]) =>
  vercelToChat(messages).flatMap((group) => group.target);
const result = (output: object) => ({
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
  ].map((output) => result({ output }));
  const approval = { type: "tool-approval-response", approvalId: "x" };
  const old = [result({ result: "f" }), result({ result: [1] })];
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
