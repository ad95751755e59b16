import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../../src/ccr/schema.ts";
import { Writer } from "../../src/writer/writer.ts";
import { entryOf } from "./samples.ts";
import { openCcrChannel } from "../../src/ccr/work.ts";

const RULES = { ttlMs: 1000, maxBytes: 1e6, log: () => {} };

Deno.test("startCcrWork does jobs in order and closes the database last", async () => {
  const place = await Deno.makeTempDir();
  const path = `${place}/store.db`;
  using db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL");
  migrate(db, "1.0.0");
  const counts = () => db.prepare("SELECT * FROM entries").all().length;

  const writer = openCcrChannel(new Writer(), { ...RULES, path });
  const entries = [entryOf("a", 0)];
  void writer.run({ type: "write", batch: { now: 0, entries } });
  await writer.run({ type: "copy" });
  assert.equal(counts(), 1);
  assert.ok((await Deno.stat(path)).size > 50_000, "copied");
  const all = { now: 1, clear: "all" } as const;
  await writer.run({ type: "write", batch: all });
  assert.equal(counts(), 0);
  await writer[Symbol.asyncDispose]();
  await Deno.remove(place, { recursive: true });
});

Deno.test("startCcrWork answers each job with the reason while the database cannot be opened, then opens it", async () => {
  const place = await Deno.makeTempDir();
  const path = `${place}/store.db`;
  const writer = openCcrChannel(new Writer(), { ...RULES, path });
  const batch = { now: 0 };
  for (let i = 0; i < 3; i++) {
    await assert.rejects(
      writer.run({ type: "write", batch }),
      /Cannot write to the CCR store: no such table/,
    );
  }
  using db = new DatabaseSync(path);
  migrate(db, "1.0.0");
  await writer.run({ type: "write", batch });
  await writer[Symbol.asyncDispose]();
  await Deno.remove(place, { recursive: true });
});

Deno.test("openCcrChannel speaks of the store when it fails", async () => {
  const spawn = () => {
    throw new Error("no threads");
  };
  const events: string[] = [];
  const channel = openCcrChannel(new Writer({ spawn }), {
    path: "",
    ttlMs: 1,
    maxBytes: 1,
    log: (_, event) => events.push(event),
  });
  channel.start();
  assert.deepEqual(events, ["ccr_store_writer_failed"]);
  await channel[Symbol.asyncDispose]();
  await assert.rejects(
    channel.run({ type: "write", batch: { now: 0 } }),
    /Cannot write to the CCR store: it is closed/,
  );
});
