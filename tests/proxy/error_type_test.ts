import assert from "node:assert/strict";
import { errorTypeIn, errorTypeTap } from "../../src/proxy/error_type.ts";

const MESSAGES = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "my secret prompt" },
});

Deno.test("errorTypeIn finds the most exact word of an error, in each family", () => {
  assert.equal(errorTypeIn(MESSAGES), "invalid_request_error");
  const chat = {
    error: { type: "invalid_request_error", code: "context_length_exceeded" },
  };
  assert.equal(errorTypeIn(JSON.stringify(chat)), "context_length_exceeded");
  const google = { error: { code: 400, status: "INVALID_ARGUMENT" } };
  assert.equal(errorTypeIn(JSON.stringify(google)), "INVALID_ARGUMENT");
});

Deno.test("errorTypeIn takes no text for a word", () => {
  for (
    const text of [
      "",
      "<html>Bad gateway</html>",
      "[]",
      "null",
      '{"error":"my secret prompt"}',
      '{"error":{"type":"my secret prompt"}}',
      `{"error":{"type":"${"x".repeat(81)}"}}`,
      MESSAGES.slice(0, -3),
    ]
  ) assert.equal(errorTypeIn(text), "", text);
});

Deno.test("errorTypeTap looks at errors only, in pieces of any size, up to a bound", () => {
  assert.equal(errorTypeTap({ status: 200 }), undefined);
  const bytes = new TextEncoder().encode(MESSAGES);
  const tap = errorTypeTap({ status: 400 });
  for (const byte of bytes) tap?.push(Uint8Array.of(byte));
  assert.equal(tap?.type(), "invalid_request_error");
  const long = errorTypeTap({ status: 500 });
  long?.push(new TextEncoder().encode(" ".repeat(17_000)));
  long?.push(bytes);
  assert.equal(long?.type(), "");
});
