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
  });
});

Deno.test("the first of LEDGER_MIGRATIONS stays as it is: files were made with it", async () => {
  const bytes = new TextEncoder().encode(LEDGER_MIGRATIONS[0]);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  assert.equal(
    new Uint8Array(digest).toHex().slice(0, 16),
    "97d0d6fc2154ea60",
  );
});
