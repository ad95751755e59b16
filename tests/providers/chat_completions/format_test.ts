import assert from "node:assert/strict";
import { errorJson } from "../../../src/providers/chat_completions/retrieval_turn.ts";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
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

Deno.test("chat completions format names a failure of the server as its errors in a stream do", () => {
  const { error } = JSON.parse(chatCompletionsFormat.errorBody(502, "m"));
  assert.deepEqual(error, JSON.parse(errorJson("m")).error);
});
