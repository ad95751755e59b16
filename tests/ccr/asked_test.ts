import assert from "node:assert/strict";
import type { CcrStore, RetrievalEvent } from "../../src/core/store.ts";
import { askedBy, newestEvent } from "../../src/ccr/asked.ts";
import { openMemoryStore } from "../../src/ccr/memory_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { conversationOf, eventOf } from "./samples.ts";

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
