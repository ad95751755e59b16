import assert from "node:assert/strict";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { checkMcp } from "../../../src/cli/doctor/mcp_check.ts";
import { fileOf, foundIn, type WorldParts } from "./world.ts";

const FILE = "/home/a/.claude.json";
const check = async (parts: WorldParts) => await checkMcp(await foundIn(parts));
const { claude } = AGENTS;
const entry = (command: string) =>
  claude.format.set("", claude.valueOf({ command: [command, "mcp"], env: {} }));

Deno.test("checkMcp passes when an agent has the server and its program is there", async () => {
  const { status, summary } = await check({
    texts: { [FILE]: entry("/opt/svc") },
    files: { "/opt/svc": fileOf() },
  });
  assert.equal(status, "pass");
  assert.equal(summary, "registered with Claude Code");
});

Deno.test("checkMcp warns of a program that is gone, and of a file that cannot be read", async () => {
  const gone = await check({ texts: { [FILE]: entry("/opt/svc") } });
  assert.equal(gone.status, "warn");
  assert.match(gone.summary, /program \/opt\/svc is gone \(\/home/);
  const broken = await check({ texts: { [FILE]: "{" } });
  assert.equal(broken.status, "warn");
});

Deno.test("checkMcp skips where nothing is registered: the proxy needs no server", async () => {
  assert.equal((await check({ texts: { [FILE]: "{}" } })).status, "skip");
  assert.equal((await check({})).status, "skip");
});
