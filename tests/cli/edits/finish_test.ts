import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/deno_files.ts";
import { finishEdits, interruptedIn } from "../../../src/cli/edits/finish.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { CLINE, KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { type Home, inHome } from "../uninstall/home.ts";
import { fullAt, Killed, killedAt } from "./faulty_disk.ts";

const FILE = ".claude/settings.json";

/** An edit that is killed once its journal is written. */
async function interrupt(home: Home): Promise<string> {
  await home.write({ [FILE]: "{}" });
  const io = home.io({ files: denoFiles(killedAt(6)) });
  const base = "http://127.0.0.1:8787";
  const agent = KEEPABLE.claude;
  await assert.rejects(keepAgent(io, { agent, base, dryRun: false }), Killed);
  return join(home.path, ".svc");
}

Deno.test("finishEdits finishes an edit that was interrupted", async () => {
  await inHome(async (home) => {
    const workspace = await interrupt(home);
    const io = home.io();
    assert.equal((await interruptedIn(io, workspace)).length, 1);
    await finishEdits(io, workspace);
    assert.deepEqual(await interruptedIn(io, workspace), []);
    const text = await io.files.read(join(home.path, FILE));
    assert.match(text!, /ANTHROPIC_BASE_URL/);
    assert.equal(io.err(), "");
  });
});

Deno.test("finishEdits says what it cannot finish, and leaves the journal", async () => {
  await inHome(async (home) => {
    const workspace = await interrupt(home);
    const io = home.io({ files: denoFiles(fullAt(1)) });
    await finishEdits(io, workspace);
    assert.match(io.err(), /interrupted, svc unwrap --all.*ENOSPC/);
    assert.equal((await interruptedIn(io, workspace)).length, 1);
    assert.equal(await io.files.read(join(home.path, FILE)), "{}");
  });
});

Deno.test("finishEdits makes nothing where nothing was interrupted, or nothing may be written", async () => {
  await inHome(async (home) => {
    await finishEdits(home.io(), join(home.path, ".svc"));
    assert.deepEqual(await home.all(), []);
    const workspace = await interrupt(home);
    await finishEdits(home.io(), undefined);
    assert.equal((await interruptedIn(home.io(), workspace)).length, 1);
  });
});

Deno.test("finishEdits gives back what a run has edited that was killed", async () => {
  await inHome(async (home) => {
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
});
