import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { denoFiles } from "../../../src/cli/files.ts";
import { Journals, withJournals } from "../../../src/cli/edits/transaction.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { removeFiles, writeFiles } from "../../../src/cli/install/files.ts";
import {
  type CountedDisk,
  fullAt,
  Killed,
  killedAt,
  readOnlyOutside,
} from "../edits/faulty_disk.ts";
import { type Home, inHome, test } from "../uninstall/home.ts";

const OWNER = "install-default";
const UNIT = ".config/systemd/user/svc-default.service";
const MANIFEST = ".svc/deploy/default/manifest.json";

function write(home: Home, text: string, disk?: CountedDisk) {
  const io = home.io({ files: denoFiles(disk) });
  return writeFiles(io, OWNER, [
    { path: join(home.path, UNIT), text },
    { path: join(home.path, MANIFEST), text: `{"text": ${text.length}}` },
  ]);
}

function remove(home: Home, disk?: CountedDisk) {
  return removeFiles(home.io({ files: denoFiles(disk) }), OWNER);
}

/** All files with their texts, without svc's lock and the journal's directory. */
async function state(home: Home): Promise<Record<string, string>> {
  const names = (await home.all()).filter((name) =>
    !name.startsWith(".svc/edits")
  );
  const texts = names.map(async (name) =>
    [
      name,
      name.endsWith("/") ? "" : await Deno.readTextFile(join(home.path, name)),
    ] as const
  );
  return Object.fromEntries(await Promise.all(texts));
}

test("writeFiles writes nothing the second time", async (home) => {
  assert.equal(await write(home, "[Unit]"), true);
  const all = await home.all();
  const before = await Deno.stat(join(home.path, UNIT));
  assert.equal(await write(home, "[Unit]"), false);
  assert.deepEqual(await home.all(), all);
  const after = await Deno.stat(join(home.path, UNIT));
  assert.deepEqual([after.ino, after.mtime], [before.ino, before.mtime]);
  assert.equal(before.mode! & 0o777, 0o600);
});

Deno.test("removeFiles gives back what was there before, byte for byte, after any number of writes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.string({ unit: "grapheme" })),
      fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
      async (before, texts) => {
        await inHome(async (home) => {
          await home.write({ ".config/other": "x" });
          if (before !== null) await home.write({ [UNIT]: before });
          const first = await state(home);
          for (const text of texts) await write(home, text);
          assert.deepEqual(await remove(home), []);
          assert.deepEqual(await state(home), first);
        });
      },
    ),
    { numRuns: 30 },
  );
});

test("removeFiles removes every directory that was made, in each place", async (home) => {
  await home.write({ ".svc/deploy/work/manifest.json": "{}" });
  await write(home, "[Unit]");
  await remove(home);
  assert.deepEqual(await state(home), {
    ".svc/deploy/work/manifest.json": "{}",
  });
});

test("writeFiles leaves a file that the user has changed, and removeFiles keeps a copy of it", async (home) => {
  await write(home, "[Unit]");
  await home.write({ [UNIT]: "[Unit]\nNice=5" });
  await assert.rejects(write(home, "[Unit]\n"), /was changed after svc/);
  const kept = join(home.path, `${UNIT}.kept`);
  assert.deepEqual(await remove(home), [kept]);
  assert.deepEqual(await state(home), { [`${UNIT}.kept`]: "[Unit]\nNice=5" });
});

test("writeFiles and removeFiles change nothing where they may not write", async (home) => {
  const disk = () => readOnlyOutside(join(home.path, ".svc"));
  await home.write({ ".config/x": "" });
  const first = await state(home);
  await assert.rejects(write(home, "[Unit]", disk()), (error: unknown) => {
    assert.ok(error instanceof CliFailure);
    assert.match(error.message, /read-only\. Nothing was changed/);
    return true;
  });
  assert.deepEqual(await state(home), first);
  await write(home, "[Unit]");
  const installed = await state(home);
  await assert.rejects(remove(home, disk()), /read-only/);
  assert.deepEqual(await state(home), installed);
});

/** The two acts, each on what it starts with. */
const ACTS = {
  write: {
    prepare: () => Promise.resolve(),
    act: (home: Home, disk: CountedDisk) => write(home, "[Unit]", disk),
  },
  remove: {
    prepare: async (home: Home) => void await write(home, "[Unit]"),
    act: (home: Home, disk: CountedDisk) => remove(home, disk),
  },
} as const;

for (const [name, { prepare, act }] of Object.entries(ACTS)) {
  Deno.test(`a full disk at any step of ${name} leaves all as it was`, async () => {
    let isDone = false;
    for (let step = 1; !isDone; step++) {
      await inHome(async (home) => {
        await prepare(home);
        const first = await state(home);
        isDone = await act(home, fullAt(step)).then(() => true, (error) => {
          assert.ok(error instanceof CliFailure, String(error));
          assert.match(error.message, /no space left/);
          return false;
        });
        if (!isDone) assert.deepEqual(await state(home), first);
      });
      assert.ok(step < 20);
    }
  });

  Deno.test(`a kill at any step of ${name} ends as before or after it, once somebody comes`, async () => {
    let isDone = false;
    for (let step = 1; !isDone; step++) {
      await inHome(async (home) => {
        await prepare(home);
        const first = await state(home);
        isDone = await act(home, killedAt(step)).then(() => true, (error) => {
          assert.ok(error instanceof Killed, String(error));
          return false;
        });
        await withJournals(home.io(), () => Promise.resolve());
        assert.deepEqual(await new Journals(home.io()).interrupted(), []);
        const now = Object.keys(await state(home));
        const both = [UNIT, MANIFEST].sort();
        const isBefore = JSON.stringify(now) ===
          JSON.stringify(Object.keys(first));
        const after = name === "write" ? both : [];
        if (!isBefore) assert.deepEqual(now.sort(), after, `step ${step}`);
      });
      assert.ok(step < 100);
    }
  });
}
