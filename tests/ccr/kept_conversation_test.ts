import assert from "node:assert/strict";
import {
  newlyMet,
  notePersisted,
  noteSaved,
} from "../../src/ccr/kept_conversation.ts";
import { eventOf } from "./samples.ts";

Deno.test("newlyMet has nothing read of what the store knows, so that it is read", () => {
  const kept = newlyMet({ definition: "d", activeAt: 7, revision: 3 });
  assert.equal(kept.revision, undefined);
  assert.equal(kept.definition, undefined);
  assert.equal(kept.postedAt, 7);
  assert.equal(newlyMet(undefined).postedAt, -Infinity);
});

Deno.test("notePersisted never goes back", () => {
  const kept = newlyMet(undefined);
  for (const now of [5, 3]) notePersisted(kept, now);
  assert.deepEqual([kept.persistedAt, kept.postedAt], [5, 5]);
});

Deno.test("noteSaved leaves what is still on its way", () => {
  const kept = newlyMet(undefined);
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
