import assert from "node:assert/strict";
import { laterUnheld } from "../../src/telemetry/later.ts";

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
