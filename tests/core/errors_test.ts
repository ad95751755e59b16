import assert from "node:assert/strict";
import {
  errorMessage,
  ServiceError,
  systemCode,
} from "../../src/core/errors.ts";

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

Deno.test("systemCode is the code of a failed system call", () => {
  for (const code of ["ENOENT", "EAI_AGAIN"]) {
    assert.equal(systemCode(Object.assign(new Error(), { code })), code);
  }
});

Deno.test("systemCode is undefined for a fault of the program", () => {
  const named = Object.assign(new Error(), { code: "ERR_INVALID_ARG_TYPE" });
  const other = Object.assign(new Error(), { code: "context_length" });
  const number = Object.assign(new Error(), { code: 2 });
  for (const error of [new TypeError(), named, other, number, "ENOENT", null]) {
    assert.equal(systemCode(error), undefined);
  }
});
