import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { PROTECTED_MS, Reads } from "../../src/ccr/reads.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { conversationOf, entryOf } from "./samples.ts";

Deno.test("Reads refuses a database without the tables", () => {
  using db = new DatabaseSync(":memory:");
  assert.throws(() => new Reads(db), /no such table/);
});

Deno.test("Reads.evictable looks at who uses what", () => {
  using db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const reads = new Reads(db);
  const transactions = new Transactions(db, { ttlMs: 1, maxBytes: 1e6 });
  const [a, b] = ["a", "b"].map(conversationOf);
  const shared = entryOf("shared", 0);
  const later = PROTECTED_MS + 1;

  transactions.run({ now: 0, conversation: a!, entries: [shared] });
  assert.equal(reads.evictable(later - 1), false);
  assert.equal(reads.evictable(later), true);

  transactions.run({ now: later, conversation: b!, uses: [shared.key] });
  assert.equal(reads.evictable(later), false);

  transactions.run({ now: later, entries: [entryOf("by hand", later)] });
  assert.equal(reads.evictable(later + PROTECTED_MS), false, "it is new");
  transactions.run({ now: later + 1, conversation: b! });
  assert.equal(reads.evictable(later + PROTECTED_MS + 1), true);
});
