import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles } from "../../../src/cli/deno_files.ts";
import type { Disk } from "../../../src/cli/disk.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { carryOut } from "../../../src/cli/recover/carry_out.ts";
import { planOf } from "../../../src/cli/recover/plan.ts";
import { fullAt, Killed, killedAt } from "../edits/faulty_disk.ts";
import {
  CODEX_HOME,
  DURABLE,
  type OldHome,
  rollout,
  withOldHome,
} from "./old_home.ts";

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
