import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/files.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { CLINE, KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { unwrapAll } from "../../../src/cli/commands/unwrap.ts";
import { type Home, inHome, test } from "../uninstall/home.ts";
import { fullAt, Killed, killedAt, readOnlyOutside } from "./faulty_disk.ts";
import { finishEdits, interruptedIn } from "../../../src/cli/edits/finish.ts";

const FILE = ".claude/settings.json";
const BASE = "http://127.0.0.1:8787";

/** Runs one edit; gives what it said. */
async function keep(home: Home, wish = {}): Promise<string> {
  const io = home.io();
  const plain = { agent: KEEPABLE.claude, base: BASE, dryRun: false };
  await keepAgent(io, { ...plain, ...wish });
  return io.out();
}

test("keepAgent edits the file that a link leads to, keeps its mode, and gives both back", async (home) => {
  await home.write({ "dotfiles/claude.json": "{}", ".claude/x": "" });
  const target = join(home.path, "dotfiles/claude.json");
  await Deno.chmod(target, 0o640);
  await Deno.symlink("../dotfiles/claude.json", join(home.path, FILE));
  await keep(home);
  assert.match(await Deno.readTextFile(target), /ANTHROPIC_BASE_URL/);
  const agents = [KEEPABLE.claude];
  assert.equal(await unwrapAll(home.io(), { agents, dryRun: false }), 0);
  assert.equal(await Deno.readTextFile(target), "{}");
  assert.ok((await Deno.lstat(join(home.path, FILE))).isSymlink);
  assert.equal((await Deno.stat(target)).mode! & 0o777, 0o640);
});

test("keepAgent makes what a link without a target leads to, and unwrapAll removes that only", async (home) => {
  await home.write({ ".claude/x": "" });
  await Deno.symlink("../dotfiles/claude.json", join(home.path, FILE));
  await keep(home);
  const { files } = home.io();
  const target = join(home.path, "dotfiles/claude.json");
  assert.match((await files.read(target))!, /ANTHROPIC_BASE_URL/);
  const agents = [KEEPABLE.claude];
  assert.equal(await unwrapAll(home.io(), { agents, dryRun: false }), 0);
  assert.equal(await files.exists(join(home.path, "dotfiles")), false);
  assert.ok((await Deno.lstat(join(home.path, FILE))).isSymlink);
});

test("keepAgent says that there is nothing to do the second time", async (home) => {
  assert.match(await keep(home), /leads to .*8787 now\n.*svc unwrap claude/);
  const before = await home.all();
  assert.match(await keep(home), /leads to .*8787 already/);
  assert.deepEqual(await home.all(), before);
});

test("keepAgent warns where no service keeps the proxy", async (home) => {
  const agent = KEEPABLE.codex;
  const alone = home.io();
  await keepAgent(alone, { agent, base: BASE, dryRun: false });
  assert.match(
    alone.err(),
    /No service keeps a proxy at .*svc proxy --port 8787, .*svc unwrap codex/,
  );
  const running = home.io();
  const request = { agent, base: BASE, dryRun: false, isProxyUp: true };
  await keepAgent(running, request);
  assert.match(
    running.err(),
    /One runs now; svc install apply --port 8787 keeps one, or undo/,
  );
  const text = '{"service":"svc-proxy","deployment":{"supervisor":"launchd"}}';
  const ask = () => Promise.resolve({ status: 200, text });
  const served = home.io({ ask });
  await keepAgent(served, { agent, base: BASE, dryRun: false });
  assert.equal(served.err(), "");
});

test("keepAgent leaves a file that a run has edited", async (home) => {
  const agent = KEEPABLE.claude;
  const run = { agent, base: BASE, dryRun: false, forRun: true } as const;
  await keepAgent(home.io(), run);
  const other = { agent, base: "http://127.0.0.1:9001", dryRun: false };
  await assert.rejects(
    keepAgent(home.io(), other),
    /svc wrap claude has edited its file for one run\. End that one first/,
  );
});

test("keepAgent shows the change without values of others, and makes nothing, with dryRun", async (home) => {
  await home.write({ [FILE]: '{\n  "apiKeyHelper": "secret"\n}\n' });
  const out = await keep(home, { dryRun: true });
  assert.match(out, /would change .*\n---.*\n\+\+\+/);
  assert.match(out, /\+ {4}"ANTHROPIC_BASE_URL": "http:\/\/127/);
  assert.doesNotMatch(out, /secret/);
  assert.deepEqual(await home.all(), [FILE]);
});

test("keepAgent leaves a file that cannot be parsed, and says what works without an edit", async (home) => {
  await home.write({ [FILE]: '{"env":' });
  await assert.rejects(keep(home), (error: unknown) => {
    assert.ok(error instanceof CliFailure);
    assert.match(error.message, /settings\.json:1 .*not valid JSON/);
    assert.match(
      error.message,
      /svc wrap claude starts Claude Code with variables instead/,
    );
    return true;
  });
  assert.equal(
    await home.io().files.read(join(home.path, FILE)),
    '{"env":',
  );
});

test("keepAgent changes nothing where it may not write, and keeps no journal", async (home) => {
  await home.write({ [FILE]: "{}" });
  for (const agent of Object.values(KEEPABLE)) {
    const disk = readOnlyOutside(join(home.path, ".svc"));
    const io = home.io({ files: denoFiles(disk) });
    await assert.rejects(
      keepAgent(io, { agent, base: BASE, dryRun: false }),
      /Cannot use .*: the disk is read-only\. The file is as it was/,
    );
  }
  assert.deepEqual(await home.all(), [FILE, ".svc/edits/.lock"]);
  assert.equal(await home.io().files.read(join(home.path, FILE)), "{}");
});

test("keepAgent and unwrapAll at once end in one of both", async (home) => {
  await home.write({ [FILE]: "{}" });
  const agents = [KEEPABLE.claude];
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      keep(home),
      unwrapAll(home.io(), { agents, dryRun: false }),
      keep(home),
    ]);
    const text = await home.io().files.read(join(home.path, FILE));
    const isKept = (await home.all()).includes(".svc/edits/wrap-claude.json");
    assert.equal(text?.includes(BASE), isKept);
  }
  await unwrapAll(home.io(), { agents, dryRun: false });
  assert.equal(await home.io().files.read(join(home.path, FILE)), "{}");
});

