import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { rowOf } from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { makeCheckpoints, startLedgerWork } from "../../src/ledger/work.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { NOON, RECORD } from "./samples.ts";

Deno.test("startLedgerWork opens the database with the first job, again after a failure, and closes it", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/ledger.db`;
  const failures: unknown[] = [];
  const work = startLedgerWork(
    { path, run: "run", process: "p", slot: undefined },
    (job) => {
      try {
        job();
      } catch (error) {
        failures.push(error);
      }
    },
  );
  const row = rowOf(RECORD, { run: "run", process: "p" }, []);
  const job = { now: NOON, tasks: [{ type: "insert", row }] };
  assert.throws(() => work.perform(job), /no such table/);
  using db = new DatabaseSync(path);
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS);
  assert.deepEqual(work.perform(job), {
    answers: [undefined],
    spend: undefined,
  });
  work.afterwards(job);
  assert.equal(db.prepare("SELECT * FROM requests").all().length, 1);
  db.exec("DROP TABLE given_back");
  work.afterwards({ ...job, now: NOON + 60_000 });
  assert.equal(failures.length, 1);
  work.close();
  await Deno.remove(dir, { recursive: true });
});

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
