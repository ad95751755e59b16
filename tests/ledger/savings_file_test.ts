import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import {
  SavingsFile,
  type SavingsFileParts,
} from "../../src/ledger/savings_file.ts";
import { NOON, spent, standingClock } from "./samples.ts";
import { HANG_MS } from "../hang.ts";

/** A directory and a ledger of its own. */
async function scene() {
  const dir = await Deno.makeTempDir();
  const clock = standingClock();
  const ledger = openMemoryLedger({ clock, budget: undefined });
  const logged: string[] = [];
  const path = `${dir}/deep/savings.json`;
  return {
    dir,
    path,
    ledger,
    logged,
    make: (more: Partial<SavingsFileParts> = {}) =>
      new SavingsFile({
        path,
        reader: ledger.reader,
        clock,
        log: (_, event) => logged.push(event),
        everyMs: 1e6,
        ...more,
      }),
    requests: async () =>
      JSON.parse(await Deno.readTextFile(path)).lifetime.requests,
    names: (sub = "") => [...Deno.readDirSync(dir + sub)].map((f) => f.name),
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

Deno.test("SavingsFile writes when requests were added, for its owner only, and leaves nothing beside it", async () => {
  await using it = await scene();
  const file = it.make();
  await file.write();
  assert.deepEqual(it.names(), []);
  it.ledger.record(spent("a", 1));
  await it.ledger.flush();
  await Promise.all([file.write(), file.write()]);
  assert.equal(await it.requests(), 1);
  assert.deepEqual(it.names("/deep"), ["savings.json"]);
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(it.path)).mode! & 0o777, 0o600);
  }
  await Deno.writeTextFile(it.path, "untouched");
  await file.write();
  assert.equal(await Deno.readTextFile(it.path), "untouched");
  it.ledger.record(spent("b", 1));
  await it.ledger.flush();
  await file[Symbol.asyncDispose]();
  assert.equal(await it.requests(), 2);
  assert.deepEqual(it.logged, []);
});

Deno.test("SavingsFile looks by itself", async () => {
  await using it = await scene();
  await using _ = it.make({ path: `${it.dir}/savings.json`, everyMs: 1 });
  const events = Deno.watchFs(it.dir);
  it.ledger.record(spent("a", 1));
  await it.ledger.flush();
  for await (const { paths } of events) {
    if (paths.some((path) => path.endsWith("/savings.json"))) break;
  }
});

Deno.test("SavingsFile puts a file aside that is not ours, and not one that is", async () => {
  await using it = await scene();
  const path = `${it.dir}/savings.json`;
  it.ledger.record(spent("a", 1));
  await it.ledger.flush();
  for (
    const text of ["mine", "mine, too", `{"schema_version":2,"lifetime":{}}`]
  ) {
    await Deno.writeTextFile(path, text);
    await it.make({ path })[Symbol.asyncDispose]();
    JSON.parse(await Deno.readTextFile(path));
  }
  const aside = [`${path}.bak`, `${path}.${NOON}.bak`];
  const texts = await Promise.all(aside.map((name) => Deno.readTextFile(name)));
  assert.deepEqual(texts, ["mine", "mine, too"]);
  assert.equal(it.names().length, 3);
  assert.deepEqual(it.logged, [
    "savings_file_put_aside",
    "savings_file_put_aside",
  ]);
});

Deno.test("SavingsFile says once that it fails, and goes on when it can", async () => {
  await using it = await scene();
  it.ledger.record(spent("a", 1));
  await it.ledger.flush();
  await Deno.writeTextFile(`${it.dir}/deep`, "in the way");
  await using file = it.make();
  await file.write();
  await file.write();
  assert.deepEqual(it.logged, ["savings_file_failed"]);
  await Deno.remove(`${it.dir}/deep`);
  await file.write();
  assert.equal(await it.requests(), 1);
});

Deno.test({
  name: "SavingsFile ends in time where the disk never answers",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using it = await scene();
    await Deno.mkdir(`${it.dir}/deep`);
    // Opening a pipe waits for whoever writes to it.
    await new Deno.Command("mkfifo", { args: [it.path] }).output();
    it.ledger.record(spent("a", 1));
    await it.ledger.flush();
    await it.make({ closeMs: 10 })[Symbol.asyncDispose]();
    assert.deepEqual(it.logged, ["savings_file_failed"]);
    await Deno.writeTextFile(it.path, "");
    // What waited goes on, and ends before its directory is removed.
    const end = performance.now() + HANG_MS;
    const isDone = () =>
      it.names("/deep").sort().join() === "savings.json,savings.json.bak";
    while (!isDone() && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(isDone());
  },
});

Deno.test("SavingsFile leaves nothing beside a file that it cannot replace", async () => {
  await using it = await scene();
  const file = it.make();
  it.ledger.record(spent("a", 1));
  await it.ledger.flush();
  await file.write();
  await Deno.remove(it.path);
  await Deno.mkdir(`${it.path}/full`, { recursive: true });
  it.ledger.record(spent("b", 1));
  await it.ledger.flush();
  await file[Symbol.asyncDispose]();
  assert.deepEqual(it.logged, ["savings_file_failed"]);
  assert.deepEqual(it.names("/deep"), ["savings.json"]);
});
