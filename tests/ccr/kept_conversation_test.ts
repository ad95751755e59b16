import assert from "node:assert/strict";
import {
  askedBy,
  missingFrom,
  newestEvent,
  notePersisted,
  noteSaved,
  originalsIn,
  unreadConversation,
  withoutRepeats,
} from "../../src/ccr/kept_conversation.ts";
import { conversationOf, eventOf } from "./samples.ts";
import type { CcrStore, RetrievalEvent } from "../../src/core/store.ts";
import { FakeClock } from "./fake_clock.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import { ccrKey } from "../../src/ccr/key.ts";

Deno.test("unreadConversation has nothing read of what the store knows, so that it is read", () => {
  const kept = unreadConversation({
    definition: "d",
    activeAt: 7,
    revision: 3,
  });
  assert.equal(kept.revision, undefined);
  assert.equal(kept.definition, undefined);
  assert.equal(kept.postedAt, 7);
  assert.equal(unreadConversation(undefined).postedAt, -Infinity);
});

Deno.test("notePersisted never goes back", () => {
  const kept = unreadConversation(undefined);
  for (const now of [5, 3]) notePersisted(kept, now);
  assert.deepEqual([kept.persistedAt, kept.postedAt], [5, 5]);
});

Deno.test("noteSaved leaves what is still on its way", () => {
  const kept = unreadConversation(undefined);
  const [one, two] = [1, 2].map((i) => ({
    anchor: `${i}`,
    format: "f",
    data: "1",
  }));
  const [first, second] = [eventOf("a", 1), eventOf("a", 2)];
  kept.unsaved = [one!, two!];
  kept.unsavedAsked = [first, second];
  noteSaved(kept, { retrievals: [one!], asked: [second] });
  assert.deepEqual(kept.unsaved, [two]);
  assert.deepEqual(kept.unsavedAsked, [first]);
});

const A = conversationOf("a");

async function scene(...asked: readonly RetrievalEvent[]) {
  const options = { ttlSeconds: 1, clock: new FakeClock(), log: () => {} };
  const store: CcrStore = openMemoryStore(options);
  if (asked.length > 0) await store.write({ now: 0, conversation: A, asked });
  return store;
}

Deno.test("askedBy adds events that the store does not show, each once", async () => {
  const [known, other] = [eventOf("a", 0), eventOf("a", 1)];
  await using store = await scene(known);
  const grep = eventOf("b", 0, { toolName: "Grep" });
  const counts = (...unsaved: readonly RetrievalEvent[]) =>
    askedBy(A, store, unsaved).map(({ toolName, count }) => [toolName, count]);
  assert.deepEqual(counts(), [["Bash", 1]]);
  assert.deepEqual(counts(known), [["Bash", 1]]);
  assert.deepEqual(counts(known, other, grep), [["Bash", 2], ["Grep", 1]]);
});

Deno.test("newestEvent differs when an event was added, also one just like the last", async () => {
  await using store = await scene();
  const seen = new Set([newestEvent(store)]);
  for (let i = 0; i < 3; i++) {
    await store.write({ now: 0, asked: [eventOf("a", 0)] });
    seen.add(newestEvent(store));
    assert.equal(seen.has(newestEvent(store)), true);
  }
  assert.equal(seen.size, 4);
});

const [FIRST, SECOND, THIRD] = ["a", "b", "c"].map((anchor) => ({
  anchor,
  format: "f",
  data: "1",
}));

Deno.test("missingFrom gives what is not known, in its order", () => {
  assert.deepEqual(missingFrom([{ ...SECOND! }], [THIRD!, SECOND!, FIRST!]), [
    THIRD,
    FIRST,
  ]);
  assert.deepEqual(missingFrom([FIRST!], []), []);
  assert.deepEqual(missingFrom([], [FIRST!]), [FIRST]);
});

Deno.test("withoutRepeats gives each once, at its first place", () => {
  const other = { ...FIRST!, data: "2" };
  assert.deepEqual(
    withoutRepeats([FIRST!, SECOND!, { ...FIRST! }, other, SECOND!]),
    [
      FIRST,
      SECOND,
      other,
    ],
  );
  assert.deepEqual(withoutRepeats([]), []);
  const alone = { ...FIRST!, data: "\ud800" };
  assert.equal(
    withoutRepeats([alone, { ...FIRST!, data: "\ufffd" }]).length,
    1,
  );
});

Deno.test("originalsIn names what was given back, not what a text inside pretends", () => {
  const [own, beside, foreign] = ["own", "beside", "foreign"].map(ccrKey);
  const given = (hash: unknown, original_content: string) =>
    JSON.stringify({ hash, original_content });
  const fake = given(foreign, "x");
  const miss = JSON.stringify({ error: "Entry not found", hash: foreign });
  const answer = (...contents: string[]) =>
    contents.map((content) =>
      JSON.stringify({ role: "user", content: [{ id: foreign, content }] })
    ).join(",");
  const turn = {
    at: 1,
    rounds: [
      { turn: JSON.stringify(fake), answer: answer(given(own, fake), miss) },
    ],
    last: [fake],
    beside: { calls: [], answer: answer(given(beside, "b")), clientCalls: [] },
  };
  const data = JSON.stringify(turn);
  assert.deepEqual(originalsIn({ ...FIRST!, data }), [own, beside]);
  const empty = JSON.stringify({ at: 0, rounds: [], last: [] });
  assert.deepEqual(originalsIn({ ...FIRST!, data: empty }), []);
});
