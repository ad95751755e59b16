import assert from "node:assert/strict";
import {
  anthropicToChat,
  chatToAnthropic,
} from "../../../src/sdk/convert/anthropic.ts";

const target = (messages: readonly unknown[]) =>
  anthropicToChat(messages).flatMap((group) => group.target);

Deno.test("anthropicToChat puts results before what else the user says, media and documents included", () => {
  const base64 = (media_type: string) => ({
    type: "base64",
    media_type,
    data: "aGk=",
  });
  const plain = { type: "text", media_type: "text/plain", data: "Notes" };
  assert.deepEqual(
    target([{
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image", source: base64("image/png") },
        { type: "image", source: { type: "url", url: "https://h/i.png" } },
        { type: "document", source: base64("application/pdf"), title: "a.pdf" },
        { type: "document", source: plain },
        { type: "tool_result", tool_use_id: "a", content: "ok" },
      ],
    }]),
    [
      { role: "tool", tool_call_id: "a", content: "ok" },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          {
            type: "image_url",
            image_url: { url: "data:image/png;base64,aGk=" },
          },
          { type: "image_url", image_url: { url: "https://h/i.png" } },
          {
            type: "file",
            file: {
              filename: "a.pdf",
              file_data: "data:application/pdf;base64,aGk=",
            },
          },
          { type: "text", text: "Notes" },
        ],
      },
    ],
  );
});

Deno.test("anthropicToChat writes a turn that only calls without a text, and one that only thinks empty", () => {
  const use = { type: "tool_use", id: "a", name: "read", input: { x: 1 } };
  const thinking = { type: "thinking", thinking: "Hm", signature: "c2ln" };
  const called = { name: "read", arguments: '{"x":1}' };
  assert.deepEqual(
    target([
      { role: "assistant", content: [thinking, use] },
      { role: "assistant", content: [thinking] },
      { role: "system", content: "Be brief" },
    ]),
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: called }],
      },
      { role: "assistant", content: [] },
      { role: "system", content: "Be brief" },
    ],
  );
});

Deno.test("chatToAnthropic writes media as blocks, and leaves an empty text beside calls out, and keeps arguments that are no object", () => {
  const url = "data:image/png;base64,aGk=";
  const file_data = "data:application/pdf;base64,aGk=";
  const call = (given?: string) => ({
    id: "a",
    function: { name: "read", arguments: given },
  });
  const messages = chatToAnthropic([
    { role: "developer", content: "Be brief" },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url } },
        { type: "image_url", image_url: { url: "https://h/i.png" } },
        { type: "file", file: { file_data, filename: "a.pdf" } },
        { type: "input_audio" },
        { type: "text", text: 5 },
      ],
    },
    {
      role: "assistant",
      content: "",
      tool_calls: ["{}", '{"x":1}', "", undefined, "[1]", "{"].map(call),
    },
    { role: "assistant", content: [{ type: "text", text: "" }] },
  ]).flatMap((group) => group.target);
  const source = (media_type: string) => ({
    type: "base64",
    media_type,
    data: "aGk=",
  });
  assert.deepEqual(messages, [
    { role: "user", content: "Be brief" },
    {
      role: "user",
      content: [
        { type: "image", source: source("image/png") },
        { type: "image", source: { type: "url", url: "https://h/i.png" } },
        {
          type: "document",
          source: source("application/pdf"),
          title: "a.pdf",
        },
      ],
    },
    {
      role: "assistant",
      content: [
        ...[{}, { x: 1 }, {}, {}, { arguments: "[1]" }, { arguments: "{" }],
      ].map((input) => ({ type: "tool_use", id: "a", name: "read", input })),
    },
    { role: "assistant", content: [{ type: "text", text: "" }] },
  ]);
});
