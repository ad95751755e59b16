import { openSqliteLedger } from "../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import { openSqliteStore } from "../src/ccr/sqlite_store.ts";
import { Writer, type WriterThread } from "../src/writer/writer.ts";
import { entryOf } from "./ccr/samples.ts";
import { ids, NOON, RECORD, standingClock } from "./ledger/samples.ts";

Deno.test("writer_worker writes the store and the ledger of a process, and ends with the second", async () => {
  const dir = await Deno.makeTempDir();
  const threads: Worker[] = [];
  let ended = 0;
  const writer = new Writer({
    spawn(): WriterThread {
      const url = new URL("../src/writer_worker.ts", import.meta.url);
      const worker = new Worker(url, { type: "module" });
      threads.push(worker);
      const { terminate } = worker;
      worker.terminate = () => (ended++, terminate.call(worker));
      return worker;
    },
  });
  const parts = {
    clock: standingClock(),
    log: () => {},
    version: "1.2.3",
    writer,
  };
  const store = await openSqliteStore({
    ...parts,
    path: `${dir}/store.db`,
    ttlSeconds: 60,
  });
  const ledger = await openSqliteLedger({
    ...parts,
    path: `${dir}/ledger.db`,
    budget: undefined,
    newId: ids("id"),
  });
  ledger.record(RECORD);
  const entry = entryOf("original", NOON);
  await store.write({ now: NOON, entries: [entry] });
  await ledger.flush();
  assert.deepEqual(store.entry(entry.key, NOON), entry);
  assert.equal(ledger.report().persistent_savings.lifetime.requests, 1);
  await store[Symbol.asyncDispose]();
  assert.equal(ended, 0);
  ledger.record({ ...RECORD, id: "last" });
  await ledger[Symbol.asyncDispose]();
  assert.deepEqual([threads.length, ended], [1, 1]);
  await Deno.remove(dir, { recursive: true });
});
