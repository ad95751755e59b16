import assert from "node:assert/strict";
import { laterUnheld, within } from "../../src/telemetry/later.ts";
import { fakeTime } from "./export_samples.ts";

Deno.test("laterUnheld runs once", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Something must hold the process: the timer under test does not.
  const hold = setTimeout(() => {}, 10_000);
  const stop = laterUnheld(0, resolve);
  await promise;
  stop();
  clearTimeout(hold);
});

Deno.test("laterUnheld does not run once it is stopped", async () => {
  let ran = false;
  laterUnheld(0, () => void (ran = true))();
  await new Promise<void>((resolve) => void setTimeout(resolve, 1));
  assert.equal(ran, false);
});

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
