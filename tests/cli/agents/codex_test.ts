import assert from "node:assert/strict";
import { CODEX } from "../../../src/cli/agents/codex.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

Deno.test("CODEX keeps its file in ~/.codex, or where CODEX_HOME says", () => {
  const places = CODEX.places({ HOME: "/h" });
  assert.equal(places.fallback, "/h/.codex/config.toml");
  assert.equal(places.directory, "/h/.codex");
  const { fallback } = CODEX.places({ HOME: "/h", CODEX_HOME: "/c" });
  assert.equal(fallback, "/c/config.toml");
});

Deno.test("CODEX writes a table, and reads its launch back", () => {
  assert.equal(
    CODEX.format.set("", CODEX.valueOf(LAUNCH)),
    `[mcp_servers.svc]
command = "/opt/my deno"
args = [ "run", "a\\"b\\\\c", "mcp", "serve" ]

[mcp_servers.svc.env]
SVC_WORKSPACE_DIR = "/home/ä/.svc"
`,
  );
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(CODEX.launchOf(CODEX.valueOf(launch)), launch);
  }
});
