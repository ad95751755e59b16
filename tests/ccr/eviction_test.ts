/** Which originals go when the size bound is reached, whatever happened before. @module */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import type { CcrBatch, CcrEntry } from "../../src/core/store.ts";
import { PROTECTED_MS, Reads } from "../../src/ccr/reads.ts";
import { migrate } from "../../src/ccr/schema.ts";
import { Transactions } from "../../src/ccr/transactions.ts";
import { conversationOf, entryOf } from "./samples.ts";

const MAX_BYTES = 1000;

/** One thing that happens, some time after the one before. */
interface Step {
  readonly after: number;
  /** Which of six conversations; `undefined` for none. */
  readonly by: number | undefined;
  /** Sizes of originals; the same size is the same text. */
  readonly sizes: readonly number[];
  /** Whether originals are only used, not stored. */
  readonly uses: boolean;
  readonly keepsState: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    after: fc.oneof(
      fc.nat(60_000),
      fc.nat(2 * PROTECTED_MS),
      fc.constantFrom(PROTECTED_MS, PROTECTED_MS + 1),
    ),
    by: fc.option(fc.nat(5), { nil: undefined }),
    sizes: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 4 }),
    uses: fc.boolean(),
    keepsState: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40 },
);

/** What a store holds. */
interface Held {
  /** Original → time of storing. */
  readonly entries: ReadonlyMap<string, number>;
  /** Original → its size. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Original → conversations that send it. */
  readonly senders: ReadonlyMap<string, ReadonlySet<string>>;
  /** Conversation → its last activity. */
  readonly active: ReadonlyMap<string, number>;
}

function heldBy(db: DatabaseSync): Held {
  const rows = (sql: string) => db.prepare(sql).all();
  const senders = new Map<string, Set<string>>();
  for (const row of rows("SELECT * FROM uses")) {
    const entry = `${row["entry"]}`;
    if (!senders.has(entry)) senders.set(entry, new Set());
    senders.get(entry)!.add(`${row["conversation"]}`);
  }
  const pairs = (sql: string, value: string) =>
    new Map(rows(sql).map((row) => [`${row["key"]}`, Number(row[value])]));
  return {
    entries: pairs("SELECT key, stored_at FROM entries", "stored_at"),
    bytes: pairs("SELECT key, bytes FROM entries", "bytes"),
    senders,
    active: pairs("SELECT key, active_at FROM conversations", "active_at"),
  };
}

function batchOf(step: Step, now: number): CcrBatch {
  const { by, sizes, uses, keepsState } = step;
  const conversation = by === undefined ? undefined : conversationOf(`${by}`);
  const entries = sizes.map((size) => entryOf("x".repeat(size), now));
  const named = conversation && { conversation };
  return uses && conversation
    ? { now, conversation, uses: entries.map(({ key }) => key) }
    : { now, ...named, entries, keepsState };
}

/** What is held at the moment of eviction: the writing conversation is active, and what it uses is linked to it. */
function withWriter(
  held: Held,
  { conversation, uses = [], entries: stored = [], now }: CcrBatch,
): Held {
  const { entries, bytes, senders, active } = held;
  if (conversation === undefined) return held;
  const linked = new Map(senders);
  const sent = [...uses, ...stored.map(({ key }) => key)];
  for (const key of sent.filter((key) => entries.has(key))) {
    linked.set(key, new Set([...senders.get(key) ?? [], conversation]));
  }
  const busy = new Map([...active, [`${conversation}`, now]]);
  return { entries, bytes, senders: linked, active: busy };
}

/** Last activity of those that send an original; -Infinity when nobody does. */
function lastSent({ senders, active }: Held, key: string): number {
  const times = [...senders.get(key) ?? []].map((by) => active.get(by)!);
  return Math.max(-Infinity, ...times);
}

/** Time of the last use of an original: of one that nobody sends, when it was stored. */
function lastUse(held: Held, key: string): number {
  return held.senders.has(key) ? lastSent(held, key) : held.entries.get(key)!;
}

/** Fails if what went was still in use, or if something older of the same sort stayed. */
function assertOldestWent(before: Held, after: Held, batch: CcrBatch): void {
  const since = batch.now - PROTECTED_MS;
  const lastOf = (key: string) => lastSent(before, key);
  const given = new Set<string>(batch.entries?.map(({ key }) => key));
  const gone = [...before.entries.keys()]
    .filter((key) => !after.entries.has(key));
  for (const key of gone) assert.ok(lastOf(key) < since, "it was in use");

  const isLoose = (key: string) => !before.senders.has(key);
  const isOld = (key: string) => before.entries.get(key)! < since;
  for (const key of gone.filter(isLoose)) assert.ok(isOld(key), "it is new");
  // What the batch itself sends is stored again, or was linked before anything went.
  const stayed = [...after.entries.keys()]
    .filter((key) => before.entries.has(key) && !given.has(key));
  const sent = gone.filter((key) => !isLoose(key));
  if (sent.length > 0) {
    const isDue = (key: string) => isLoose(key) && isOld(key);
    assert.ok(!stayed.some(isDue), "loose ones go first");
  }
  const newestLoose = Math.max(
    ...gone.filter(isLoose).map((key) => before.entries.get(key)!),
  );
  for (const key of stayed.filter(isLoose)) {
    assert.ok(before.entries.get(key)! >= newestLoose, "the oldest first");
  }
  const newestGone = Math.max(...sent.map(lastOf));
  for (const key of stayed.filter((key) => !isLoose(key))) {
    assert.ok(lastOf(key) >= newestGone, "whole conversations, oldest first");
  }
}

Deno.test("Transactions.run evicts the oldest idle conversations whole, and never what is in use", () => {
  let evictions = 0;
  let refusals = 0;
  fc.assert(fc.property(steps, (all) => {
    using db = new DatabaseSync(":memory:");
    migrate(db, "1.0.0");
    const bounds = { ttlMs: 1e12, maxBytes: MAX_BYTES };
    const transactions = new Transactions(db, bounds);
    const reads = new Reads(db);
    let now = 0;
    for (const step of all) {
      now += step.after;
      const batch = batchOf(step, now);
      const before = heldBy(db);
      try {
        transactions.run(batch);
      } catch (error) {
        assert.match(`${error}`, /all of it is in use/);
        assert.deepEqual(heldBy(db), before, "nothing of it was written");
        const held = withWriter(before, batch);
        const inUse = [...held.bytes].filter(([key]) =>
          lastUse(held, key) >= now - PROTECTED_MS
        );
        const size = inUse.reduce((sum, [, bytes]) => sum + bytes, 0);
        assert.ok(size >= MAX_BYTES, "there was room to be made");
        refusals++;
        continue;
      }
      const after = heldBy(db);
      assertOldestWent(withWriter(before, batch), after, batch);
      for (const { key } of batch.entries ?? []) {
        assert.ok(after.entries.has(key));
      }
      const isNew = ({ key }: CcrEntry) => !before.entries.has(key);
      const made = batch.conversation && batch.entries?.some(isNew);
      if (made && reads.totals().bytes > MAX_BYTES) {
        assert.equal(reads.evictable(now), false, "more could have gone");
      }
      const wentAway = (key: string) => !after.entries.has(key);
      if ([...before.entries.keys()].some(wentAway)) evictions++;
    }
  }));
  assert.ok(evictions > 100, `${evictions} evictions`);
  assert.ok(refusals > 10, `${refusals} refusals`);
});
