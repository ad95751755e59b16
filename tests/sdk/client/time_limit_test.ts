import assert from "node:assert/strict";
import { TimedOut, within } from "../../../src/sdk/client/time_limit.ts";

const never = () => new Promise<never>(() => {});

Deno.test("within gives what the work gives, and throws what it throws", async () => {
  const limit = { ms: 1000, signal: undefined };
  assert.equal(await within(limit, () => Promise.resolve(7)), 7);
  const error = new Error("x");
  await assert.rejects(within(limit, () => Promise.reject(error)), error);
});

Deno.test("within gives up in time, also on work that does not look at its signal, and aborts that", async () => {
  let inner: AbortSignal | undefined;
  await assert.rejects(
    within({ ms: 1, signal: undefined }, (signal) => {
      inner = signal;
      return never();
    }),
    (error) => error instanceof TimedOut && error.ms === 1,
  );
  assert.equal(inner?.aborted, true);
});

Deno.test("within ends with the reason of the caller's signal, before and during the work", async () => {
  const reason = { own: "reason" };
  const stop = new AbortController();
  const waiting = within({ ms: 60_000, signal: stop.signal }, never);
  stop.abort(reason);
  await assert.rejects(waiting, (thrown) => thrown === reason);
  let began = false;
  const late = within({ ms: 1, signal: stop.signal }, () => {
    began = true;
    return never();
  });
  await assert.rejects(late, (thrown) => thrown === reason);
  assert.equal(began, false);
});

Deno.test("within waits without a bound where the time is longer than timers can count", async () => {
  const work = () => new Promise((resolve) => setTimeout(() => resolve(1), 2));
  assert.equal(await within({ ms: Infinity, signal: undefined }, work), 1);
  assert.equal(await within({ ms: 2 ** 40, signal: undefined }, work), 1);
});
