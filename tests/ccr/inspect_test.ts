import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { inspectStore } from "../../src/ccr/inspect.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  openSqliteStore,
  type SqliteStoreOptions,
} from "../../src/ccr/sqlite_store.ts";
import { cutOriginal } from "../../src/compute/open_router.ts";
import { FakeClock } from "./fake_clock.ts";
import { conversationOf, entryOf } from "./samples.ts";

/** A store that a proxy has open, with an original of a conversation and one of nobody. */
async function scene() {
  const place = await Deno.makeTempDir();
  const events: string[] = [];
  const clock = new FakeClock();
  const options: SqliteStoreOptions = {
    path: `${place}/store.db`,
    ttlSeconds: 3600,
    clock,
    log: (level, event) => events.push(`${level} ${event}`),
    version: "1.2.3",
  };
  const proxy = await openSqliteStore(options);
  const before = clock.now();
  await proxy.write({ now: before, entries: [entryOf("loose", before)] });
  clock.pass(31 * 60_000);
  const now = clock.now();
  const conversation = conversationOf("a");
  await proxy.write({ now, conversation, entries: [entryOf("sent", now)] });
  return {
    clock,
    events,
    options,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await Deno.remove(place, { recursive: true });
    },
  };
}

Deno.test("inspectStore gives originals back beside a proxy, which sees that it did", async () => {
  await using at = await scene();
  await using inspected = await inspectStore(at.options, cutOriginal);
  const found = await inspected.retrieve({ hash: ccrKey("sent") });
  assert.equal(found.success && found.data.original_content, "sent");
  assert.equal(at.proxy.retrievalCount(ccrKey("sent")), 1);
  assert.equal(at.proxy.retrievalEvents(1)[0]?.via, "cli");
  assert.deepEqual(at.proxy.asked(conversationOf("a")), []);
  assert.deepEqual(at.events, []);
});

Deno.test("inspectStore clears what it counted, and the proxy goes on", async () => {
  await using at = await scene();
  const now = at.clock.now();
  {
    await using inspected = await inspectStore(at.options, cutOriginal);
    const idle = { entries: 1, bytes: 5 };
    assert.deepEqual(inspected.clearable("idle"), idle);
    assert.deepEqual(inspected.clearable("all"), { entries: 2, bytes: 9 });
    assert.equal(at.proxy.stats().entries, 2);
    assert.deepEqual(await inspected.clear("idle"), idle);
  }
  assert.ok("original" in at.proxy.entry(ccrKey("sent"), now));
  await at.proxy.write({ now, entries: [entryOf("later", now)] });
  assert.equal(at.proxy.stats().entries, 2);
  assert.deepEqual(at.events, []);
});

Deno.test("inspectStore waits for a lock to clear", async () => {
  await using at = await scene();
  await using inspected = await inspectStore(at.options, cutOriginal);
  // Starts its writer.
  await inspected.retrieve({ hash: ccrKey("sent") });
  const other = new DatabaseSync(at.options.path, { timeout: 5000 });
  other.exec("BEGIN IMMEDIATE");
  let done = false;
  const clearing = inspected.clear("all").finally(() => done = true);
  // A lock that lasts for longer than one write waits.
  for (let i = 0; i < 3; i++) {
    await assert.rejects(at.proxy.write({ now: 0 }), /locked/);
  }
  assert.equal(done, false);
  other.exec("ROLLBACK");
  other.close();
  assert.deepEqual(await clearing, { entries: 2, bytes: 9 });
  assert.equal(at.proxy.stats().entries, 0);
});

Deno.test("inspectStore gives an original back also when it cannot be counted", async () => {
  await using at = await scene();
  const raw = new DatabaseSync(at.options.path, { timeout: 5000 });
  raw.exec("UPDATE meta SET value = '77' WHERE name = 'schema_version'");
  raw.close();
  await using inspected = await inspectStore(at.options, cutOriginal);
  const found = await inspected.retrieve({ hash: ccrKey("sent") });
  assert.equal(found.success, true);
  assert.deepEqual(at.events, [
    "warn ccr_store_read_only",
    "warn ccr_retrieval_uncounted",
  ]);
  await assert.rejects(inspected.clear("all"), /newer .*update this service/);
});
