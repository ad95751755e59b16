import assert from "node:assert/strict";
import { openMemoryStore } from "../../src/ccr/memory_store.ts";
import { testCcrStore } from "../conformance/ccr_store.ts";
import { FakeClock } from "./fake_clock.ts";

testCcrStore("openMemoryStore", {
  shared: false,
  open: (options) => Promise.resolve(openMemoryStore(options)),
});

Deno.test("openMemoryStore says what it is and starts empty each time", async () => {
  const options = { ttlSeconds: 1, clock: new FakeClock(), log: () => {} };
  await using store = openMemoryStore(options);
  await store.write({ now: 0, responseIds: new Map([["a", "b"]]) });
  await using other = openMemoryStore(options);
  assert.equal(other.responseId("a"), undefined);
  assert.equal(store.responseId("a"), "b");
  assert.equal(store.stats().backend, "memory");
});
