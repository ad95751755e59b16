import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Reads } from "../../src/ccr/reads.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { conversationOf, entryOf } from "./samples.ts";

const MINUTE_MS = 60_000;
const NOTHING = {
  entries: 0,
  bytes: 0,
  originalTokens: 0,
  formTokens: 0,
  retrievals: 0,
};

function scene(maxBytes: number) {
  const db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const transactions = new Transactions(db, { ttlMs: 1000, maxBytes });
  return { db, transactions, reads: new Reads(db) };
}

Deno.test("Transactions.expire spares an original that was renewed meanwhile", () => {
  const { db, transactions, reads } = scene(1e6);
  const entry = entryOf("a", 0);
  transactions.run({ now: 0, entries: [entry] });
  transactions.run({ now: 900, conversation: conversationOf("a") });
  transactions.run({
    now: 900,
    conversation: conversationOf("a"),
    uses: [entry.key],
  });
  transactions.expire(entry.key, 1500);
  assert.equal(reads.totals().entries, 1);
  transactions.expire(entry.key, 1901);
  assert.deepEqual(reads.totals(), NOTHING);
  assert.equal(db.prepare("SELECT * FROM uses").all().length, 0);
  db.close();
});

Deno.test("Transactions.expire spares an original with a longer life", () => {
  const { db, transactions, reads } = scene(1e6);
  const entry = entryOf("a", 0);
  transactions.run({ now: 0, keepsState: true, entries: [entry] });
  transactions.expire(entry.key, 30 * 86_400_000);
  assert.equal(reads.totals().entries, 1);
  transactions.expire(entry.key, 30 * 86_400_000 + 1);
  assert.equal(reads.totals().entries, 0);
  db.close();
});

Deno.test("Transactions keeps an original of its own batch that had to be evicted first", () => {
  const { db, transactions, reads } = scene(2);
  transactions.run({ now: 0, entries: [entryOf("a", 0), entryOf("b", 1)] });
  const now = 31 * MINUTE_MS;
  const entries = [entryOf("a", now), entryOf("c", now)];
  transactions.run({ now, entries });
  for (const { key } of entries) {
    assert.ok("original" in reads.entry(key, now));
  }
  db.close();
});

Deno.test("Transactions takes a batch that is larger than the room left, once", () => {
  const { db, transactions, reads } = scene(10);
  const conversation = conversationOf("a");
  const write = (text: string) =>
    transactions.run({ now: 0, conversation, entries: [entryOf(text, 0)] });
  write("123456789");
  write("abcdefghi");
  assert.equal(reads.totals().bytes, 18);
  assert.throws(() => write("x"), /holds 18 of 10 bytes/);
  db.close();
});

Deno.test("Transactions goes on evicting until there is room", () => {
  const { db, transactions, reads } = scene(30);
  for (let i = 0; i < 10; i++) {
    transactions.run({
      now: i,
      conversation: conversationOf(`${i}`),
      entries: [entryOf(`${i}..`, i)],
    });
  }
  const now = 31 * MINUTE_MS;
  const entries = [entryOf("x".repeat(15), now)];
  transactions.run({ now, conversation: conversationOf("x"), entries });
  const { entries: held, bytes } = reads.totals();
  assert.deepEqual({ held, bytes }, { held: 6, bytes: 30 });
  assert.ok("status" in reads.entry(entryOf("4..", 4).key, 4));
  assert.ok("original" in reads.entry(entryOf("5..", 5).key, 5));
  db.close();
});

Deno.test("Transactions never puts a conversation's activity back", () => {
  const { db, transactions, reads } = scene(1e6);
  const conversation = conversationOf("a");
  transactions.run({ now: 10, conversation });
  transactions.run({ now: 5, conversation });
  assert.equal(reads.conversation(conversation)?.activeAt, 10);
  db.close();
});

Deno.test("Transactions gives originals the longest life of those that store or send them", () => {
  const { db, transactions, reads } = scene(1e6);
  const bounds = { ttlMs: 5000, maxBytes: 1e6 };
  const patient = new Transactions(db, bounds);
  const conversation = conversationOf("a");
  const [stored, sent, own] = ["stored", "sent", "own"].map((text) =>
    entryOf(text, 0)
  );
  const entries = [stored!, sent!, own!];
  transactions.run({ now: 0, entries });
  patient.run({ now: 0, entries: [stored!] });
  patient.run({ now: 0, conversation, uses: [sent!.key] });
  transactions.run({ now: 0, entries });
  const living = (now: number) =>
    entries.filter(({ key }) => "original" in reads.entry(key, now))
      .map(({ original }) => original);
  assert.deepEqual(living(1000), ["stored", "sent", "own"]);
  assert.deepEqual(living(1001), ["stored", "sent"]);
  for (const { key } of entries) transactions.expire(key, 5000);
  assert.deepEqual(living(5000), ["stored", "sent"]);
  for (const { key } of entries) transactions.expire(key, 5001);
  assert.equal(reads.totals().entries, 0);
  db.close();
});
