import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { clearable, clearStore, shrink } from "../../src/ccr/clear.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import {
  blockOf,
  conversationOf,
  entryOf,
  eventOf,
  formOf,
} from "./samples.ts";

const HOUR_MS = 3_600_000;

function scene() {
  const db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const transactions = new Transactions(db, { ttlMs: 1000, maxBytes: 1e6 });
  transactions.run({
    now: 0,
    conversation: conversationOf("a"),
    definition: "d",
    entries: [entryOf("a", 0)],
    forms: new Map([[blockOf("a"), formOf("a")]]),
    retrievals: [{ anchor: "a\nb", format: "f", data: "1" }],
    asked: [eventOf("a", 0)],
    responseIds: new Map([["a", "b"]]),
  });
  const tables = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  ).all().map(({ name }) => `${name}`);
  const filled = () =>
    tables.filter((name) =>
      db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined
    );
  return { db, tables, filled };
}

Deno.test("clearStore empties every table but those that describe the store", () => {
  const { db, tables, filled } = scene();
  assert.deepEqual(filled(), tables);
  clearStore(db, "all", 0);
  assert.deepEqual(filled(), ["meta", "totals"]);
  db.close();
});

Deno.test("clearStore keeps of idle conversations only what may belong to others", () => {
  const { db, filled } = scene();
  clearStore(db, "idle", HOUR_MS / 2);
  assert.equal(filled().includes("conversations"), true);
  clearStore(db, "idle", HOUR_MS / 2 + 1);
  assert.deepEqual(filled(), ["forms", "meta", "response_ids", "totals"]);
  clearStore(db, "idle", 25 * HOUR_MS);
  assert.deepEqual(filled(), ["meta", "response_ids", "totals"]);
  db.close();
});

Deno.test("clearStore leaves no link of an idle conversation to what another one uses", () => {
  const { db } = scene();
  const transactions = new Transactions(db, { ttlMs: 1000, maxBytes: 1e6 });
  const conversation = conversationOf("b");
  const now = HOUR_MS;
  transactions.run({ now, conversation, uses: [entryOf("a", 0).key] });
  clearStore(db, "idle", now);
  const rows = db.prepare("SELECT conversation FROM uses").all();
  assert.deepEqual(rows.map((row) => row["conversation"]), [conversation]);
  assert.equal(clearable(db, "all", now).entries, 1);
  db.close();
});

Deno.test("shrink says when a reader is in the way, and works once it is gone", async () => {
  const path = await Deno.makeTempFile();
  const db = new DatabaseSync(path, { timeout: 1 });
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
  db.exec("INSERT INTO t VALUES (zeroblob(1000000))");
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN; SELECT * FROM t");
  db.exec("DELETE FROM t");
  assert.throws(() => shrink(db), /locked/);
  reader.exec("COMMIT");
  shrink(db);
  assert.ok((await Deno.stat(path)).size < 20_000);
  assert.equal((await Deno.stat(`${path}-wal`)).size, 0);
  reader.close();
  db.close();
  await Deno.remove(path);
});

Deno.test("clearable counts what clearStore removes", () => {
  for (const what of ["idle", "all"] as const) {
    const { db } = scene();
    for (const now of [HOUR_MS / 2, HOUR_MS]) {
      const held = () => clearable(db, "all", now).entries;
      const before = held();
      const { entries } = clearable(db, what, now);
      clearStore(db, what, now);
      assert.equal(before - held(), entries);
    }
    assert.deepEqual(clearable(db, "all", 0), { entries: 0, bytes: 0 });
    db.close();
  }
});

Deno.test("clearStore spares a new original that belongs to nobody: it may be in use elsewhere", () => {
  const { db } = scene();
  clearStore(db, "all", 0);
  const transactions = new Transactions(db, { ttlMs: 1000, maxBytes: 1e6 });
  transactions.run({ now: HOUR_MS, entries: [entryOf("new", HOUR_MS)] });
  clearStore(db, "idle", HOUR_MS + 1);
  assert.equal(clearable(db, "all", HOUR_MS).entries, 1);
  clearStore(db, "idle", 2 * HOUR_MS);
  assert.equal(clearable(db, "all", HOUR_MS).entries, 0);
  db.close();
});

Deno.test("clearStore spares the form of an original that has expired: its conversation may be active", () => {
  const { db } = scene();
  const transactions = new Transactions(db, { ttlMs: 1000, maxBytes: 1e6 });
  const conversation = conversationOf("b");
  const entry = entryOf("expired", 0);
  const forms = new Map([
    [blockOf("b"), formOf("b", { entry: entry.key })],
  ]);
  transactions.run({ now: 0, conversation, entries: [entry], forms });
  transactions.run({ now: 1001, conversation });
  transactions.expire(entry.key, 2002);
  const held = () =>
    db.prepare("SELECT 1 FROM forms WHERE entry IS NOT NULL").all().length;
  clearStore(db, "idle", 2002);
  assert.equal(held(), 1);
  clearStore(db, "idle", 24.5 * HOUR_MS);
  assert.equal(held(), 1);
  clearStore(db, "idle", 24.5 * HOUR_MS + 1);
  assert.equal(held(), 0);
  db.close();
});

const DIRECTORY = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => {
  Deno.removeSync(DIRECTORY, { recursive: true });
});

const PERMISSIONS: Readonly<Record<string, Deno.PermissionOptions>> = {
  "all permissions": "inherit",
  "some permissions": { read: [DIRECTORY], write: [DIRECTORY] },
};

for (const [name, permissions] of Object.entries(PERMISSIONS)) {
  Deno.test({
    name: `clearStore and shrink leave no text in the file, with ${name}`,
    permissions,
    fn() {
      const path = `${DIRECTORY}/${name}.db`;
      const db = new DatabaseSync(path);
      db.exec("PRAGMA journal_mode = WAL");
      migrate(db, "1.0.0");
      const transactions = new Transactions(db, { ttlMs: 1000, maxBytes: 1e6 });
      const text = "what nobody else should read, ".repeat(1000);
      transactions.run({ now: 0, entries: [entryOf(text, 0)] });
      clearStore(db, "all", 0);
      shrink(db);
      const bytes = Deno.readTextFileSync(path);
      assert(!bytes.includes("nobody else"), "the text is in the file");
      assert.equal(Deno.statSync(`${path}-wal`).size, 0);
      db.close();
    },
  });
}
