import assert from "node:assert/strict";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo, refused } from "../fake_io.ts";
import {
  CODEX_HOME,
  DURABLE,
  type OldHome,
  rollout,
  withOldHome,
} from "../recover/old_home.ts";
import {
  denoFiles,
  type Disk,
  type FileAccess,
} from "../../../src/cli/files.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import {
  carryOut,
  type RecoverRun,
  runRecover,
} from "../../../src/cli/commands/recover.ts";
import {
  fullAt,
  Killed,
  killedAt,
  readOnlyOutside,
} from "../edits/faulty_disk.ts";
import { planOf } from "../../../src/cli/recover/plan.ts";

Deno.test("defineRecover ends with 2 without an agent, or with one whose homes it does not know", async () => {
  for (const line of ["recover", "recover emacs"]) {
    await refused(line, fakeIo(), [2, /agent/]);
  }
});

Deno.test("defineRecover finds the home in TMPDIR and takes it with --yes, named ones with --source and --target", async () => {
  await withOldHome(async (home) => {
    assert.equal(await runCli(["recover", "codex", "--yes"], home.io()), 0);
    assert((await home.texts())[rollout(5)]);
    const target = join(home.path, "new");
    const args = ["--source", home.source, "--target", target, "-y"];
    assert.equal(await runCli(["recover", "codex", ...args], home.io()), 0);
    assert((await Deno.stat(join(target, rollout(5)))).isFile);
  });
});

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

async function carried(home: OldHome, disk?: Disk, name = "b") {
  const sides = { home: CODEX_HOME, source: home.source, target: home.target };
  const plan = await planOf(sides);
  const backup = join(home.path, name);
  await carryOut(plan, sides, { files: denoFiles(disk), backup });
  return { plan, backup };
}

Deno.test("carryOut leaves nothing to be taken, and both sides from before in the backup", async () => {
  await withOldHome(async (home) => {
    const { plan, backup } = await carried(home);
    const sides = {
      home: CODEX_HOME,
      source: home.source,
      target: home.target,
    };
    const rest = (await planOf(sides)).filter(({ content }) => content);
    assert.deepEqual(rest, []);
    for (const { path, from, before } of plan) {
      const source = await Deno.readFile(join(backup, "source", from!));
      assert.deepEqual(source, await Deno.readFile(join(home.source, from!)));
      if (before === undefined || DURABLE[path] === undefined) continue;
      const place = join(backup, "durable", path);
      if (["auth.json", "state_5.sqlite"].includes(path)) continue;
      assert.equal(await Deno.readTextFile(place), DURABLE[path]);
    }
  });
});

Deno.test("carryOut keeps modes and links of the durable home, and the times of sessions", async () => {
  await withOldHome(async (home) => {
    const real = join(home.path, "dotfiles.toml");
    await Deno.rename(join(home.target, "config.toml"), real);
    await Deno.symlink(real, join(home.target, "config.toml"));
    await Deno.chmod(real, 0o640);
    const then = new Date(1e12);
    await Deno.utime(join(home.source, rollout(5)), then, then);
    await carried(home);
    const info = await Deno.stat(real);
    assert.equal(info.mode! & 0o777, 0o640);
    assert.match(await Deno.readTextFile(real), /^new = 1\n/);
    assert((await Deno.lstat(join(home.target, "config.toml"))).isSymlink);
    const taken = await Deno.stat(join(home.target, rollout(5)));
    assert.deepEqual(taken.mtime, then);
    assert.equal(taken.mode! & 0o777, 0o600);
  });
});

Deno.test("carryOut that is killed at any step has whole backups before the first write, and the next run does the rest", async () => {
  let done: Record<string, string> = {};
  await withOldHome(async (home) => {
    await carried(home);
    done = await home.texts();
  });
  let isKilled = true;
  for (let step = 1; isKilled; step++) {
    await withOldHome(async (home) => {
      const before = await home.texts();
      const disk = killedAt(step);
      try {
        await carried(home, disk);
        isKilled = false;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      const all = await home.all();
      if (!all.includes("b/list.json")) {
        assert.deepEqual(await home.texts(), before);
      }
      await carried(home, undefined, "b2");
      assert.deepEqual(await home.texts(), done, `killed at step ${step}`);
    });
  }
});

Deno.test("carryOut says that the disk is full, whichever write that is, and leaves no drafts", async () => {
  let isFull = true;
  for (let write = 1; isFull; write++) {
    await withOldHome(async (home) => {
      try {
        await carried(home, fullAt(write));
        isFull = false;
      } catch (error) {
        assert(error instanceof CliFailure);
        assert.match(error.message, /Codex: no space left on device$/);
      }
      const paths = Object.keys(await home.texts());
      assert(!paths.some((path) => path.endsWith("svc-draft")));
    });
  }
});

Deno.test("carryOut does not replace a file that was changed since the plan", async () => {
  await withOldHome(async (home) => {
    const sides = {
      home: CODEX_HOME,
      source: home.source,
      target: home.target,
    };
    const plan = await planOf(sides);
    for (const path of ["history.jsonl", rollout(5)]) {
      await home.write({ [`.codex/${path}`]: "later" });
      const only = plan.filter((finding) => finding.path === path);
      await assert.rejects(
        carryOut(only, sides, {
          files: denoFiles(),
          backup: join(home.path, `b-${path.length}`),
        }),
        /another program changed it meanwhile/,
      );
      const place = join(home.target, path);
      assert.equal(await Deno.readTextFile(place), "later");
    }
  });
});
