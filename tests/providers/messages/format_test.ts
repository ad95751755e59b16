import assert from "node:assert/strict";
import { decodeLiteral } from "../../../src/bytes/json_string.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { messagesClient } from "../../conformance/conversation.ts";
import { testProviderFormat } from "../../conformance/provider_format.ts";

testProviderFormat(messagesFormat, messagesClient);

function scan(messages: unknown[], members: object = {}) {
  const json = JSON.stringify({ model: "m", ...members, messages });
  const body = new TextEncoder().encode(json);
  return { body, scan: messagesFormat.scan(body) };
}

Deno.test("messages format takes only the text parts of tool results for blocks", () => {
  const { body, scan: found } = scan([
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "user text" },
        { type: "document", source: { type: "text", data: "doc" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "t",
          content: [{ type: "text", text: "server" }],
        },
        { type: "unknown_block", content: "unknown" },
        {
          type: "tool_result",
          tool_use_id: "t",
          is_error: true,
          cache_control: { type: "ephemeral" },
          content: [
            { type: "image", source: { data: "AAAA" } },
            {
              type: "text",
              text: "result",
              cache_control: { type: "ephemeral" },
            },
          ],
        },
      ],
    },
  ]);
  assert.deepEqual(
    found.blocks.map(({ span, part }) => [decodeLiteral(body, span), part]),
    [["result", 0]],
  );
});

Deno.test("messages format keeps a result live behind which a system message stands", () => {
  const { scan: found } = scan([
    { role: "assistant", content: "x" },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: "r" }],
    },
    { role: "system", content: "reminder" },
  ]);
  assert.equal(found.lastModelMessage, 0);
  assert.equal(found.blocks[0]?.messageIndex, 1);
});

Deno.test("messages format reads members in any order", () => {
  const { body, scan: found } = scan([
    {
      content: [{ input: { a: 1 }, name: "Bash", id: "t", type: "tool_use" }],
      role: "assistant",
    },
    {
      content: [{ content: "r", tool_use_id: "t", type: "tool_result" }],
      role: "user",
    },
  ]);
  assert.equal(found.blocks[0]?.toolName, "Bash");
  assert.equal(decodeLiteral(body, found.blocks[0]!.span), "r");
});

Deno.test("messages format answers 413 and 404 in the family's words", () => {
  const type = (status: number) =>
    JSON.parse(messagesFormat.errorBody(status, "m")).error.type;
  assert.equal(type(413), "request_too_large");
  assert.equal(type(404), "not_found_error");
  assert.equal(type(400), "invalid_request_error");
  assert.equal(type(502), "api_error");
});
