import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { isLocked, openDatabaseFile } from "../../src/writer/database_file.ts";
import { META_TABLE } from "../../src/writer/schema.ts";

const MIGRATIONS = [`${META_TABLE} CREATE TABLE t (a)`];

Deno.test("openDatabaseFile gives a connection that reads, of a file for its owner only", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/a/b/x.db`;
  const options = { path, version: "1", migrations: MIGRATIONS };
  const { db, readOnly } = await openDatabaseFile(options);
  assert.equal(readOnly, undefined);
  assert.deepEqual(db.prepare("SELECT * FROM t").all(), []);
  assert.throws(() => db.exec("INSERT INTO t VALUES (1)"), /readonly/);
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  }
  db.close();
  const newer = await openDatabaseFile({ ...options, migrations: [] });
  assert.match(newer.readOnly ?? "", /schema 1, written by version 1/);
  newer.db.close();
  await assert.rejects(
    openDatabaseFile({ ...options, migrations: [...MIGRATIONS, null] }),
    /schema 1 is older than those of released versions: move it away/,
  );
  await Deno.remove(dir, { recursive: true });
});

Deno.test("openDatabaseFile waits for a lock, and says so when it stays", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/x.db`;
  {
    using db = new DatabaseSync(path);
    db.exec("BEGIN EXCLUSIVE");
    await assert.rejects(
      openDatabaseFile({ path, version: "1", migrations: MIGRATIONS }),
      isLocked,
    );
  }
  await Deno.remove(dir, { recursive: true });
});
