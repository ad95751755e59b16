import assert from "node:assert/strict";
import fc from "fast-check";
import { MapOriginals } from "../../src/ccr/map_originals.ts";
import { conversationOf, entryOf } from "./samples.ts";

const TTL_MS = 1000;
const [A, B] = [conversationOf("a"), conversationOf("b")];
const HOUR_MS = 3_600_000;

/** Writes originals of a conversation at `now`. */
function write(
  originals: MapOriginals,
  conversation: typeof A | undefined,
  { now, texts }: { readonly now: number; readonly texts: readonly string[] },
): void {
  const entries = texts.map((text) => entryOf(text, now));
  const batch = { now, entries, ...conversation && { conversation } };
  originals.makeRoom(batch);
  if (conversation) originals.note(conversation, batch);
  originals.keep(batch);
}

Deno.test("MapOriginals changes nothing when it refuses, not even what it could have evicted", () => {
  const originals = new MapOriginals(TTL_MS, 10);
  write(originals, undefined, { now: 0, texts: ["aaaa"] });
  write(originals, A, { now: HOUR_MS, texts: ["bbbbbb", "cccccc"] });
  const before = originals.totals();
  const late = HOUR_MS + 1;
  assert.throws(
    () => write(originals, B, { now: late, texts: ["d"] }),
    /in use/,
  );
  assert.deepEqual(originals.totals(), before);
});

Deno.test("MapOriginals keeps what the batch itself uses, however long that was idle", () => {
  const originals = new MapOriginals(TTL_MS, 10);
  write(originals, A, { now: 0, texts: ["aaaa"] });
  write(originals, B, { now: 1, texts: ["bbbb"] });
  write(originals, A, { now: HOUR_MS, texts: ["aaaa", "cccccc"] });
  assert(originals.has(entryOf("aaaa", 0).key));
  assert(!originals.has(entryOf("bbbb", 0).key));
});

Deno.test("MapOriginals counts exactly what it holds, whatever is written, swept and cleared", () => {
  const step = fc.record({
    conversation: fc.constantFrom(A, B, undefined),
    texts: fc.array(fc.constantFrom("a", "bb", "ccc", "dddd"), {
      maxLength: 3,
    }),
    pass: fc.constantFrom(0, TTL_MS, HOUR_MS, 31 * 24 * HOUR_MS),
    then: fc.constantFrom("nothing", "sweep", "idle", "all"),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
    const originals = new MapOriginals(TTL_MS, 8);
    let now = 0;
    for (const { conversation, texts, pass, then } of steps) {
      now += pass;
      try {
        write(originals, conversation, { now, texts });
      } catch (error) {
        assert.match(`${error}`, /in use/);
      }
      if (then === "sweep") originals.sweep(now);
      if (then === "idle") originals.clearIdle(now);
      if (then === "all") originals.clearAll();
      const held = ["a", "bb", "ccc", "dddd"]
        .filter((text) => originals.has(entryOf(text, 0).key));
      assert.deepEqual(originals.totals(), {
        entries: held.length,
        bytes: held.join("").length,
        originalTokens: held.length * 120,
        formTokens: held.length * 30,
      });
    }
  }));
});

Deno.test("MapOriginals forgets conversations without originals beyond a bound, those that were idle longest first", () => {
  const originals = new MapOriginals(TTL_MS, 10);
  const many = Array.from(
    { length: 20_010 },
    (_, i) => conversationOf(`c${i}`),
  );
  for (const [now, key] of many.entries()) originals.note(key, { now });
  write(originals, A, { now: 0, texts: ["aaaa"] });
  assert.deepEqual(originals.sweep(20_010).toReversed(), many.slice(0, 10));
  assert.equal(originals.activeAt(many[9]!), undefined);
  assert.equal(originals.activeAt(many[10]!), 10);
  assert.equal(originals.activeAt(A), 0);
  assert.deepEqual(originals.sweep(20_010), []);
});
