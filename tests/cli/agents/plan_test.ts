import assert from "node:assert/strict";
import { type Agent, ConfigFault } from "../../../src/cli/agents/agent.ts";
import {
  entryOf,
  isBare,
  planInstall,
  planUninstall,
  type Wish,
  withEntry,
  withoutEntry,
  withValue,
} from "../../../src/cli/agents/plan.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { CONFIG_TEXTS, LAUNCH, OTHER } from "./config_texts.ts";
import fc from "fast-check";
import type { Install } from "../../../src/cli/agents/record.ts";

const { claude, codex, opencode } = AGENTS;

Deno.test("withEntry refuses notations in which the entry would not be all that changes, and says what to add", () => {
  const cases = [
    [codex, 'mcp_servers = { x = { command = "a" } }\n'],
    [codex, 'mcp_servers.svc.command = "a"\n'],
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

Deno.test("withEntry is not misled by a text that looks like the entry", () => {
  const text = 'a = """\n[mcp_servers.svc]\n"""\n';
  const after = withEntry(codex, text, LAUNCH);
  assert.ok(after.startsWith(text));
  assert.deepEqual(entryOf(codex, after)?.launch, LAUNCH);
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

Deno.test("withoutEntry takes an empty table of servers along only if it came with the entry", () => {
  const text = withEntry(claude, '{"a":1}', LAUNCH);
  const edit = { at: 0, removed: "", inserted: '"mcpServers": {"svc":1}' };
  assert.equal(withoutEntry(claude, text, edit), '{"a":1}');
  assert.equal(
    withoutEntry(claude, text, undefined),
    '{"a":1,"mcpServers": {}}',
  );
  const shared = `{"mcpServers":{"x":1,"svc":{}}}`;
  assert.equal(withoutEntry(claude, shared, edit), '{"mcpServers":{"x":1}}');
});

Deno.test("withValue begins a new file with the agent's head", () => {
  assert.equal(
    withValue(opencode, "", { a: 1 }),
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "svc": {\n      "a": 1\n    }\n  }\n}\n',
  );
});

Deno.test("isBare holds for a file with nothing but what we write into a new one", () => {
  assert.equal(isBare(opencode, "{}"), true);
  assert.equal(isBare(opencode, withEntry(opencode, "", LAUNCH)), true);
  assert.equal(isBare(opencode, '{"$schema":"other"}'), false);
  assert.equal(isBare(claude, '{"mcpServers":{"x":{}}}'), false);
});

/** A text after an installation, and what the record holds. */
function installed(
  agent: Agent,
  text: string | undefined,
  { past, ...wish }: Partial<Wish> & { past?: Install | undefined } = {},
): { text: string; past: Install } {
  const plan = planInstall(agent, { file: "/c", text, past }, {
    launch: LAUNCH,
    force: false,
    ...wish,
  });
  assert(plan.type === "write", plan.type);
  return { text: plan.text, past: plan.install };
}

function uninstalled(agent: Agent, now: { text: string; past: Install }) {
  return planUninstall(agent, { file: "/c", ...now });
}

for (const agent of Object.values(AGENTS)) {
  Deno.test(`planUninstall gives the exact text back after planInstall, ${agent.id}`, () => {
    fc.assert(
      fc.property(CONFIG_TEXTS[agent.id], (text) => {
        const now = installed(agent, text);
        assert.deepEqual(entryOf(agent, now.text)?.launch, LAUNCH);
        const plan = uninstalled(agent, now);
        assert(plan.type === "write");
        assert.equal(plan.text, text);
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`planUninstall gives the exact text back after several installations, ${agent.id}`, () => {
    fc.assert(fc.property(CONFIG_TEXTS[agent.id], (text) => {
      const first = installed(agent, text, { launch: OTHER });
      const second = installed(agent, first.text, { past: first.past });
      const plan = uninstalled(agent, second);
      assert(plan.type === "write");
      assert.equal(plan.text, text);
    }));
  });

  Deno.test(`planUninstall takes the entry out by its structure when the edit is not known, ${agent.id}`, () => {
    fc.assert(fc.property(CONFIG_TEXTS[agent.id], (text) => {
      const now = installed(agent, text);
      const { edit: _, ...past } = now.past;
      const plan = uninstalled(agent, { text: now.text, past });
      assert(plan.type === "write");
      assert.equal(entryOf(agent, plan.text), undefined);
      const { [agent.container]: before = {}, ...rest } = agent.format.parse(
        text,
      );
      const { [agent.container]: after = {}, $schema: _head, ...same } = agent
        .format.parse(plan.text);
      assert.deepEqual(structuredClone(after), structuredClone(before));
      assert.deepEqual(same, rest);
    }));
  });

  Deno.test(`planInstall changes nothing the second time, ${agent.id}`, () => {
    fc.assert(fc.property(CONFIG_TEXTS[agent.id], (text) => {
      const now = installed(agent, text);
      const wish = { launch: LAUNCH, force: false };
      const plan = planInstall(agent, { file: "/c", ...now }, wish);
      assert(plan.type === "unchanged");
      assert.equal(plan.install, now.past);
    }));
  });

  Deno.test(`planInstall makes a file that planUninstall deletes, unless others wrote to it, ${agent.id}`, () => {
    const now = installed(agent, undefined);
    assert.equal(now.past.created, true);
    assert.deepEqual(uninstalled(agent, now), { type: "delete" });
    const { edit: _, ...past } = now.past;
    const unknown = uninstalled(agent, { text: now.text, past });
    assert.deepEqual(unknown, { type: "delete" });
    const isToml = agent.id === "codex";
    const text = isToml
      ? `model = "m"\n${now.text}`
      : now.text.replace("{", '{\n  "model": "m",');
    const plan = uninstalled(agent, { ...now, text });
    assert(plan.type === "write");
    assert.match(plan.text, /model/);
    assert.equal(entryOf(agent, plan.text), undefined);
  });

  Deno.test(`planInstall refuses an entry that is not ours, and planUninstall restores it after force, ${agent.id}`, () => {
    const { text } = installed(agent, undefined, { launch: OTHER });
    const file = { file: "/c", text, past: undefined };
    const plan = planInstall(agent, file, { launch: LAUNCH, force: false });
    assert(plan.type === "conflict");
    assert.deepEqual(plan.entry.launch, OTHER);
    const forced = installed(agent, text, { force: true });
    assert.deepEqual(entryOf(agent, forced.text)?.launch, LAUNCH);
    assert.deepEqual(uninstalled(agent, forced), { type: "write", text });
  });

  Deno.test(`planUninstall leaves an entry that starts something else by now, ${agent.id}`, () => {
    const { past } = installed(agent, "");
    const { text } = installed(agent, "", { launch: OTHER });
    const plan = uninstalled(agent, { text, past });
    assert(plan.type === "foreign");
    assert.deepEqual(plan.entry.launch, OTHER);
  });

  Deno.test(`planUninstall has nothing to do without a file or an entry, ${agent.id}`, () => {
    const { past } = installed(agent, "");
    const file = { file: "/c", past };
    assert.deepEqual(planUninstall(agent, { ...file, text: undefined }), {
      type: "gone",
    });
    assert.deepEqual(planUninstall(agent, { ...file, text: "" }), {
      type: "gone",
    });
  });

  Deno.test(`planInstall keeps settings that the user added to the entry, and planUninstall takes them out with it, ${agent.id}`, () => {
    const first = installed(agent, "", { launch: OTHER });
    const value = { ...agent.valueOf(OTHER), enabled: false };
    const text = withValue(agent, first.text, value);
    const file = { file: "/c", text, past: first.past };
    const same = planInstall(agent, file, { launch: OTHER, force: false });
    assert.equal(same.type, "unchanged");
    const other = planInstall(agent, file, { launch: LAUNCH, force: false });
    assert.equal(other.type, "conflict");
    const plan = uninstalled(agent, { text, past: first.past });
    assert(plan.type === "write");
    assert.equal(entryOf(agent, plan.text), undefined);
    const forced = installed(agent, text, { past: first.past, force: true });
    const back = uninstalled(agent, forced);
    assert(back.type === "write");
    assert.equal(entryOf(agent, back.text), undefined);
  });

  Deno.test(`planInstall records an entry that is there already, so that it can be taken out, ${agent.id}`, () => {
    const { text } = installed(agent, "");
    const file = { file: "/c", text, past: undefined };
    const plan = planInstall(agent, file, { launch: LAUNCH, force: false });
    assert(plan.type === "unchanged");
    const gone = uninstalled(agent, { text, past: plan.install });
    assert(gone.type === "write");
    assert.equal(entryOf(agent, gone.text), undefined);
  });

  Deno.test(`planInstall refuses a file that cannot be parsed, with the line, ${agent.id}`, () => {
    const text = agent.id === "codex" ? 'a = 1\nb = "\n' : '{\n"a": 1,,\n}';
    const file = { file: "/c", text, past: undefined };
    assert.throws(
      () => planInstall(agent, file, { launch: LAUNCH, force: true }),
      (error) => error instanceof ConfigFault && error.line === 2,
    );
  });
}

Deno.test("planUninstall takes out what was added when others wrote before and behind it", () => {
  const agent = AGENTS.claude;
  const { text, past } = installed(agent, '{\n  "a": 1\n}\n');
  const changed = text.replace('"a": 1', '"a": 12,\n  "b": 2')
    .replace(/\n}\n$/, ',\n  "z": 3\n}\n');
  const plan = uninstalled(agent, { text: changed, past });
  assert(plan.type === "write");
  assert.equal(
    plan.text,
    '{\n  "a": 12,\n  "b": 2,\n  "z": 3\n}\n',
  );
});
