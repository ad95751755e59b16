import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { thisMachine } from "../../../src/cli/doctor/machine.ts";

async function inPlace(test: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** A database in WAL mode that nobody has open. */
function makeDatabase(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE t (a); CREATE INDEX i ON t (a)",
  );
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  for (let i = 0; i < 2000; i++) insert.run(`row ${i}`);
}

Deno.test("thisMachine follows links, and leaves a path that leads nowhere", () =>
  inPlace(async (dir) => {
    const { realPath } = thisMachine();
    await Deno.mkdir(`${dir}/a`);
    await Deno.symlink(`${dir}/a`, `${dir}/b`, { type: "dir" });
    assert.equal(await realPath(`${dir}/b`), await realPath(`${dir}/a`));
    assert.equal(await realPath(`${dir}/c`), `${dir}/c`);
  }));

Deno.test("thisMachine knows a file's size, mode and owner, and of a missing one nothing", () =>
  inPlace(async (dir) => {
    const { file, userId, isWritable, freeBytes } = thisMachine();
    const path = `${dir}/a`;
    await Deno.writeTextFile(path, "abc", { mode: 0o640 });
    const facts = await file(path);
    assert.equal(facts?.size, 3);
    assert.equal(facts.mode, Deno.build.os === "windows" ? null : 0o640);
    assert.equal(facts.owner, userId);
    assert.equal(await file(`${dir}/b`), undefined);
    assert.equal(await file(`${path}/b`), undefined);
    assert.equal(await isWritable(path), true);
    assert.equal(await isWritable(`${dir}/b`), false);
    assert((await freeBytes(dir) ?? 0) > 0);
    assert.equal(await freeBytes(`${dir}/b`), undefined);
  }));

Deno.test("thisMachine reads a database through, and puts nothing beside it", () =>
  inPlace(async (dir) => {
    const { damage } = thisMachine();
    const path = `${dir}/a b#c.db`;
    makeDatabase(path);
    assert.equal(await damage(path), undefined);
    const names = await Array.fromAsync(Deno.readDir(dir), ({ name }) => name);
    assert.deepEqual(names, ["a b#c.db"]);
    // While somebody has it open, what is not in the file yet is read too.
    using open = new DatabaseSync(path);
    open.exec("INSERT INTO t VALUES (1)");
    assert.equal(await damage(path), undefined);
  }));

const DIRECTORY = await Deno.makeTempDir();
makeDatabase(`${DIRECTORY}/a.db`);
globalThis.addEventListener("unload", () => {
  Deno.removeSync(DIRECTORY, { recursive: true });
});

Deno.test({
  name:
    "thisMachine reads a database through with the permission to read it alone, and says that of others it lacks it",
  permissions: { read: [DIRECTORY], sys: ["uid"] },
  async fn() {
    const { damage } = thisMachine();
    assert.equal(await damage(`${DIRECTORY}/a.db`), undefined);
    await assert.rejects(damage("/nowhere/a.db"), Deno.errors.NotCapable);
  },
});

Deno.test("thisMachine finds a damaged database, and rejects a file that is none", () =>
  inPlace(async (dir) => {
    const { damage } = thisMachine();
    const path = `${dir}/a.db`;
    makeDatabase(path);
    const bytes = await Deno.readFile(path);
    bytes.fill(0xff, 8192, 8192 + 2000);
    await Deno.writeFile(path, bytes);
    assert.equal(typeof await damage(path).catch(String), "string");
    await Deno.writeTextFile(path, "no database ".repeat(500));
    await assert.rejects(damage(path), /not a database/);
  }));

Deno.test("thisMachine tells a port that accepts from one that nobody has", async () => {
  const { accepts } = thisMachine();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  assert.equal(await accepts("127.0.0.1", port), true);
  listener.close();
  assert.equal(await accepts("127.0.0.1", port), false);
});
