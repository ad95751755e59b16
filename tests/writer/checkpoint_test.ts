import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { makeCheckpoints } from "../../src/writer/checkpoint.ts";

/** A database with a log, and the number of pages that were copied out of it since it was last asked. */
async function open() {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/x.db`;
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const checkpoints = makeCheckpoints(db);
  const size = () => Deno.statSync(path).size;
  const before = size();
  return {
    checkpoints,
    write(times: number) {
      for (let i = 0; i < times; i++) {
        db.prepare("INSERT INTO t VALUES (?)").run("x".repeat(2000));
        checkpoints.wrote();
      }
    },
    hasCopied: () => size() > before,
    async close() {
      db.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

Deno.test("makeCheckpoints copies nothing while writes follow each other", async () => {
  const log = await open();
  log.write(1500);
  assert.equal(log.hasCopied(), false);
  await log.close();
});

Deno.test("makeCheckpoints copies when idle, and only if it is worth it", async () => {
  const log = await open();
  log.write(10);
  log.checkpoints.idle();
  assert.equal(log.hasCopied(), false);
  log.write(300);
  log.checkpoints.idle();
  assert.equal(log.hasCopied(), true);
  await log.close();
});

Deno.test("makeCheckpoints copies in the end, also under constant load", async () => {
  const log = await open();
  log.write(2000);
  assert.equal(log.hasCopied(), true);
  await log.close();
});
