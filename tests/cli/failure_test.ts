import assert from "node:assert/strict";
import {
  CliFailure,
  EXIT_USAGE,
  ReaderGone,
  systemCode,
  systemError,
  writeFailure,
} from "../../src/cli/failure.ts";

Deno.test("CliFailure ends with 1 unless told otherwise", () => {
  assert.equal(new CliFailure("Cannot go on").exitCode, 1);
  assert.equal(new CliFailure("Cannot go on", EXIT_USAGE).exitCode, 2);
});

Deno.test("systemCode reads the code of a system error and of nothing else", () => {
  assert.equal(
    systemCode(Object.assign(new Error("x"), { code: "ENOENT" })),
    "ENOENT",
  );
  assert.equal(
    systemCode(Object.assign(new Error("x"), { code: 3 })),
    undefined,
  );
  assert.equal(systemCode(new Error("x")), undefined);
  assert.equal(systemCode({ code: "ENOENT" }), undefined);
});

Deno.test("systemError makes an error with a code", () => {
  const error = systemError("EFBIG", "too large");
  assert.equal(systemCode(error), "EFBIG");
  assert.equal(error.message, "too large");
});

Deno.test("writeFailure names standard output and the reason, without a number", () => {
  const messageOf = (code: string, message: string) => {
    const failure = writeFailure(systemError(code, message));
    assert(failure instanceof CliFailure);
    return failure.message;
  };
  assert.equal(
    messageOf("ENOSPC", "No space left on device (os error 28): write"),
    "Cannot write standard output: no space left on device",
  );
  assert.equal(
    messageOf("EIO", "Input/output error (os error 5)"),
    "Cannot write standard output: Input/output error",
  );
});

Deno.test("writeFailure names a closed pipe, and leaves other errors as they are", () => {
  const closed = writeFailure(systemError("EPIPE", "x"));
  assert(closed instanceof ReaderGone);
  assert.equal(systemCode(closed), "EPIPE");
  for (const error of [new Error("x"), "x"]) {
    assert.equal(writeFailure(error), error);
  }
});
