import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { rowOf } from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { startLedgerWork } from "../../src/ledger/work.ts";
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
  const job = { now: NOON, tasks: [{ type: "book", row }] };
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
