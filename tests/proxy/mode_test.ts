import assert from "node:assert/strict";
import { modeOf } from "../../src/proxy/mode.ts";

function mode(headers: Record<string, string>): string {
  return modeOf(new Headers(headers), "cache");
}

Deno.test("modeOf is passthrough when a header asks for it, in any case", () => {
  assert.equal(mode({ "x-svc-bypass": "true" }), "passthrough");
  assert.equal(mode({ "X-Svc-Bypass": " TRUE " }), "passthrough");
  for (const value of ["PassThrough", "audit", "simulate"]) {
    assert.equal(mode({ "x-svc-mode": value }), "passthrough");
  }
});

Deno.test("modeOf is the configured mode otherwise", () => {
  assert.equal(mode({}), "cache");
  assert.equal(mode({ "x-svc-bypass": "false" }), "cache");
  assert.equal(mode({ "x-svc-mode": "token" }), "cache");
  assert.equal(modeOf(new Headers(), "token"), "token");
});
