import assert from "node:assert/strict";
import { within } from "../../src/telemetry/within.ts";
import { fakeTime } from "./export_samples.ts";

Deno.test("within resolves when the work has ended, well or not, and leaves no timer", async () => {
  const time = fakeTime();
  await within(1000, Promise.resolve(), time.later);
  await within(1000, Promise.reject(new Error("x")), time.later);
  assert.equal(time.waiting(), 0);
});

Deno.test("within resolves when time is up", async () => {
  const time = fakeTime();
  const done = within(1000, new Promise(() => {}), time.later);
  time.advance(1000);
  await done;
});
