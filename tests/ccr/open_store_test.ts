import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  openMemoryStore,
  openStore,
  type StoreOptions,
} from "../../src/ccr/open_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { entryOf } from "./samples.ts";
import { testCcrStore } from "../conformance/ccr_store.ts";

/** Options of a store in a directory of its own, and what it logs. */
async function scene() {
  const place = await Deno.makeTempDir();
  const records: unknown[] = [];
  const options: StoreOptions & { readonly path: string } = {
    backend: "sqlite",
    path: `${place}/ccr_store.db`,
    ttlSeconds: 60,
    clock: new FakeClock(),
    log: (...record) => records.push(record),
    version: "1.0.0",
  };
  const remove = () => Deno.remove(place, { recursive: true });
  return { place, options, records, [Symbol.asyncDispose]: remove };
}

Deno.test("openStore opens what was asked for, without a word", async () => {
  await using at = await scene();
  await using file = await openStore(at.options);
  await using memory = await openStore({ ...at.options, backend: "memory" });
  assert.equal(file.stats().backend, "sqlite");
  assert.equal(memory.stats().backend, "memory");
  assert.deepEqual(at.records, []);
});

Deno.test("openStore leaves no file for a store in memory", async () => {
  await using at = await scene();
  await using _memory = await openStore({ ...at.options, backend: "memory" });
  await using none = await openStore({ ...at.options, path: undefined });
  assert.equal(none.stats().backend, "memory");
  await assert.rejects(Deno.stat(at.options.path), Deno.errors.NotFound);
});

Deno.test("openStore takes memory with one warning where no file can be made", async () => {
  await using at = await scene();
  await Deno.writeTextFile(`${at.place}/file`, "");
  const path = `${at.place}/file/ccr_store.db`;
  await using store = await openStore({ ...at.options, path });
  assert.equal(store.stats().backend, "memory");
  assert.equal(at.records.length, 1);
  const [level, event, fields] = at.records[0] as [string, string, {
    path: string;
    reason: string;
  }];
  assert.deepEqual([level, event, fields.path], [
    "warn",
    "ccr_store_unavailable",
    path,
  ]);
  assert.notEqual(fields.reason, "");
  await store.write({ now: 0, entries: [entryOf("a", 0)] });
  assert.ok("original" in store.entry(ccrKey("a"), 0));
});

Deno.test("openStore takes memory with one warning for a file that is no database, and leaves it", async () => {
  await using at = await scene();
  const { path } = at.options;
  const text = "not a database at all\n".repeat(300);
  await Deno.writeTextFile(path, text);
  await using store = await openStore(at.options);
  assert.equal(store.stats().backend, "memory");
  assert.equal(at.records.length, 1);
  assert.equal(await Deno.readTextFile(path), text);
  const names = await Array.fromAsync(Deno.readDir(at.place));
  assert.deepEqual(names.map(({ name }) => name), ["ccr_store.db"]);
});

testCcrStore("openMemoryStore", {
  shared: false,
  open: (options) => Promise.resolve(openMemoryStore(options)),
});

Deno.test("openMemoryStore says what it is and starts empty each time", async () => {
  const options = { ttlSeconds: 1, clock: new FakeClock(), log: () => {} };
  await using store = openMemoryStore(options);
  await store.write({ now: 0, responseIds: new Map([["a", "b"]]) });
  await using other = openMemoryStore(options);
  assert.equal(other.responseId("a"), undefined);
  assert.equal(store.responseId("a"), "b");
  assert.equal(store.stats().backend, "memory");
});
