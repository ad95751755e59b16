import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo, schemaOf } from "../../src/writer/schema.ts";

Deno.test("LEDGER_MIGRATIONS make a database with sums of nothing", () => {
  using db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS);
  assert.equal(schemaOf(db).version, LEDGER_MIGRATIONS.length);
  assert.deepEqual({ ...db.prepare("SELECT * FROM totals").get() }, {
    id: 1,
    requests: 0,
    input: 0,
    output: 0,
    saved: 0,
    added: 0,
    nano_usd: 0,
    saved_gross: 0,
    saved_net: 0,
    unpriced: 0,
    failed: 0,
    cache_read: 0,
    cache_write: 0,
    broken_prefixes: 0,
    counted: 0,
  });
});

Deno.test("LEDGER_MIGRATIONS stay as they are: files were made with them", async () => {
  const digests = await Promise.all(LEDGER_MIGRATIONS.map(async (text) => {
    const bytes = new TextEncoder().encode(text);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return new Uint8Array(digest).toHex().slice(0, 16);
  }));
  assert.deepEqual(digests, [
    "97d0d6fc2154ea60",
    "9f0f6ac44c896d79",
    "38d1c086c105bd7e",
    "fef937996707a240",
    "6d2f9f5731985ef0",
  ]);
});
