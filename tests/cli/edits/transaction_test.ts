import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { denoFiles } from "../../../src/cli/files.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { digestOf } from "../../../src/cli/edits/file_plan.ts";
import { keepAgent } from "../../../src/cli/edits/keep.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import {
  journalDirectory,
  Journals,
  withJournals,
} from "../../../src/cli/edits/transaction.ts";
import { unwrapAll } from "../../../src/cli/commands/unwrap.ts";
import { type Home, inHome, test } from "../uninstall/home.ts";
import { type CountedDisk, fullAt, Killed, killedAt } from "./faulty_disk.ts";

const FILE = ".claude/settings.json";
const TEXT = '{\n  "model": "opus"\n}\n';
const agent = KEEPABLE.claude;

type Act = (home: Home, disk?: CountedDisk) => Promise<unknown>;

function keepOn(port: number): Act {
  return (home, disk) => {
    const base = `http://127.0.0.1:${port}`;
    const io = home.io({ files: denoFiles(disk) });
    return keepAgent(io, { agent, base, dryRun: false });
  };
}

const unwrap: Act = (home, disk) =>
  unwrapAll(home.io({ files: denoFiles(disk) }), {
    agents: [agent],
    dryRun: false,
  });

function finish(home: Home): Promise<void> {
  return withJournals(home.io(), () => Promise.resolve());
}

/** What leads to an edit, and the edit. */
const SCENES: Readonly<
  Record<string, { readonly first: readonly Act[]; readonly act: Act }>
> = {
  "a first edit": { first: [], act: keepOn(1) },
  "another address": { first: [keepOn(1)], act: keepOn(2) },
  "undoing": { first: [keepOn(1)], act: unwrap },
};

async function textOf(home: Home): Promise<string | undefined> {
  return await home.io().files.read(join(home.path, FILE));
}

/** Files below the home directory, without the lock. */
async function filesOf(home: Home): Promise<string[]> {
  const all = await home.all();
  return all.filter((name) => name !== ".svc/edits/.lock");
}

/** Runs a scene up to its edit, with a file or without one. */
async function begin(
  home: Home,
  text: string | undefined,
  acts: readonly Act[],
) {
  if (text !== undefined) await home.write({ [FILE]: text });
  for (const act of acts) await act(home);
}

for (const text of [TEXT, undefined]) {
  const where = text === undefined ? "without a file" : "in a file";
  for (const [name, { first, act }] of Object.entries(SCENES)) {
    Deno.test(`withJournals ends ${name} ${where} that was killed at any step, as before or after it`, async () => {
      let isDone = false;
      for (let step = 1; !isDone; step++) {
        await inHome(async (home) => {
          await begin(home, text, first);
          const before = await textOf(home);
          const disk = killedAt(step);
          isDone = await act(home, disk).then(
            () => true,
            (error: unknown) => {
              assert.ok(error instanceof Killed, String(error));
              return false;
            },
          );
          const after = expected(name, text);
          const states = [before, after];
          assert.ok(states.includes(await textOf(home)), `step ${step}`);
          await finish(home);
          assert.deepEqual(await new Journals(home.io()).interrupted(), []);
          const now = await textOf(home);
          assert.ok(states.includes(now), `step ${step}, finished`);
          const wanted = [
            ...now === undefined ? [] : [FILE],
            ...now === text ? [] : [".svc/edits/wrap-claude.json"],
          ];
          assert.deepEqual(await filesOf(home), wanted, `step ${step}`);
          await unwrap(home);
          assert.equal(await textOf(home), text);
          assert.deepEqual(
            await filesOf(home),
            text === undefined ? [] : [FILE],
          );
        });
        assert.ok(step < 100);
      }
    });

    Deno.test(`Journals keeps all as it was when the disk is full in ${name} ${where}`, async () => {
      let isDone = false;
      for (let write = 1; !isDone; write++) {
        await inHome(async (home) => {
          await begin(home, text, first);
          const before = await textOf(home);
          const files = await filesOf(home);
          const io = home.io({ files: denoFiles(fullAt(write)) });
          const base = "http://127.0.0.1:2";
          const request = { agent, base, dryRun: false };
          isDone = name === "undoing"
            ? await unwrapAll(io, { agents: [agent], dryRun: false }) === 0
            : await keepAgent(io, request).then(
              () => true,
              (error: unknown) => {
                assert.ok(error instanceof CliFailure);
                assert.match(error.message, /no space left on device/);
                return false;
              },
            );
          if (isDone) return;
          await finish(home);
          assert.equal(await textOf(home), before);
          assert.deepEqual(await filesOf(home), files);
        });
        assert.ok(write < 20);
      }
    });
  }
}

/** The file after a scene that began with `text`. */
function expected(
  scene: string,
  text: string | undefined,
): string | undefined {
  const port = scene === "a first edit" ? 1 : 2;
  const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  if (scene === "undoing") return text;
  const values = { ...text && JSON.parse(text), env };
  return JSON.stringify(values, null, 2) + "\n";
}

test("Journals changes no file if one of them is not what the edit began with", async (home) => {
  await home.write({ a: "one", b: "changed" });
  const write = (name: string, from: string) => ({
    target: join(home.path, name),
    from: digestOf(from),
    to: "new",
  });
  await assert.rejects(
    withJournals(home.io(), (journals) =>
      journals.commit({
        owner: "test",
        files: [],
        emptied: [],
        pending: [write("a", "one"), write("b", "two")],
      })),
    CliFailure,
  );
  const { files } = home.io();
  assert.equal(await files.read(join(home.path, "a")), "one");
  assert.equal(await files.read(join(home.path, "b")), "changed");
  assert.deepEqual(await filesOf(home), ["a", "b"]);
});

test("withJournals lets one after the other in", async (home) => {
  const order: string[] = [];
  const entered = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = withJournals(home.io(), async () => {
    entered.resolve();
    await held.promise;
    order.push("first");
  });
  await entered.promise;
  const second = withJournals(home.io(), () => {
    order.push("second");
    return Promise.resolve();
  });
  held.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first", "second"]);
});

test("withJournals leaves a file that the user changed after an interrupted edit", async (home) => {
  await home.write({ [FILE]: TEXT });
  // The journal is written: its directory, text, name, and the names around it.
  await assert.rejects(keepOn(1)(home, killedAt(6)), Killed);
  assert.deepEqual(await new Journals(home.io()).interrupted(), [
    "wrap-claude",
  ]);
  await home.write({ [FILE]: '{"mine":1}' });
  await finish(home);
  assert.equal(await textOf(home), '{"mine":1}');
  assert.deepEqual(await new Journals(home.io()).interrupted(), []);
  await unwrap(home);
  assert.equal(await textOf(home), '{"mine":1}');
});

test("withJournals names a journal that it cannot read", async (home) => {
  const path = join(journalDirectory(home.io()), "wrap-claude.next");
  await Deno.mkdir(dirname(path), { recursive: true });
  for (const text of ["{", "{}", '{"version":2}']) {
    await Deno.writeTextFile(path, text);
    await assert.rejects(finish(home), /wrap-claude\.next.*Move it away/);
  }
});
