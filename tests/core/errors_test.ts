import assert from "node:assert/strict";
import { errorMessage, ServiceError } from "../../src/core/errors.ts";

Deno.test("ServiceError carries slug, message and details", () => {
  const error = new ServiceError("connection_error", "Cannot connect", {
    host: "h",
  });
  assert(error instanceof Error);
  assert.equal(error.name, "ServiceError");
  assert.equal(error.type, "connection_error");
  assert.equal(error.message, "Cannot connect");
  assert.deepEqual(error.details, { host: "h" });
  assert.deepEqual(new ServiceError("cache_error", "m").details, {});
});

Deno.test("errorMessage gives the message of an error, and anything else as text", () => {
  assert.equal(errorMessage(new TypeError("no")), "no");
  assert.equal(errorMessage("thrown"), "thrown");
  assert.equal(errorMessage(undefined), "undefined");
});
