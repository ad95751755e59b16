import assert from "node:assert/strict";
import { installAll } from "../../../src/cli/agents/install.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { uninstallAll } from "../../../src/cli/agents/uninstall.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";
import { LAUNCH } from "./config_texts.ts";

const CLAUDE = "/home/a/.claude.json";
const CODEX = "/home/a/.codex/config.toml";
const agents = Object.values(AGENTS);

/** A world in which the given agents were registered with. */
async function installed(texts: Record<string, string>, chosen = agents) {
  const files = fakeFiles(new Map(Object.entries(texts)));
  const wish = { launch: LAUNCH, force: false, dryRun: false };
  await installAll(fakeIo({ files }), { agents: chosen, ...wish });
  return { io: fakeIo({ files }), texts: files.texts, files };
}

Deno.test("uninstallAll gives files back, removes its own, the copies and the record", async () => {
  const before = { [CLAUDE]: '{"a":1}' };
  const { io, texts } = await installed(before);
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
  assert.deepEqual(Object.fromEntries(texts), before);
  assert.match(
    io.out(),
    /^Claude Code: removed from \/home\/a\/\.claude\.json\nCodex: removed, with \/home\/a\/\.codex\/config\.toml, which held nothing else\n/,
  );
});

Deno.test("uninstallAll takes out only what the named agents have", async () => {
  const { io, texts } = await installed({});
  const chosen = [AGENTS.codex];
  assert.equal(await uninstallAll(io, { agents: chosen, dryRun: false }), 0);
  assert.equal(texts.has(CODEX), false);
  assert.match(texts.get(CLAUDE)!, /my deno/);
  const rest = texts.get("/home/a/.svc/mcp_installs.json")!;
  assert.doesNotMatch(rest, /codex/);
  assert.match(rest, /claude/);
});

Deno.test("uninstallAll finds the file of the record, whatever the environment says by now", async () => {
  const { files, texts } = await installed({}, [AGENTS.codex]);
  const io = fakeIo({ files, env: { HOME: "/home/a", CODEX_HOME: "/other" } });
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
  assert.equal(texts.size, 0);
});

Deno.test("uninstallAll shows the change and makes none with dryRun", async () => {
  const { io, texts } = await installed({ [CLAUDE]: "{}" });
  const before = new Map(texts);
  assert.equal(await uninstallAll(io, { agents, dryRun: true }), 0);
  assert.deepEqual(texts, before);
  assert.match(io.out(), /\n\+\{\}/);
  assert.match(io.out(), /\+\+\+ \/dev\/null/);
});

Deno.test("uninstallAll leaves a server that others registered or changed, and shows it", async () => {
  const theirs = AGENTS.claude.format.set("", { command: "/their/svc" });
  const { io, texts } = await installed({}, [AGENTS.codex]);
  texts.set(CLAUDE, theirs);
  texts.set(CODEX, texts.get(CODEX)!.replace("my deno", "deno"));
  const changed = texts.get(CODEX);
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
  assert.equal(texts.get(CLAUDE), theirs);
  assert.equal(texts.get(CODEX), changed);
  assert.match(
    io.out(),
    /was not registered from this workspace:\n {2}\/their\/svc\n/,
  );
  assert.match(io.out(), /starts something else by now:\n {2}\/opt\/deno\n/);
  assert.match(io.out(), /OpenCode: not registered\n/);
});

Deno.test("uninstallAll names the copy of an older state that it leaves", async () => {
  const { io, texts } = await installed({ [CLAUDE]: '{\n  "a": 1\n}' });
  texts.set(CLAUDE, texts.get(CLAUDE)!.replace('"a": 1', '"a": 2'));
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
  assert.equal(texts.get(CLAUDE), '{\n  "a": 2\n}');
  assert.match(io.out(), /older state is still in .*\.svc-backup\n/);
});

Deno.test("uninstallAll fails on a file that cannot be parsed, and goes on with the next", async () => {
  const { io, texts } = await installed({});
  texts.set(CLAUDE, "{");
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 1);
  assert.equal(texts.get(CLAUDE), "{");
  assert.match(io.err(), /Cannot edit \/home\/a\/\.claude\.json:1/);
  assert.equal(texts.has(CODEX), false);
  assert.match(texts.get("/home/a/.svc/mcp_installs.json")!, /claude/);
});

Deno.test("uninstallAll forgets an entry that somebody took out", async () => {
  const { io, texts } = await installed({}, [AGENTS.codex]);
  texts.delete(CODEX);
  assert.equal(await uninstallAll(io, { agents, dryRun: true }), 0);
  assert.equal(texts.size, 1);
  assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
  assert.match(io.out(), /Codex: nothing to remove/);
  assert.equal(texts.size, 0);
});
