import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { ConversationKey } from "../../src/core/store.ts";
import { historyOf } from "../../src/ccr/history.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { Reads } from "../../src/ccr/reads.ts";
import { migrate, SCHEMA_VERSION } from "../../src/ccr/schema.ts";
import { schemaOf } from "../../src/writer/schema.ts";
import { entryOf } from "./samples.ts";
import { ROWS_1, SCHEMA_1 } from "./schema_1.ts";

Deno.test("migrate makes the tables of this version in an empty database", () => {
  using db = new DatabaseSync(":memory:");
  assert.deepEqual(schemaOf(db), { version: 0, writtenBy: "" });
  migrate(db, "1.0.0");
  assert.deepEqual(schemaOf(db), {
    version: SCHEMA_VERSION,
    writtenBy: "1.0.0",
  });
});

Deno.test("migrate keeps what version 1 left, and what it goes on writing", () => {
  using db = new DatabaseSync(":memory:");
  db.exec(SCHEMA_1 + ROWS_1);
  migrate(db, "2.0.0");
  assert.deepEqual(schemaOf(db), {
    version: SCHEMA_VERSION,
    writtenBy: "2.0.0",
  });

  const reads = new Reads(db);
  const key = ccrKey("abc");
  assert.deepEqual(reads.entry(key, 6000, 1000), {
    ...entryOf("abc", 5000),
    formTokens: 0,
  });
  // No life is noted.
  const end = 5000 + 30 * 60_000;
  assert.ok("original" in reads.entry(key, end, 1000));
  assert.deepEqual(reads.entry(key, end + 1, 1000), {
    status: "expired",
    ageMs: 30 * 60_000 + 1,
  });
  assert.ok("original" in reads.entry(key, end + 1, 86_400_000));
  assert.deepEqual({ ...reads.totals() }, {
    entries: 1,
    bytes: 3,
    originalTokens: 120,
    formTokens: 0,
    retrievals: 0,
  });
  const history = historyOf(db);
  const found = (name: string) =>
    history.anchored([name]).map(({ data }) => data);
  assert.deepEqual(found("call_1"), ["[1]"]);
  assert.deepEqual(found("a\0b"), ["[1]"]);
  assert.deepEqual(found("call_2"), ["[2]"]);
  assert.deepEqual(found(""), []);
  const a = "a" as ConversationKey;
  assert.deepEqual(history.retrievals(a).map(({ data }) => data), [
    "[1]",
    "[2]",
  ]);
  assert.deepEqual(reads.conversation(a), {
    definition: "{}",
    activeAt: 5000,
    revision: 0,
  });

  // A service of version 1 that has the file open knows its own columns only.
  db.exec(`INSERT INTO entries (key, strategy, tool_name, original_tokens,
      original_items, kept_items, stored_at, bytes, linked, original)
    VALUES ('d', 'log', x'', 5, 1, 1, 5000, 1, 0, x'64')
    ON CONFLICT DO UPDATE SET stored_at = max(stored_at, excluded.stored_at)`);
  assert.equal(reads.totals().originalTokens, 125);
  db.exec(`INSERT INTO retrievals (conversation, anchor, format, data)
    VALUES ('a', x'63', 'messages', x'5b335d')`);
  assert.equal(history.retrievals(a).length, 3);
  assert.equal(reads.conversation(a)?.revision, 1);
  db.exec("DELETE FROM retrievals WHERE conversation = 'a'");
  assert.equal(history.retrievals(a).length, 0);
  db.exec("DELETE FROM entries");
  assert.equal(reads.totals().originalTokens, 0);
});
