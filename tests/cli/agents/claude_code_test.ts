import assert from "node:assert/strict";
import {
  CLAUDE_CODE,
  programLaunch,
} from "../../../src/cli/agents/claude_code.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

Deno.test("CLAUDE_CODE keeps the user's file in the home directory, or where CLAUDE_CONFIG_DIR says", () => {
  assert.deepEqual(CLAUDE_CODE.places({ HOME: "/h" }), {
    candidates: ["/h/.claude/.config.json", "/h/.claude.json"],
    fallback: "/h/.claude.json",
    directory: "/h/.claude",
  });
  assert.deepEqual(CLAUDE_CODE.places({ CLAUDE_CONFIG_DIR: "/c" }), {
    candidates: ["/c/.config.json", "/c/.claude.json"],
    fallback: "/c/.claude.json",
    directory: "/c",
  });
});

Deno.test("CLAUDE_CODE writes an entry of the kind stdio, and reads its launch back", () => {
  assert.deepEqual(CLAUDE_CODE.valueOf(OTHER), {
    type: "stdio",
    command: "/old/svc",
    args: ["mcp", "serve"],
  });
  for (const launch of [LAUNCH, OTHER]) {
    assert.deepEqual(CLAUDE_CODE.launchOf(CLAUDE_CODE.valueOf(launch)), launch);
  }
});

Deno.test("programLaunch reads an entry without arguments, and refuses what starts no program", () => {
  assert.deepEqual(programLaunch({ command: "x" }), {
    command: ["x"],
    env: {},
  });
  const others = [
    { type: "http", url: "http://a" },
    { command: ["x"] },
    { command: "x", args: [1] },
    { command: "x", env: { A: 1 } },
    "x",
  ];
  for (const value of others) assert.equal(programLaunch(value), undefined);
});
