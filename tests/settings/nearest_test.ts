import assert from "node:assert/strict";
import { nearest, SETTING_NAMES } from "../../src/settings/nearest.ts";

Deno.test("nearest finds the setting that a mistyped name means", () => {
  for (
    const [typed, meant] of [
      ["modee", "mode"],
      ["mdoe", "mode"],
      ["rmp", "rpm"],
      ["Budgt", "budget"],
      ["SVC_MODEE", "SVC_MODE"],
      ["svc_proxy_tokn", "SVC_PROXY_TOKEN"],
    ] as const
  ) assert.equal(nearest(typed, SETTING_NAMES), meant, typed);
});

Deno.test("nearest gives nothing where no name is like it", () => {
  for (const typed of ["", "x", "PATH", "toString", "colour_scheme"]) {
    assert.equal(nearest(typed, SETTING_NAMES), undefined, typed);
  }
  assert.equal(nearest("mode", []), undefined);
  assert.equal(nearest("a", ["b"]), undefined);
});
