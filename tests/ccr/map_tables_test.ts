import assert from "node:assert/strict";
import fc from "fast-check";
import { ccrKey } from "../../src/ccr/key.ts";
import { openMapStore } from "../../src/ccr/map_store.ts";
import type { CcrBatch } from "../../src/core/store.ts";
import { conversationOf, entryOf } from "./samples.ts";

const HOUR_MS = 3_600_000;
const [A, B] = [conversationOf("a"), conversationOf("b")];

/** A store of a few bytes, and what writes texts into it. */
function small(maxBytes: number, ttlMs = 1000) {
  let time = 0;
  const clock = { now: () => time, monotonic: () => time };
  const store = openMapStore({ ttlSeconds: ttlMs / 1000, clock, maxBytes });
  const write = ({ texts, conversation, clear, now }: {
    readonly now: number;
    readonly texts: readonly string[];
    readonly conversation?: typeof A | undefined;
    readonly clear?: CcrBatch["clear"] | undefined;
  }) => {
    time = now;
    return store.write({
      now,
      entries: texts.map((text) => entryOf(text, now)),
      ...conversation && { conversation },
      ...clear && { clear },
    });
  };
  return { store, write };
}

Deno.test("openMapStore changes nothing when it refuses, not even what it could have evicted", async () => {
  const { store, write } = small(10);
  await write({ now: 0, texts: ["aaaa"] });
  await write({ now: HOUR_MS, conversation: A, texts: ["bbbbbb", "cccccc"] });
  const before = store.stats();
  const late = { now: HOUR_MS + 1, conversation: B, texts: ["d"] };
  await assert.rejects(write(late), /in use/);
  assert.deepEqual(store.stats(), before);
  assert.equal(store.conversation(B), undefined);
});

Deno.test("openMapStore keeps what the batch itself uses, however long that was idle", async () => {
  const { store, write } = small(10);
  await write({ now: 0, conversation: A, texts: ["aaaa"] });
  await write({ now: 1, conversation: B, texts: ["bbbb"] });
  const texts = ["aaaa", "cccccc"];
  await write({ now: HOUR_MS, conversation: A, texts });
  const keys = store.entries(9).map(({ key }) => key).sort();
  assert.deepEqual(keys, texts.map(ccrKey).sort());
});

Deno.test("openMapStore counts exactly what it holds, whatever is written and cleared", async () => {
  const step = fc.record({
    conversation: fc.constantFrom(A, B, undefined),
    texts: fc.array(fc.constantFrom("a", "bb", "ccc", "dddd"), {
      maxLength: 3,
    }),
    pass: fc.constantFrom(0, 1000, HOUR_MS, 31 * 24 * HOUR_MS),
    clear: fc.constantFrom(undefined, "idle" as const, "all" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { store, write } = small(8, 100 * 24 * HOUR_MS);
      let now = 0;
      for (const { pass, ...batch } of steps) {
        now += pass;
        await write({ now, ...batch })
          .catch((error) => assert.match(`${error}`, /in use/));
        const held = store.entries(9);
        const { entries, bytes, originalTokens, formTokens } = store.stats();
        assert.deepEqual({ entries, bytes, originalTokens, formTokens }, {
          entries: held.length,
          bytes: held.reduce((sum, one) => sum + one.bytes, 0),
          originalTokens: held.length * 120,
          formTokens: held.length * 30,
        });
      }
    }),
  );
});

Deno.test("openMapStore forgets conversations without originals beyond a bound, those that were idle longest first", async () => {
  const { store, write } = small(10);
  const many = Array.from(
    { length: 20_010 },
    (_, i) => conversationOf(`c${i}`),
  );
  for (const [now, conversation] of many.entries()) {
    await write({ now: now + 1, conversation, texts: [] });
  }
  await write({ now: 0, conversation: A, texts: ["aaaa"] });
  await write({ now: 70_000, texts: [] });
  assert.equal(store.conversation(many[9]!), undefined);
  assert.equal(store.conversation(many[10]!)?.activeAt, 11);
  assert.equal(store.conversation(A)?.activeAt, 0);
});
