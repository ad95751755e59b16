import assert from "node:assert/strict";
import { systemReason } from "../../src/telemetry/system_reason.ts";

Deno.test("systemReason is the code of a failed system call", async () => {
  const error = await Deno.stat("/no/such/file").catch((error) => error);
  assert.equal(systemReason(error), "ENOENT");
});

Deno.test("systemReason is undefined for a fault of the program", () => {
  const named = Object.assign(new Error(), { code: "ERR_INVALID_ARG_TYPE" });
  for (const error of [new TypeError(), named, "ENOENT", undefined]) {
    assert.equal(systemReason(error), undefined);
  }
});
