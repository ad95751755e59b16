import assert from "node:assert/strict";
import { OPENCODE } from "../../../src/cli/agents/opencode.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

Deno.test("OPENCODE looks for its three files in ~/.config or XDG_CONFIG_HOME", () => {
  assert.deepEqual(OPENCODE.places({ HOME: "/h" }), {
    candidates: [
      "/h/.config/opencode/opencode.jsonc",
      "/h/.config/opencode/opencode.json",
      "/h/.config/opencode/config.json",
    ],
    fallback: "/h/.config/opencode/opencode.json",
    directory: "/h/.config/opencode",
  });
  const { fallback } = OPENCODE.places({ XDG_CONFIG_HOME: "/x" });
  assert.equal(fallback, "/x/opencode/opencode.json");
});

Deno.test("OPENCODE takes the file that OPENCODE_CONFIG names", () => {
  assert.deepEqual(OPENCODE.places({ OPENCODE_CONFIG: "/o/my.json" }), {
    candidates: ["/o/my.json"],
    fallback: "/o/my.json",
    directory: "/o",
  });
});

Deno.test("OPENCODE writes a local entry, and reads its launch back", () => {
  assert.deepEqual(OPENCODE.valueOf(OTHER), {
    type: "local",
    command: ["/old/svc", "mcp", "serve"],
    enabled: true,
  });
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(OPENCODE.launchOf(OPENCODE.valueOf(launch)), launch);
  }
  for (const value of ["x", { command: "x" }, { type: "remote" }]) {
    assert.equal(OPENCODE.launchOf(value), undefined);
  }
});
