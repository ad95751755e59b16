import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/deno_files.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import {
  type RecoverRun,
  runRecover,
} from "../../../src/cli/recover/recover.ts";
import type { FileAccess } from "../../../src/cli/files.ts";
import { fullAt, readOnlyOutside } from "../edits/faulty_disk.ts";
import { CODEX_HOME, type OldHome, rollout, withOldHome } from "./old_home.ts";

async function run(
  home: OldHome,
  parts: Partial<RecoverRun> = {},
  { answer, files = denoFiles() }: {
    readonly answer?: string;
    readonly files?: FileAccess;
  } = {},
) {
  const io = home.io({
    files,
    stdinLines: async function* () {
      if (answer !== undefined) yield answer;
    },
  });
  const exitCode = await runRecover(
    { home: CODEX_HOME, sources: [], yes: false, ...parts },
    io,
    { ...home.world, canAsk: answer !== undefined },
  );
  return { exitCode, out: io.out(), err: io.err() };
}

Deno.test("runRecover shows the plan and changes nothing without --yes, where nobody can be asked, and for any other answer", async () => {
  await withOldHome(async (home) => {
    const before = await home.all();
    const shown = await run(home);
    assert.equal(shown.exitCode, 0);
    assert.match(shown.out, /^From .*headroom-codex-home-x to .*\.codex:\n/);
    assert.match(shown.out, /\n {2}\+ history\.jsonl: lines added: 1\n/);
    assert.match(shown.out, /\n {2}= auth\.json: differs/);
    assert.match(shown.err, /--yes/);
    assert.equal((await run(home, {}, { answer: "n" })).exitCode, 1);
    assert.deepEqual(await home.all(), before);
  });
});

Deno.test("runRecover takes it when the answer is yes, and has nothing to do then", async () => {
  await withOldHome(async (home) => {
    const done = await run(home, {}, { answer: "y" });
    assert.equal(done.exitCode, 0);
    assert.match(done.out, /Taken from .*-x, which stays as it is\.\n/);
    assert.match(done.out, /codex resume <id>\n$/);
    assert.match(
      done.out,
      /from before are in .*\.svc\/recover\/codex-19700101T/,
    );
    const texts = await home.texts();
    assert(texts[rollout(5)]);
    const again = await run(home, { yes: true });
    assert.match(again.out, /^.*holds nothing to be taken to/);
    assert.deepEqual(await home.texts(), texts);
  });
});

Deno.test("runRecover takes from several homes, one backup each, and drops what an interrupted run left of its own", async () => {
  await withOldHome(async (home) => {
    const file = `tmp/headroom-codex-home-y/${rollout(7)}`;
    await home.write({ [file]: "{}\n", ".svc/recover/codex-1/source/x": "" });
    await Deno.chmod(join(home.path, "tmp", "headroom-codex-home-y"), 0o700);
    await run(home, { yes: true });
    assert.equal((await home.texts())[rollout(7)], "{}\n");
    const backups = [];
    for await (
      const { name } of Deno.readDir(join(home.path, ".svc/recover"))
    ) {
      backups.push(name);
    }
    assert.deepEqual(backups.sort(), [
      ".lock",
      "codex-19700101T000000000Z",
      "codex-19700101T000000000Z-2",
    ]);
  });
});

Deno.test("runRecover takes homes that are named, and refuses what is none or not apart from the durable one", async () => {
  await withOldHome(async (home) => {
    const named = { sources: ["tmp/headroom-codex-home-x"], yes: true };
    await run(home, { ...named, target: "other" });
    const taken = join(home.path, "other", rollout(2));
    assert((await Deno.stat(taken)).isFile);
    for (const source of [".", ".codex", ".codex/sessions", "none"]) {
      await assert.rejects(
        run(home, { sources: [source], yes: true }),
        (error) => error instanceof CliFailure && error.exitCode === 2,
        source,
      );
    }
  });
});

Deno.test("runRecover says what the durable home holds where no other is found", async () => {
  await withOldHome(async (home) => {
    await Deno.remove(home.source, { recursive: true });
    await Deno.remove(join(home.target, "state_5.sqlite"));
    const { exitCode, out } = await run(home);
    assert.equal(exitCode, 0);
    assert.match(out, /^No home .* Codex was found\.\n.*: 4 sessions, 1 of/);
  });
});

Deno.test("runRecover says that a home is read-only, and that another run goes on", async () => {
  await withOldHome(async (home) => {
    const before = await home.texts();
    const files = denoFiles(readOnlyOutside(join(home.path, ".svc")));
    await assert.rejects(
      run(home, { yes: true }, { files }),
      /Codex: the disk is read-only\. What was taken before stays; run it again/,
    );
    assert.deepEqual(await home.texts(), before);
  });
});

Deno.test("runRecover leaves no part of a backup where the disk is full", async () => {
  await withOldHome(async (home) => {
    const before = await home.all();
    const files = denoFiles(fullAt(3));
    await assert.rejects(
      run(home, { yes: true }, { files }),
      /Codex: no space left on device/,
    );
    const left = (await home.all()).filter((path) => !before.includes(path));
    assert.deepEqual(left, [".svc/recover/.lock"]);
  });
});

Deno.test("runRecover shows hostile names as signs, one line each", async () => {
  await withOldHome(async (home) => {
    await home.write({ "tmp/headroom-codex-home-x/a\n+ b\x1b[2J": "x" });
    const { out } = await run(home);
    assert(out.includes("  + a\u240a+ b\u241b[2J: new\n"));
  });
});
