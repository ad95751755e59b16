import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type ErrorType, ServiceError } from "../../src/core/errors.ts";
import {
  BodyTooLarge,
  BodyTooSlow,
  clientGone,
  detailResponse,
  errorHandler,
  errorResponse,
  errorTypeTap,
  methodNotAllowed,
  notFound,
  serviceErrorResponse,
  statusOf,
} from "../../src/proxy/errors.ts";
import { UpstreamTimeout } from "../../src/upstream/failure.ts";

Deno.test("statusOf maps every type, and what has a status of its own", () => {
  const statuses: Record<ErrorType, number> = {
    configuration_error: 500,
    provider_error: 502,
    storage_error: 503,
    tokenization_error: 500,
    cache_error: 500,
    validation_error: 400,
    transform_error: 500,
    connection_error: 502,
  };
  for (const [type, status] of Object.entries(statuses)) {
    assert.equal(statusOf(new ServiceError(type as ErrorType, "m")), status);
  }
  assert.equal(statusOf(new BodyTooLarge("request body", 5)), 413);
  assert.equal(statusOf(new BodyTooSlow(3, 60_000)), 408);
  assert.equal(statusOf(new UpstreamTimeout("h", "response", 1)), 504);
});

Deno.test("errorResponse sends a finished JSON body with its status and fields", async () => {
  const response = errorResponse('{"a":1}', 429, { "retry-after": "3" });
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("retry-after"), "3");
  assert.equal(await response.text(), '{"a":1}');
});

Deno.test("serviceErrorResponse has the members that every client family reads", async () => {
  const response = serviceErrorResponse(
    new ServiceError("connection_error", "m", { host: "h" }),
  );
  assert.equal(response.status, 502);
  assert.deepEqual(await response.json(), {
    type: "error",
    error: {
      type: "connection_error",
      message: "m",
      code: 502,
      details: { host: "h" },
    },
  });
});

Deno.test("detailResponse and notFound answer as local routes do", async () => {
  const bad = detailResponse(400, "hash required");
  assert.equal(bad.status, 400);
  assert.deepEqual(await bad.json(), { detail: "hash required" });
  assert.equal(notFound().status, 404);
  assert.deepEqual(await notFound().json(), { detail: "Not Found" });
});

Deno.test("methodNotAllowed is 405 and says what is allowed", () => {
  assert.equal(methodNotAllowed().status, 405);
  assert.match(methodNotAllowed().headers.get("allow") ?? "", /POST/);
});

Deno.test("clientGone is 499", () => assert.equal(clientGone().status, 499));

Deno.test("errorHandler answers 500 and leaks nothing of an unknown error", async () => {
  const logged: unknown[] = [];
  const handle = errorHandler((...entry) => logged.push(entry));
  const response = handle(new TypeError("secret body text"));
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
  assert.deepEqual(logged, [["error", "request_failed", {
    error: "TypeError",
  }]]);
  assert.equal(handle("secret").status, 500);
  assert.doesNotMatch(JSON.stringify(logged), /secret/);
});

Deno.test("errorHandler says that the database cannot be read", async () => {
  const logged: unknown[] = [];
  using db = new DatabaseSync(":memory:");
  const handle = errorHandler((...entry) => logged.push(entry));
  let response: Response | undefined;
  try {
    db.exec("SELECT * FROM missing");
  } catch (error) {
    response = handle(error);
  }
  assert.equal(response?.status, 503);
  assert.match(
    (await response.json()).detail,
    /^Cannot read what this proxy keeps: no such table: missing; /,
  );
  assert.deepEqual(logged, [["error", "request_failed", {
    error: "Error",
    reason: "no such table: missing",
  }]]);
});

Deno.test("errorHandler answers a ServiceError with its own status and message", async () => {
  const handle = errorHandler(() => {});
  const response = handle(new ServiceError("validation_error", "say why"));
  assert.equal(response.status, 400);
  assert.match(await response.text(), /say why/);
});

const MESSAGES = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "my secret prompt" },
});

/** The word in the body of an error. */
function wordIn(text: string): string | undefined {
  const tap = errorTypeTap({ status: 400 });
  tap?.push(new TextEncoder().encode(text));
  return tap?.type();
}

Deno.test("errorTypeTap finds the most exact word of an error, in each family", () => {
  assert.equal(wordIn(MESSAGES), "invalid_request_error");
  const chat = {
    error: { type: "invalid_request_error", code: "context_length_exceeded" },
  };
  assert.equal(wordIn(JSON.stringify(chat)), "context_length_exceeded");
  const google = { error: { code: 400, status: "INVALID_ARGUMENT" } };
  assert.equal(wordIn(JSON.stringify(google)), "INVALID_ARGUMENT");
});

Deno.test("errorTypeTap takes no text for a word", () => {
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
  ) assert.equal(wordIn(text), "", text);
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
