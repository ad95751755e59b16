import assert from "node:assert/strict";
import { tapOf } from "../usage_in.ts";
import fc from "fast-check";
import {
  chatCompletionsFormat,
} from "../../../src/providers/chat_completions/format.ts";
import { chatClient } from "../../conformance/conversation.ts";
import { testProviderFormat } from "../../conformance/provider_format.ts";

testProviderFormat(chatCompletionsFormat, chatClient);

function scan(members: object) {
  const json = JSON.stringify({ model: "m", messages: [], ...members });
  return chatCompletionsFormat.scan(new TextEncoder().encode(json));
}

Deno.test("chat_completions format names the reason why a body cannot take our tool", () => {
  assert.equal(scan({ n: 2 }).noTool, "n_above_1");
  assert.equal(scan({ n: 12 }).noTool, "n_above_1");
  for (const n of [1, null, undefined]) {
    assert.equal(scan({ n }).noTool, undefined);
  }
});

Deno.test("chat_completions format sees only legacy functions as no tools", () => {
  const found = scan({ functions: [{ name: "f" }] });
  assert.equal(found.tools, undefined);
  assert.equal(found.counted.length, 1);
});

Deno.test("chat_completions format takes a legacy function result for a block without a call", () => {
  const [block] = scan({
    messages: [
      {
        role: "assistant",
        content: null,
        function_call: { name: "f", arguments: "{}" },
      },
      { role: "function", name: "f", content: "result" },
    ],
  }).blocks;
  assert.equal(block?.callId, undefined);
  assert.equal(block?.toolName, "f");
});

Deno.test("chat_completions format tells whether a usage chunk was asked for", () => {
  assert.equal(scan({}).includeUsage, false);
  assert.equal(
    scan({ stream_options: { include_usage: false } }).includeUsage,
    false,
  );
  assert.equal(
    scan({ stream_options: { include_usage: true } }).includeUsage,
    true,
  );
});

const SSE = "text/event-stream";

const tap = tapOf(chatCompletionsFormat);

const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100 },
};
const EXPECTED = { input: 20, output: 30, cacheRead: 100 };
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const STREAM = data({ choices: [{ delta: { content: "é😀" } }], usage: null }) +
  data({ choices: [], usage: USAGE }) + "data: [DONE]\n\n";

Deno.test("chatCompletionsFormat.usageTap reads a JSON body: input is the prompt without its cached part", () => {
  const body = JSON.stringify({ choices: [], usage: USAGE });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

Deno.test("chatCompletionsFormat.usageTap reads an event stream in chunks of any size", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (sizes) => assert.deepEqual(tap(SSE, STREAM, sizes), EXPECTED),
    ),
    { numRuns: 50 },
  );
});

Deno.test("chatCompletionsFormat.usageTap lets the last of several running totals count", () => {
  const first = data({ usage: { prompt_tokens: 120, completion_tokens: 1 } });
  assert.deepEqual(tap(SSE, first + STREAM), EXPECTED);
});

Deno.test("chatCompletionsFormat.usageTap leaves out what was not reported", () => {
  const body = '{"usage":{"prompt_tokens":7,"completion_tokens":null}}';
  assert.deepEqual(tap("application/json", body), { input: 7 });
  assert.deepEqual(tap(SSE, data({ choices: [] })), {});
});

Deno.test("chatCompletionsFormat.usageTap never makes input negative", () => {
  const usage = {
    prompt_tokens: 5,
    prompt_tokens_details: { cached_tokens: 9 },
  };
  assert.deepEqual(
    tap("application/json", JSON.stringify({ usage })),
    { input: 0, cacheRead: 9 },
  );
});
