import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { ccrKey } from "../../src/ccr/key.ts";
import { MIGRATIONS } from "../../src/ccr/schema.ts";
import {
  openSqliteStore,
  type SqliteStoreOptions,
} from "../../src/ccr/sqlite_store.ts";
import { testCcrStore } from "../conformance/ccr_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { blockOf, conversationOf, entryOf, formOf } from "./samples.ts";

testCcrStore("openSqliteStore", {
  shared: true,
  open: ({ place, ...options }) =>
    openSqliteStore({
      ...options,
      path: `${place}/ccr_store.db`,
      version: "1.2.3",
    }),
});

/** A directory of its own, options for a store in it, and the events it logged. */
async function scene() {
  const place = await Deno.makeTempDir();
  const events: string[] = [];
  const clock = new FakeClock();
  const options: SqliteStoreOptions = {
    path: `${place}/ccr_store.db`,
    ttlSeconds: 60,
    clock,
    log: (level, event) => events.push(`${level} ${event}`),
    version: "1.2.3",
  };
  return {
    place,
    events,
    clock,
    options,
    [Symbol.asyncDispose]: () => Deno.remove(place, { recursive: true }),
  };
}

async function modeOf(path: string): Promise<string> {
  const { mode } = await Deno.stat(path);
  return ((mode ?? 0) & 0o777).toString(8);
}

Deno.test("openSqliteStore makes files and directories that only the owner may read", async () => {
  await using at = await scene();
  const path = `${at.place}/deep/er/ccr_store.db`;
  await using store = await openSqliteStore({ ...at.options, path });
  await store.write({ now: 0, entries: [entryOf("a", 0)] });
  for (const suffix of ["", "-wal", "-shm"]) {
    assert.equal(await modeOf(path + suffix), "600");
  }
  assert.equal(await modeOf(`${at.place}/deep/er`), "700");
  assert.equal(await modeOf(`${at.place}/deep`), "700");
});

Deno.test("openSqliteStore closes a database that others could read", async () => {
  await using at = await scene();
  const { path } = at.options;
  await (await openSqliteStore(at.options))[Symbol.asyncDispose]();
  await Deno.chmod(path, 0o644);
  await using store = await openSqliteStore(at.options);
  await store.write({ now: 0, entries: [entryOf("a", 0)] });
  for (const suffix of ["", "-wal", "-shm"]) {
    assert.equal(await modeOf(path + suffix), "600");
  }
});

Deno.test("openSqliteStore writes survive kill -9", async () => {
  await using at = await scene();
  const { path } = at.options;
  const program = new URL("./kill_me.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-prompt", program, path],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  assert.equal(new TextDecoder().decode(value), "written\n");
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();

  await using store = await openSqliteStore(at.options);
  const now = at.clock.now();
  assert.deepEqual(store.entry(ccrKey("original"), now), {
    ...entryOf("original", Date.UTC(2026, 0, 1)),
  });
  assert.equal(store.forms([blockOf("a")]).size, 1);
  assert.notEqual(store.conversation(conversationOf("a")), undefined);
});

Deno.test("openSqliteStore records the schema and the version that wrote it", async () => {
  await using at = await scene();
  await (await openSqliteStore(at.options))[Symbol.asyncDispose]();
  const next = { ...at.options, version: "9.9.9" };
  await (await openSqliteStore(next))[Symbol.asyncDispose]();
  using db = new DatabaseSync(at.options.path, { timeout: 5000 });
  const rows = db.prepare("SELECT name, value FROM meta").all();
  assert.deepEqual(
    Object.fromEntries(rows.map(({ name, value }) => [name, value])),
    { schema_version: `${MIGRATIONS.length}`, service_version: "1.2.3" },
  );
});

