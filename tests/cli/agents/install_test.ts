import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentId } from "../../../src/cli/agents/agent.ts";
import { installAll } from "../../../src/cli/agents/install.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import { uninstallAll } from "../../../src/cli/agents/uninstall.ts";
import { denoFiles } from "../../../src/cli/deno_files.ts";
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
  const text = AGENTS.claude.format.set("", {
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
  const claude = AGENTS.claude.format.set('{"apiKey":"secret"}', {
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
