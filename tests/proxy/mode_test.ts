import assert from "node:assert/strict";
import { isBypassed, isSimulation, modeOf } from "../../src/proxy/mode.ts";

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

Deno.test("modeOf, isSimulation and isBypassed read the alias of a field that is not there", () => {
  const alias = (name: string, value: string) =>
    new Headers({ [`x-headroom-${name}`]: value });
  assert.equal(modeOf(alias("mode", "passthrough"), "cache"), "passthrough");
  assert.equal(modeOf(alias("bypass", "true"), "cache"), "passthrough");
  assert.equal(isSimulation(alias("mode", "audit")), true);
  assert.equal(isBypassed(alias("bypass", "true")), true);
  const both = alias("mode", "passthrough");
  both.set("x-svc-mode", "optimize");
  assert.equal(modeOf(both, "cache"), "cache");
});
