import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { ccrKey } from "../../src/ccr/key.ts";
import { historyOf } from "../../src/ccr/history.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { conversationOf, entryOf, eventOf } from "./samples.ts";

const A = conversationOf("a");

function scene() {
  const db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const transactions = new Transactions(db, { ttlMs: 1, maxBytes: 1e6 });
  return { db, transactions, history: historyOf(db) };
}

Deno.test("historyOf refuses a database without the tables", () => {
  using db = new DatabaseSync(":memory:");
  assert.throws(() => historyOf(db), /no such table/);
});

Deno.test("historyOf finds names that are no well-formed text as they were stored", () => {
  const { db, transactions, history } = scene();
  const retrievals = [{ anchor: "\ud800\n\n", format: "f", data: "1" }];
  transactions.run({ now: 0, conversation: A, retrievals });
  assert.equal(history.anchored(["\ud800"]).length, 1);
  assert.equal(history.anchored([""]).length, 0);
  assert.equal(history.retrievals(A).length, 1);
  db.close();
});

Deno.test("historyOf asks indexes, however much is stored", () => {
  const { db, transactions, history } = scene();
  const entries = [entryOf("a", 0)];
  const asked = [eventOf("a", 0)];
  transactions.run({ now: 0, conversation: A, entries, asked });
  assert.equal(history.retrievalCount(ccrKey("a")), 1);
  const plans = [
    "SELECT retrieval FROM retrieval_anchors WHERE name IN (SELECT unhex(value) FROM json_each('[]'))",
    "SELECT * FROM retrieval_events WHERE conversation = 'a'",
    "SELECT * FROM retrieval_events WHERE conversation IS NULL AND key = 'a'",
    "SELECT * FROM retrieval_events WHERE key = 'a' ORDER BY id DESC LIMIT 1",
    "DELETE FROM retrieval_anchors WHERE retrieval = 1",
    "SELECT * FROM retrieval_links WHERE conversation = 'a' ORDER BY id",
    "SELECT 1 FROM retrieval_links WHERE retrieval = 1",
    "SELECT id FROM retrievals WHERE digest = 'a'",
  ].flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  const scans = plans.map(({ detail }) => `${detail}`)
    .filter((detail) => /^SCAN (?!json_each)|TEMP B-TREE/.test(detail));
  assert.deepEqual(scans, []);
  db.close();
});

Deno.test("historyOf holds a retrieval once, as long as one conversation has it", () => {
  const { db, transactions, history } = scene();
  const B = conversationOf("b");
  const retrievals = [
    { anchor: "a", format: "f", data: "1" },
    { anchor: "a", format: "f", data: "2" },
  ];
  const rows = (table: string) =>
    db.prepare(`SELECT 1 FROM ${table}`).all().length;
  for (const conversation of [A, B, A, B]) {
    transactions.run({ now: 0, conversation, retrievals });
  }
  assert.equal(rows("retrievals"), 2);
  for (const conversation of [A, B]) {
    assert.deepEqual(history.retrievals(conversation), retrievals);
  }
  assert.deepEqual(history.anchored(["a"]), retrievals);
  const forget = db.prepare(
    "DELETE FROM retrieval_links WHERE conversation = ?",
  );
  forget.run(A);
  assert.deepEqual(history.retrievals(A), []);
  assert.deepEqual(history.retrievals(B), retrievals);
  assert.equal(history.hasAnchors(), true);
  forget.run(B);
  const tables = ["retrievals", "retrieval_links", "retrieval_anchors"];
  assert.deepEqual(tables.map(rows), [0, 0, 0]);
  assert.equal(history.hasAnchors(), false);
  db.close();
});
