import assert from "node:assert/strict";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { conversationOf, entryOf, eventOf } from "./samples.ts";

Deno.test("openMapStore counts what a library's user asked for as asked by a model", async () => {
  const [A, B] = [conversationOf("a"), conversationOf("b")];
  await using store = openMapStore({ ttlSeconds: 1, clock: new FakeClock() });
  await store.write({ now: 0, conversation: A, entries: [entryOf("x", 0)] });
  const asked = (["library", "http", "cli"] as const)
    .map((via) => eventOf("x", 0, { via }));
  await store.write({ now: 0, asked });
  assert.deepEqual(store.asked(A), [
    { toolName: "Bash", strategy: "log", count: 1 },
  ]);
  assert.deepEqual(store.asked(B), []);
});
