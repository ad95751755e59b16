import assert from "node:assert/strict";
import { tapOf } from "../usage_in.ts";
import fc from "fast-check";
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

const SSE = "text/event-stream; charset=utf-8";

const tap = tapOf(messagesFormat);

const start = (usage: object) =>
  `event: message_start\r\ndata: ${
    JSON.stringify({ type: "message_start", message: { id: "m", usage } })
  }\r\n\r\n`;
const delta = (usage: object) =>
  `event: message_delta\ndata: ${
    JSON.stringify({ type: "message_delta", delta: {}, usage })
  }\n\n`;
const TEXT =
  ': ping\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"é€😀 \\"usage\\":{\\"output_tokens\\":9999}"}}\n\n';

const STREAM = start({
  input_tokens: 12,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 40,
  output_tokens: 1,
}) + TEXT + delta({ output_tokens: 77 }) +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n';
const EXPECTED = { input: 12, output: 77, cacheRead: 300, cacheWrite: 40 };

Deno.test("messagesFormat.usageTap reads a JSON body", () => {
  const body = JSON.stringify({
    content: [{ type: "text", text: '"usage":{"input_tokens":9}' }],
    usage: {
      input_tokens: 12,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 40,
      output_tokens: 77,
    },
  });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

Deno.test("messagesFormat.usageTap reads an event stream in chunks of any size", () => {
  assert.deepEqual(tap(SSE, STREAM), EXPECTED);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      (sizes) => assert.deepEqual(tap(SSE, STREAM, sizes), EXPECTED),
    ),
    { numRuns: 50 },
  );
});

Deno.test("messagesFormat.usageTap takes input that only the delta reports, and keeps what it zeroes", () => {
  const first = start({ input_tokens: 0, output_tokens: 0 });
  assert.equal(
    tap(SSE, first + delta({ input_tokens: 5, output_tokens: 2 })).input,
    5,
  );
  const zeroed = start({ input_tokens: 8 }) +
    delta({ input_tokens: 0, output_tokens: 2 });
  assert.deepEqual(tap(SSE, zeroed), { input: 8, output: 2 });
});

Deno.test("messagesFormat.usageTap adds the two cache lifetimes when there is no sum", () => {
  const usage = {
    input_tokens: 1,
    cache_creation: {
      ephemeral_5m_input_tokens: 10,
      ephemeral_1h_input_tokens: 7,
    },
  };
  assert.deepEqual(
    tap(SSE, start(usage)),
    { input: 1, cacheWrite: 17, cacheWrite1h: 7 },
  );
});

Deno.test("messagesFormat.usageTap tells what of a sum was written for an hour, and keeps it when a later event is silent", () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 30,
    cache_creation: {
      ephemeral_5m_input_tokens: 10,
      ephemeral_1h_input_tokens: 20,
    },
  };
  const expected = { input: 1, output: 4, cacheWrite: 30, cacheWrite1h: 20 };
  const body = JSON.stringify({ usage: { ...usage, output_tokens: 4 } });
  assert.deepEqual(tap("application/json", body), expected);
  const silent = start(usage) + delta({ output_tokens: 4 });
  assert.deepEqual(tap(SSE, silent, [3]), expected);
  const zeroed = start(usage) + delta({
    output_tokens: 4,
    cache_creation: { ephemeral_1h_input_tokens: 0 },
  });
  assert.deepEqual(tap(SSE, zeroed), expected);
});

Deno.test("messagesFormat.usageTap reports no tokens for an hour where the provider does not tell lifetimes apart", () => {
  for (const cache_creation of [null, undefined, {}, 3]) {
    const usage = { cache_creation_input_tokens: 5, cache_creation };
    assert.deepEqual(tap(SSE, start(usage)), { cacheWrite: 5 });
  }
});

Deno.test("messagesFormat.usageTap reports what came before a stream was cut", () => {
  const cut = STREAM.slice(0, STREAM.indexOf("message_delta"));
  assert.deepEqual(tap(SSE, cut), { ...EXPECTED, output: 1 });
});

Deno.test("messagesFormat.usageTap reports nothing for an error body", () => {
  const error = '{"type":"error","error":{"type":"overloaded_error"}}';
  assert.deepEqual(tap("application/json", error), {});
  assert.deepEqual(tap("text/html", "<html>"), {});
});
