import assert from "node:assert/strict";
import { environmentVariable } from "../../../src/sdk/client/environment.ts";

Deno.test({
  name:
    "environmentVariable reads what is set, and takes an empty one for none",
  permissions: { env: true },
  fn() {
    const name = "SVC_TEST_ENVIRONMENT_VARIABLE";
    Deno.env.set(name, "value");
    try {
      assert.equal(environmentVariable(name), "value");
      Deno.env.set(name, "");
      assert.equal(environmentVariable(name), undefined);
    } finally {
      Deno.env.delete(name);
    }
    assert.equal(environmentVariable(name), undefined);
  },
});

Deno.test({
  name:
    "environmentVariable gives nothing where the environment may not be read",
  permissions: "none",
  fn() {
    assert.equal(environmentVariable("PATH"), undefined);
  },
});