Deno.test("openSqliteStore opens a newer schema read-only with one warning", async () => {
  await using at = await scene();
  const { options, events, clock } = at;
  const now = clock.now();
  const first = await openSqliteStore(options);
  await first.write({
    now,
    entries: [entryOf("kept", now), entryOf("old", now - 61_000)],
  });
  await first[Symbol.asyncDispose]();
  const raw = new DatabaseSync(options.path, { timeout: 5000 });
  raw.exec("UPDATE meta SET value = '77' WHERE name = 'schema_version'");
  raw.close();

  await using store = await openSqliteStore(options);
  assert.deepEqual(events, ["warn ccr_store_read_only"]);
  assert.ok("original" in store.entry(ccrKey("kept"), now));
  assert.equal(store.full(), true);
  await assert.rejects(
    store.write({ now, entries: [entryOf("new", now)] }),
    /schema 77, written by version 1\.2\.3, is newer/,
  );
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(store.entry(ccrKey("old"), now), {
      status: "expired",
      ageMs: 61_000,
    });
  }
  assert.equal(store.stats().entries, 2);
  assert.equal(events.length, 1);
});

Deno.test("openSqliteStore refuses what is no database of its own and leaves it as it is", async () => {
  await using at = await scene();
  const { options } = at;
  const text = "notes, not a database\n".repeat(100);
  await Deno.writeTextFile(options.path, text, { mode: 0o644 });
  await assert.rejects(openSqliteStore(options), /not a database/);
  assert.equal(await Deno.readTextFile(options.path), text);
  assert.equal(await modeOf(options.path), "644");

  const path = `${at.place}/other.db`;
  const other = new DatabaseSync(path, { timeout: 5000 });
  other.exec("CREATE TABLE ccr_entries (hash TEXT)");
  other.close();
  const bytes = await Deno.readFile(path);
  const opening = openSqliteStore({ ...options, path });
  await assert.rejects(opening, /another program/);
  assert.deepEqual(await Deno.readFile(path), bytes);
});

Deno.test("openSqliteStore refuses a write while another process holds the lock, and takes the next one", async () => {
  await using at = await scene();
  const now = at.clock.now();
  await using store = await openSqliteStore(at.options);
  const write = (text: string) =>
    store.write({ now, entries: [entryOf(text, now)] });
  await write("first");
  using other = new DatabaseSync(at.options.path, { timeout: 10_000 });
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(write("second"), /CCR store: .*locked/);
  assert.ok("original" in store.entry(ccrKey("first"), now));
  assert.ok("status" in store.entry(ccrKey("second"), now));
  other.exec("ROLLBACK");
  await write("second");
  assert.ok("original" in store.entry(ccrKey("second"), now));
});

Deno.test("openSqliteStore writes what no request waits for before it closes, and says to each what became of it", async () => {
  await using at = await scene();
  const now = at.clock.now();
  const store = await openSqliteStore(at.options);
  const soon = (text: string) =>
    store.write({ now, entries: [entryOf(text, now)] }, "soon");
  // Who wrote reads what is there now, and writes again.
  const twice = soon("a").then(() => {
    assert.equal(store.responseId("a"), undefined);
    return soon("c");
  });
  const written = [twice, soon("b")];
  assert.equal(store.stats().entries, 0);
  await store[Symbol.asyncDispose]();
  await Promise.all(written);
  await using again = await openSqliteStore(at.options);
  assert.equal(again.stats().entries, 3);

  using other = new DatabaseSync(at.options.path, { timeout: 5000 });
  other.exec("BEGIN IMMEDIATE");
  const id = (seen: string) => new Map([[seen, "last"]]);
  const late = [
    again.write({ now, responseIds: id("soon") }, "soon"),
    again.write({ now, responseIds: id("surely") }, "surely"),
  ];
  assert.equal(again.responseId("surely"), undefined);
  other.exec("ROLLBACK");
  await Promise.all(late);
  assert.equal(again.responseId("soon"), "last");
  assert.equal(again.responseId("surely"), "last");
});

