import assert from "node:assert/strict";
import { openMapStore } from "../../src/ccr/map_store.ts";
import { testCcrStore } from "../conformance/ccr_store.ts";
import { FakeClock } from "./fake_clock.ts";
import { blockOf, formOf } from "./samples.ts";

testCcrStore("openMapStore", {
  shared: false,
  open: (options) => Promise.resolve(openMapStore(options)),
});

Deno.test("openMapStore says what it is and starts empty each time", async () => {
  const options = { ttlSeconds: 1, clock: new FakeClock() };
  await using store = openMapStore(options);
  await store.write({ now: 0, responseIds: new Map([["a", "b"]]) });
  await using other = openMapStore(options);
  assert.equal(other.responseId("a"), undefined);
  assert.equal(store.responseId("a"), "b");
  assert.equal(store.stats().backend, "memory");
});

Deno.test("openMapStore lets the forms go that were used longest ago, beyond its bytes", async () => {
  const clock = new FakeClock();
  await using store = openMapStore({ ttlSeconds: 1, clock, maxBytes: 1500 });
  const keys = ["a", "b", "c"].map(blockOf);
  const write = (key: typeof keys[number]) =>
    store.write({ now: clock.now(), forms: new Map([[key, formOf("x")]]) });
  await write(keys[0]!);
  await write(keys[1]!);
  store.forms([keys[0]!]);
  await write(keys[2]!);
  await write(blockOf("d"));
  assert.deepEqual([...store.forms(keys).keys()], [keys[0], keys[2]]);
});
