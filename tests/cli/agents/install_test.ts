import assert from "node:assert/strict";
import { withValue } from "../../../src/cli/agents/plan.ts";
import { join } from "node:path";
import type { AgentId } from "../../../src/cli/agents/agent.ts";
import { installAll, uninstallAll } from "../../../src/cli/agents/install.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { denoFiles } from "../../../src/cli/files.ts";
import { fakeFiles, type FakeIo, fakeIo } from "../fake_io.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

const CLAUDE = "/home/a/.claude.json";
const RECORD = "/home/a/.svc/mcp_installs.json";

function worldWith(texts: Record<string, string>) {
  const files = fakeFiles(new Map(Object.entries(texts)));
  return { io: fakeIo({ files }), texts: files.texts, files };
}

function install(io: FakeIo, ids: AgentId[], wish = {}): Promise<number> {
  const agents = ids.map((id) => AGENTS[id]);
  const plain = { launch: LAUNCH, force: false, dryRun: false };
  return installAll(io, { agents, ...plain, ...wish });
}

Deno.test("installAll registers, keeps a copy and a record, and says which tools there are", async () => {
  const { io, texts } = worldWith({ [CLAUDE]: '{"a":1}' });
  assert.equal(await install(io, ["claude"]), 0);
  assert.match(texts.get(CLAUDE)!, /"mcpServers": \{"svc":/);
  assert.equal(texts.get(`${CLAUDE}.svc-backup`), '{"a":1}');
  assert.match(texts.get(RECORD)!, /"agent": "claude"/);
  assert.match(
    io.out(),
    /^Claude Code: registered in \/home\/a\/\.claude\.json\n/,
  );
  assert.match(io.out(), /svc-backup\n/);
  assert.match(io.out(), /tools: mcp__svc__headroom_retrieve, /);
});

Deno.test("installAll says that nothing is to be changed the second time, and changes nothing", async () => {
  const { io, texts, files } = worldWith({});
  await install(io, ["claude", "codex", "opencode"]);
  const before = new Map(texts);
  const again = fakeIo({ files });
  assert.equal(await install(again, ["claude", "codex", "opencode"]), 0);
  assert.deepEqual(texts, before);
  assert.equal(again.out().match(/nothing to change\n/g)?.length, 3);
});

Deno.test("installAll shows the change and makes none with dryRun", async () => {
  const { io, texts } = worldWith({ [CLAUDE]: "{}" });
  assert.equal(await install(io, ["claude"], { dryRun: true }), 0);
  assert.deepEqual([...texts], [[CLAUDE, "{}"]]);
  assert.match(
    io.out(),
    /would change .*\n--- .*\n\+\+\+ .*\n@@ -1,1 \+1,\d+ @@\n-\{\}/,
  );
});

Deno.test("installAll leaves a server of somebody else, shows it, and goes on with the next agent", async () => {
  const text = withValue(AGENTS.claude, "", {
    command: "/their/svc",
    args: ["secret"],
    env: { K: "s" },
  });
  const { io, texts, files } = worldWith({ [CLAUDE]: text });
  assert.equal(await install(io, ["claude", "codex"]), 1);
  assert.equal(texts.get(CLAUDE), text);
  assert.match(
    io.err(),
    /^error: Cannot register with Claude Code: .*: \/their\/svc\. .*--force/,
  );
  assert.match(io.out(), /^Codex: registered/);
  const forced = fakeIo({ files });
  assert.equal(await install(forced, ["claude"], { force: true }), 0);
  assert.match(texts.get(CLAUDE)!, /my deno/);
});

Deno.test("installAll shows no values of others when it says what would change", async () => {
  const claude = withValue(AGENTS.claude, '{"apiKey":"secret"}', {
    command: "/their/svc",
    args: ["secret"],
  });
  const codex = 'token = "secret"\nkeys = [\n  "secret",\n]\n';
  const { io } = worldWith({
    [CLAUDE]: claude,
    "/home/a/.codex/config.toml": codex,
  });
  const wish = { dryRun: true, force: true };
  assert.equal(await install(io, ["claude", "codex"], wish), 0);
  assert.doesNotMatch(io.out(), /secret/);
  assert.match(
    io.out(),
    /\n keys = \[\n {3}…\n \]\n\+\n\+\[mcp_servers\.svc\]\n/,
  );
  assert.equal(io.out().match(/my deno/g)?.length, 2);
  assert.equal(
    io.out().match(/SVC_WORKSPACE_DIR"?\s?[=:]\s?"\/home\/ä\/\.svc"/g)?.length,
    2,
  );
});

Deno.test("installAll never touches a file that cannot be parsed", async () => {
  const { io, texts } = worldWith({ [CLAUDE]: '{\n  "a": 1\n  "b": 2\n}' });
  assert.equal(await install(io, ["claude"]), 1);
  assert.equal(texts.size, 1);
  assert.match(
    io.err(),
    /Cannot edit \/home\/a\/\.claude\.json:3 of Claude Code: it is not valid JSON/,
  );
});

Deno.test("installAll replaces a command of an older place without being forced", async () => {
  const { io, texts } = worldWith({});
  await install(io, ["codex"], { launch: OTHER });
  assert.equal(await install(io, ["codex"]), 0);
  const text = texts.get("/home/a/.codex/config.toml")!;
  assert.doesNotMatch(text, /old/);
  assert.match(text, /my deno/);
});

Deno.test("installAll and uninstallAll leave real directories as they were", async () => {
  const home = await Deno.makeTempDir();
  const given: Record<string, string> = {
    ".claude.json": '{\n  "numStartups": 3,\n  "mcpServers": {}\n}',
    ".codex/config.toml":
      'model = "m" # mine\r\n\r\n[mcp_servers.x]\r\ncommand = "y"\r\n',
    ".config/opencode/opencode.jsonc":
      '{\n\t// mine\n\t"theme": "dark", // too\n}\n',
  };
  try {
    for (const [name, text] of Object.entries(given)) {
      const path = join(home, name);
      await Deno.mkdir(join(path, ".."), { recursive: true });
      await Deno.writeTextFile(path, text, { mode: 0o640 });
    }
    const before = await treeOf(home);
    const io = fakeIo({ env: { HOME: home }, files: denoFiles() });
    const agents = Object.values(AGENTS);
    assert.equal(await install(io, ["claude", "codex", "opencode"]), 0);
    for (const name of Object.keys(given)) {
      const path = join(home, name);
      assert.match(await Deno.readTextFile(path), /my deno/);
      assert.equal(await Deno.readTextFile(`${path}.svc-backup`), given[name]);
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o640);
    }
    const record = await Deno.stat(join(home, ".svc/mcp_installs.json"));
    assert.equal(record.mode! & 0o777, 0o600);
    assert.equal(await uninstallAll(io, { agents, dryRun: false }), 0);
    assert.deepEqual(await treeOf(home), before);
    assert.equal(io.err(), "");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** Texts of all files below a directory, by path. */
async function treeOf(directory: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = join(directory, name);
    if (!isDirectory) texts.set(path, await Deno.readTextFile(path));
    else for (const entry of await treeOf(path)) texts.set(...entry);
  }
  return texts;
}

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
  const theirs = withValue(AGENTS.claude, "", { command: "/their/svc" });
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
