import assert from "node:assert/strict";
import { openAiError } from "../../src/providers/error_body.ts";

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
