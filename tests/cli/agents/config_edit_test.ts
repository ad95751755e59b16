import assert from "node:assert/strict";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import {
  entryOf,
  isBare,
  isSameLaunch,
  withEntry,
  withoutEntry,
} from "../../../src/cli/agents/config_edit.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

const { claude, codex, opencode } = AGENTS;

Deno.test("withEntry refuses notations in which the entry would not be all that changes, and says what to add", () => {
  const cases = [
    [codex, 'mcp_servers = { x = { command = "a" } }\n'],
    [codex, 'mcp_servers.svc.command = "a"\n'],
    [codex, 'a = """\n[mcp_servers.svc]\n"""\n'],
    [claude, '{"mcpServers":{},"mcpServers":{"x":{"command":"a"}}}'],
    [opencode, '{"mcp":[]}'],
  ] as const;
  for (const [agent, text] of cases) {
    assert.throws(() => withEntry(agent, text, LAUNCH), ConfigFault, text);
  }
  assert.throws(
    () => withEntry(codex, "mcp_servers = {}\n", OTHER),
    /add this by hand:\n\[mcp_servers\.svc\]\ncommand = "\/old\/svc"/,
  );
});

Deno.test("withoutEntry refuses what it cannot cut out, and names the entry", () => {
  const text = 'mcp_servers.svc.command = "a"\n';
  assert.throws(() => withoutEntry(codex, text, undefined), /by hand/);
});

Deno.test("withoutEntry does not take back an edit that would change anything else", () => {
  const text = withEntry(claude, '{"a":"x"}', LAUNCH);
  const edit = { at: 1, removed: "", inserted: text.slice(1, -1) };
  assert.equal(withoutEntry(claude, text, edit), '{"a":"x"}');
});

Deno.test("entryOf finds the entry, and reads its launch if it has one", () => {
  assert.equal(entryOf(claude, '{"mcpServers":{"x":{}}}'), undefined);
  assert.equal(entryOf(claude, '{"mcpServers":7}'), undefined);
  const entry = entryOf(claude, '{"mcpServers":{"svc":{"url":"u"}}}');
  assert.equal(entry?.launch, undefined);
  assert.deepEqual({ ...(entry?.value as object) }, { url: "u" });
});

Deno.test("isBare holds for a file with nothing but what we write into a new one", () => {
  assert.equal(isBare(opencode, "{}"), true);
  assert.equal(isBare(opencode, withEntry(opencode, "", LAUNCH)), true);
  assert.equal(isBare(opencode, '{"$schema":"other"}'), false);
  assert.equal(isBare(claude, '{"mcpServers":{"x":{}}}'), false);
});

Deno.test("isSameLaunch compares command and variables", () => {
  assert.equal(isSameLaunch(LAUNCH, structuredClone(LAUNCH)), true);
  assert.equal(isSameLaunch(LAUNCH, { ...LAUNCH, env: {} }), false);
  assert.equal(isSameLaunch(LAUNCH, OTHER), false);
  assert.equal(isSameLaunch(LAUNCH, undefined), false);
});