Deno.test("openSqliteStore gives up on a database that stays locked", async () => {
  await using at = await scene();
  using other = new DatabaseSync(at.options.path, { timeout: 5000 });
  other.exec("CREATE TABLE t (a); BEGIN EXCLUSIVE");
  await assert.rejects(openSqliteStore(at.options), /locked/);
  other.exec("ROLLBACK");
});

Deno.test("openSqliteStore has no more to do for a look-up among many rows", async () => {
  await using at = await scene();
  await using store = await openSqliteStore(at.options);
  await store.write({
    now: 0,
    conversation: conversationOf("a"),
    entries: [entryOf("a", 0)],
    forms: new Map([[blockOf("a"), formOf("a")]]),
  });
  using db = new DatabaseSync(at.options.path, { timeout: 5000 });
  const reads = await import("../../src/ccr/reads.ts");
  const plans = [
    `SELECT ${reads.LAST_USE} FROM entries WHERE key = 'a'`,
    "SELECT * FROM forms WHERE key IN (SELECT value FROM json_each('[]'))",
    "SELECT key FROM entries WHERE linked = 0 AND stored_at < 5 ORDER BY stored_at LIMIT 1",
    "SELECT key FROM entries WHERE life_ms = 5 AND stored_at < 5",
    "UPDATE entries SET life_ms = 5 WHERE key = 'a' AND life_ms < 5",
    "SELECT key FROM conversations WHERE holds = 1 AND active_at < 5 ORDER BY active_at LIMIT 1",
    "SELECT key FROM forms WHERE used_at < 5",
  ].flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  const scans = plans.map(({ detail }) => `${detail}`)
    .filter((detail) => /^SCAN (?!json_each)|TEMP B-TREE/.test(detail));
  assert.deepEqual(scans, []);
});

Deno.test("openSqliteStore leaves no cleared text in its files, beside another process", async () => {
  await using at = await scene();
  const { path } = at.options;
  const now = at.clock.now();
  await using other = await openSqliteStore(at.options);
  await using store = await openSqliteStore(at.options);
  const secret = "a secret of this machine ".repeat(4000);
  const conversation = conversationOf("a");
  await store.write({ now, entries: [entryOf(secret, now - 31 * 60_000)] });
  await other.write({ now, conversation, entries: [entryOf("kept", now)] });
  const holds = async (file: string) =>
    new TextDecoder("latin1").decode(await Deno.readFile(file))
      .includes("a secret of this machine");
  assert.equal(await holds(`${path}-wal`), true);
  assert.equal(other.stats().entries, 2);

  await store.write({ now, clear: "idle" });
  // Its answer comes after the housekeeping of the one before.
  await store.write({ now });
  assert.equal(await holds(path), false);
  assert.equal(await holds(`${path}-wal`), false);
  assert.ok((await Deno.stat(path)).size < 200_000);
  assert.deepEqual(at.events, []);
  assert.ok("original" in other.entry(ccrKey("kept"), now));
  await other.write({ now, entries: [entryOf("later", now)] });
  assert.equal(store.stats().entries, 2);
});

Deno.test("openSqliteStore spares what another process keeps for longer than itself", async () => {
  await using at = await scene();
  const { clock, options } = at;
  const DAY_SECONDS = 86_400;
  await using patient = await openSqliteStore({
    ...options,
    ttlSeconds: DAY_SECONDS,
  });
  const entry = entryOf("a", clock.now());
  await patient.write({ now: clock.now(), entries: [entry] });
  clock.pass(DAY_SECONDS * 1000);
  await using brief = await openSqliteStore(options);
  const now = clock.now();
  assert.deepEqual(brief.entry(entry.key, now), entry);
  assert.equal(brief.entries(1)[0]?.key, entry.key);
  // Each write is followed by a sweep, which ends before the next one.
  for (let i = 0; i < 2; i++) await brief.write({ now });
  assert.deepEqual(patient.entry(entry.key, now), entry);
  assert.equal(brief.stats().entries, 1);
  assert.ok("status" in brief.entry(entry.key, now + 1));
});
