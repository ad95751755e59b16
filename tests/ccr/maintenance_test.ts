import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { makeMaintenance } from "../../src/ccr/maintenance.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { blockOf, conversationOf, entryOf, formOf } from "./samples.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function scene(ttlMs: number) {
  const db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const transactions = new Transactions(db, { ttlMs, maxBytes: 1e9 });
  const maintain = makeMaintenance(db);
  const count = (table: string) =>
    Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  return { db, transactions, maintain, count };
}

Deno.test("makeMaintenance removes an expired original an hour after its end", () => {
  const { db, transactions, maintain, count } = scene(1000);
  transactions.run({ now: 0, entries: [entryOf("a", 0)] });
  maintain(1000 + HOUR_MS);
  assert.equal(count("entries"), 1);
  maintain(1001 + HOUR_MS);
  assert.equal(count("entries"), 1, "not again within a minute");
  maintain(61_001 + HOUR_MS);
  assert.equal(count("entries"), 0);
  db.close();
});

Deno.test("makeMaintenance does a bounded part at a time and goes on at the next call", () => {
  const { db, transactions, maintain, count } = scene(1000);
  const entries = Array.from({ length: 150 }, (_, i) => entryOf(`${i}`, 0));
  transactions.run({ now: 0, entries });
  const left = [1, 2, 3].map(() => {
    maintain(DAY_MS);
    return count("entries");
  });
  assert.deepEqual(left, [150 - 64, 150 - 128, 0]);
  db.close();
});

Deno.test("makeMaintenance removes forms, ids and conversations 30 days after their last use", () => {
  const { db, transactions, maintain, count } = scene(1000);
  const tables = ["forms", "response_ids", "conversations", "retrievals"];
  transactions.run({
    now: 0,
    conversation: conversationOf("a"),
    forms: new Map([[blockOf("a"), formOf("a")]]),
    retrievals: [{ anchor: "a", format: "f", data: "1" }],
    responseIds: new Map([["a", "b"]]),
  });
  maintain(30 * DAY_MS);
  assert.deepEqual(tables.map(count), [1, 1, 1, 1]);
  maintain(31 * DAY_MS);
  assert.deepEqual(tables.map(count), [0, 0, 0, 0]);
  db.close();
});

Deno.test("makeMaintenance keeps a conversation as long as its originals live", () => {
  const { db, transactions, maintain, count } = scene(60 * DAY_MS);
  transactions.run({
    now: 0,
    conversation: conversationOf("a"),
    entries: [entryOf("a", 0)],
  });
  maintain(60 * DAY_MS);
  assert.deepEqual(["conversations", "uses", "entries"].map(count), [1, 1, 1]);
  maintain(61 * DAY_MS);
  assert.deepEqual(["conversations", "uses", "entries"].map(count), [0, 0, 0]);
  db.close();
});

Deno.test("makeMaintenance removes an original with a longer life an hour after that", () => {
  const { db, transactions, maintain, count } = scene(1000);
  const entries = [entryOf("a", 0)];
  transactions.run({ now: 0, keepsState: true, entries });
  maintain(30 * DAY_MS + HOUR_MS);
  assert.equal(count("entries"), 1);
  maintain(30 * DAY_MS + 2 * HOUR_MS);
  assert.equal(count("entries"), 0);
  db.close();
});

Deno.test("makeMaintenance spares what another process keeps for longer, and its conversation", () => {
  const { db, transactions, maintain, count } = scene(60 * DAY_MS);
  const conversation = conversationOf("a");
  transactions.run({ now: 0, conversation, entries: [entryOf("a", 0)] });
  const brief = new Transactions(db, { ttlMs: 1000, maxBytes: 1e9 });
  brief.run({ now: 0, entries: [entryOf("b", 0)] });
  transactions.run({ now: 20 * DAY_MS, conversation });
  const held = () => ["conversations", "uses", "entries"].map(count);
  // The patient one takes the other's away.
  maintain(20 * DAY_MS);
  assert.deepEqual(held(), [1, 1, 1]);
  maintain(80 * DAY_MS);
  assert.deepEqual(held(), [1, 1, 1]);
  maintain(81 * DAY_MS);
  assert.deepEqual(held(), [0, 0, 0]);
  db.close();
});
