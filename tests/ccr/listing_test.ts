import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import type { CcrEntry } from "../../src/core/store.ts";
import { Listing } from "../../src/ccr/listing.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { conversationOf, entryOf } from "./samples.ts";

const TTL_MS = 1000;
/** Of another process on the same data. */
const LONG_TTL_MS = 2000;

function scene() {
  const db = new DatabaseSync(":memory:");
  migrate(db, "1.0.0");
  const transactions = new Transactions(db, { ttlMs: TTL_MS, maxBytes: 1e6 });
  const bounds = { ttlMs: LONG_TTL_MS, maxBytes: 1e6 };
  const patient = new Transactions(db, bounds);
  return { db, transactions, patient, listing: new Listing(db) };
}

Deno.test("Listing.entries agrees with looking at every original", () => {
  const steps = fc.array(
    fc.record({
      after: fc.nat(600),
      conversation: fc.option(fc.nat(3), { nil: undefined }),
      texts: fc.array(fc.nat(9), { maxLength: 4 }),
      keepsState: fc.boolean(),
      isPatient: fc.boolean(),
    }),
    { maxLength: 15 },
  );
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 8 }), (all, limit) => {
    const { db, transactions, patient, listing } = scene();
    const model = new Map<string, { stored: number; life: number }>();
    const uses = new Map<string, Set<string>>();
    const active = new Map<string, number>();
    let now = 0;
    for (const step of all) {
      const { after, conversation, texts, keepsState, isPatient } = step;
      now += after;
      const entries: CcrEntry[] = texts.map((text) => entryOf(`${text}`, now));
      const by = conversation === undefined
        ? undefined
        : conversationOf(`${conversation}`);
      (isPatient ? patient : transactions).run({
        now,
        entries,
        keepsState,
        ...by && { conversation: by },
      });
      if (by) active.set(by, now);
      for (const { key } of entries) {
        const ttlMs = isPatient ? LONG_TTL_MS : TTL_MS;
        const life = keepsState ? 30 * 86_400_000 : ttlMs;
        const before = model.get(key)?.life ?? 0;
        model.set(key, { stored: now, life: Math.max(life, before) });
        if (!by) continue;
        if (!uses.has(key)) uses.set(key, new Set());
        uses.get(key)!.add(by);
      }
    }
    const expected = [...model].map(([key, { stored, life }]) => {
      const sent = [...uses.get(key) ?? []].map((by) => active.get(by)!);
      return { key, stored, life, last: Math.max(stored, ...sent) };
    }).filter(({ life, last }) => now - last <= life)
      .sort((a, b) => b.last - a.last || b.stored - a.stored);
    const listed = listing.entries(limit, now);
    const times = listed.map(({ lastUse, storedAt }) => [lastUse, storedAt]);
    db.close();
    assert.deepEqual(
      times,
      expected.slice(0, limit).map(({ last, stored }) => [last, stored]),
    );
    for (const { key } of listed) {
      assert.ok(expected.some((one) => one.key === key));
    }
  }));
});

Deno.test("Listing.entries leaves no statement open", () => {
  const { db, transactions, listing } = scene();
  const conversation = conversationOf("a");
  const entries = ["a", "b", "c"].map((text) => entryOf(text, 0));
  transactions.run({ now: 0, conversation, entries });
  const other = conversationOf("b");
  transactions.run({ now: 1, conversation: other, entries: [entryOf("d", 1)] });
  assert.equal(listing.entries(1, 1).length, 1);
  // Refused while a statement runs.
  db.exec("VACUUM");
  db.close();
});
