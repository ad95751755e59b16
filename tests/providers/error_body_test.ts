import assert from "node:assert/strict";
import {
  isContextTooLong,
  openAiError,
} from "../../src/providers/error_body.ts";

Deno.test("openAiError has the type that clients know for each status", () => {
  const typeOf = (status: number) => {
    const { type, code, param } = JSON.parse(openAiError(status, "m")).error;
    return [type, code, param];
  };
  for (
    const [status, type, code] of [
      [400, "invalid_request_error", null],
      [401, "authentication_error", null],
      [413, "invalid_request_error", "request_too_large"],
      [429, "rate_limit_error", null],
      [499, "invalid_request_error", null],
      [500, "server_error", null],
      [502, "server_error", null],
    ] as const
  ) {
    assert.deepEqual(typeOf(status), [type, code, null], `${status}`);
  }
});

Deno.test("openAiError says a slug as type and code, and the message as it is", () => {
  assert.deepEqual(JSON.parse(openAiError(413, 'no "money"\n', "budget")), {
    error: {
      message: 'no "money"\n',
      type: "budget",
      param: null,
      code: "budget",
    },
  });
});

Deno.test("isContextTooLong knows what providers and compatible servers say of long prompts", () => {
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
  ) assert.equal(isContextTooLong(400, text), true, text);
});

Deno.test("isContextTooLong takes no other bad request for one, nor another status that speaks of tokens", () => {
  for (
    const text of [
      "",
      "max_tokens is too large: 9",
      "messages: at least one message is required",
      "tools.3.name: string is too long",
    ]
  ) assert.equal(isContextTooLong(400, text), false, text);
  for (const status of [200, 401, 422, 429, 500, 529]) {
    assert.equal(
      isContextTooLong(status, "too many tokens"),
      false,
      `${status}`,
    );
  }
});

Deno.test("isContextTooLong believes a 413 whatever stands in it", () => {
  assert.equal(isContextTooLong(413, "<html>nginx</html>"), true);
});
