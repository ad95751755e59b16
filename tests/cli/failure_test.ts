import assert from "node:assert/strict";
import { CliFailure, EXIT_USAGE, systemCode } from "../../src/cli/failure.ts";

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