Deno.test("keepAgent does not replace an address of the user, only one that leads to the proxy", async () => {
  const cases: [keyof typeof KEEPABLE, string, string, RegExp?][] = [
    [
      "claude",
      FILE,
      '{"env":{"ANTHROPIC_BASE_URL":"https://me:key@gw.example/v1"}}',
      /env\.ANTHROPIC_BASE_URL is https:\/\/gw\.example already: remove/,
    ],
    [
      "claude",
      FILE,
      '{"env":{"ANTHROPIC_BASE_URL":"http://localhost:9000"}}',
      /env\.ANTHROPIC_BASE_URL is http:\/\/localhost:9000 already: remove/,
    ],
    [
      "claude",
      FILE,
      '{"env":{"ANTHROPIC_BASE_URL":"http://localhost:8787/p/mine"}}',
    ],
    [
      "codex",
      ".codex/config.toml",
      'openai_base_url = "http://127.0.0.1:1/v1"\n',
      /openai_base_url is http:\/\/127\.0\.0\.1:1 already: remove/,
    ],
    [
      "codex",
      ".codex/config.toml",
      'model_provider = "corp"\n',
      /model_provider is "corp" already/,
    ],
    ["codex", ".codex/config.toml", 'model_provider = "openai"\n'],
  ];
  for (const [id, file, before, said] of cases) {
    await inHome(async (home) => {
      await home.write({ [file]: before });
      const kept = keep(home, { agent: KEEPABLE[id] });
      if (said === undefined) return void await kept;
      await assert.rejects(kept, (error: unknown) => {
        assert.ok(error instanceof CliFailure);
        assert.match(error.message, said);
        assert.doesNotMatch(error.message, /me:key/);
        return true;
      });
      const { files } = home.io();
      assert.equal(await files.read(join(home.path, file)), before);
    });
  }
});

/** An edit that is killed once its journal is written. */
async function interrupt(home: Home): Promise<string> {
  await home.write({ [FILE]: "{}" });
  const io = home.io({ files: denoFiles(killedAt(6)) });
  const base = "http://127.0.0.1:8787";
  const agent = KEEPABLE.claude;
  await assert.rejects(keepAgent(io, { agent, base, dryRun: false }), Killed);
  return join(home.path, ".svc");
}

test("finishEdits finishes an edit that was interrupted", async (home) => {
  const workspace = await interrupt(home);
  const io = home.io();
  assert.equal((await interruptedIn(io, workspace)).length, 1);
  await finishEdits(io, workspace);
  assert.deepEqual(await interruptedIn(io, workspace), []);
  const text = await io.files.read(join(home.path, FILE));
  assert.match(text!, /ANTHROPIC_BASE_URL/);
  assert.equal(io.err(), "");
});

test("finishEdits says what it cannot finish, and leaves the journal", async (home) => {
  const workspace = await interrupt(home);
  const io = home.io({ files: denoFiles(fullAt(1)) });
  await finishEdits(io, workspace);
  assert.match(io.err(), /interrupted, svc unwrap --all.*ENOSPC/);
  assert.equal((await interruptedIn(io, workspace)).length, 1);
  assert.equal(await io.files.read(join(home.path, FILE)), "{}");
});

test("finishEdits makes nothing where nothing was interrupted, or nothing may be written", async (home) => {
  await finishEdits(home.io(), join(home.path, ".svc"));
  assert.deepEqual(await home.all(), []);
  const workspace = await interrupt(home);
  await finishEdits(home.io(), undefined);
  assert.equal((await interruptedIn(home.io(), workspace)).length, 1);
});

test("finishEdits gives back what a run has edited that was killed", async (home) => {
  const file = ".cline/data/settings/providers.json";
  const before =
    '{"lastUsedProvider":"openai","providers":{"openai":{"settings":{}}}}';
  await home.write({ [file]: before });
  const base = "http://127.0.0.1:8787";
  await keepAgent(home.io(), {
    agent: CLINE,
    base,
    dryRun: false,
    forRun: true,
  });
  const io = home.io();
  const read = () => io.files.read(join(home.path, file));
  assert.notEqual(await read(), before);
  await finishEdits(io, join(home.path, ".svc"));
  assert.equal(await read(), before);
  assert.match(io.err(), /^svc: Cline: .* is as it was\n$/);
});
