import assert from "node:assert/strict";
import { overrideHeader } from "../../src/proxy/override_header.ts";

Deno.test("overrideHeader says why a choice was not followed, and nothing else", () => {
  assert.deepEqual(overrideHeader({ ignoredOverride: "private_address" }), {
    "x-svc-base-url-ignored": "private_address",
  });
  assert.deepEqual(overrideHeader({}), {});
});
