import assert from "node:assert/strict";
import { makeHeartbeat } from "../../src/ledger/heartbeat.ts";

Deno.test("makeHeartbeat beats while something is held, and leaves no timer behind", async () => {
  let held = false;
  let beats = 0;
  const third = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const holds = () => {
    if (beats === 3) stopped.resolve();
    return held;
  };
  const heartbeat = makeHeartbeat(holds, () => {
    if (++beats === 3) third.resolve();
  }, 1);
  heartbeat.update();
  held = true;
  heartbeat.update();
  heartbeat.update();
  await third.promise;
  held = false;
  // Then it stops by itself: the runner of tests would find the timer.
  await stopped.promise;
  assert.equal(beats, 3);
  held = true;
  heartbeat.update();
  heartbeat[Symbol.dispose]();
});
