import assert from "node:assert/strict";
import { saysTooLong } from "../../src/providers/too_long.ts";

Deno.test("saysTooLong knows what providers and compatible servers say of long prompts", () => {
  for (
    const text of [
      '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
      '{"error":{"code":"context_length_exceeded","message":"m"}}',
      "This model's maximum context length is 8192 tokens",
      "Your input exceeds the context window of this model",
      "requested tokens do not fit the context window",
      "the request exceeds the model's maximum context",
      "exceed the context size (4096 tokens)",
      "Too many tokens",
      "too many input tokens: 9 > 8",
      "Input is too long for requested model",
      "input length is too long",
      '{"error":{"type":"request_too_large"}}',
    ]
  ) assert.equal(saysTooLong(400, text), true, text);
});

Deno.test("saysTooLong takes no other bad request for one, nor another status that speaks of tokens", () => {
  for (
    const text of [
      "",
      "max_tokens is too large: 9",
      "messages: at least one message is required",
      "tools.3.name: string is too long",
    ]
  ) assert.equal(saysTooLong(400, text), false, text);
  for (const status of [200, 401, 422, 429, 500, 529]) {
    assert.equal(saysTooLong(status, "too many tokens"), false, `${status}`);
  }
});

Deno.test("saysTooLong believes a 413 whatever stands in it", () => {
  assert.equal(saysTooLong(413, "<html>nginx</html>"), true);
});
