import assert from "node:assert/strict";
import { later, waitFor } from "../../src/upstream/wait.ts";

const forever = new AbortController().signal;

Deno.test("waitFor resolves in its time, and an abort ends it", async () => {
  await waitFor(0, forever);
  const gone = new AbortController();
  const pending = waitFor(60_000, gone.signal);
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
  await assert.rejects(waitFor(60_000, gone.signal), /left/);
});

Deno.test("later calls back after its time, and not once it is stopped", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = later(waitFor, 0, resolve);
  await promise;
  stop();
  let called = 0;
  later(waitFor, 60_000, () => called++)();
  later(waitFor, 0, () => called++)();
  await waitFor(0, forever);
  await waitFor(0, forever);
  assert.equal(called, 0);
});
