import assert from "node:assert/strict";
import {
  PROXY_ROUTES,
  PROXY_VARIABLES,
} from "../../src/cli/proxy_variables.ts";

Deno.test("PROXY_VARIABLES are the four names in both cases", () => {
  assert.equal(new Set(PROXY_VARIABLES).size, 8);
  for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "no_proxy"]) {
    assert.ok(PROXY_VARIABLES.includes(name), name);
  }
  assert.deepEqual(
    PROXY_VARIABLES.filter((name) => !PROXY_ROUTES.includes(name)),
    ["NO_PROXY", "no_proxy"],
  );
});
