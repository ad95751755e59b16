import assert from "node:assert/strict";
import { afterMs, later, LongWaits, waitFor } from "../../src/upstream/wait.ts";

const forever = new AbortController().signal;

Deno.test("waitFor resolves in its time, and an abort ends it", async () => {
  await waitFor(0, forever);
  const gone = new AbortController();
  const pending = waitFor(60_000, gone.signal);
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
  await assert.rejects(waitFor(60_000, gone.signal), /left/);
});

/** Long waits whose intervals go off when the test says so. */
class Ticks {
  readonly #open = new Set<() => void>();
  /** Milliseconds of every interval that was begun. */
  readonly begun: number[] = [];
  readonly #waits = new LongWaits((ms, tick) => {
    this.begun.push(ms);
    this.#open.add(tick);
    return () => void this.#open.delete(tick);
  });

  add(ms: number, callback: () => void): () => void {
    return this.#waits.add(ms, callback);
  }

  get open(): number {
    return this.#open.size;
  }

  /** Lets every interval go off so many times. */
  pass(times: number): void {
    for (let i = 0; i < times; i++) for (const tick of [...this.#open]) tick();
  }
}

Deno.test("afterMs calls back once, and not when it is stopped", async () => {
  const called: string[] = [];
  afterMs(0, () => called.push("stopped"))();
  await new Promise<void>((resolve) => afterMs(1, resolve));
  assert.deepEqual(called, []);
});

Deno.test("LongWaits ends a wait once, in its time or up to a second later", () => {
  for (const [ms, least] of [[10_000, 10], [10_001, 11], [600_000, 600]]) {
    const ticks = new Ticks();
    let called = 0;
    const stop = ticks.add(ms!, () => called++);
    // The first tick may come at once, so this many are not the whole time.
    ticks.pass(least!);
    assert.equal(called, 0);
    ticks.pass(1);
    assert.equal(called, 1);
    ticks.pass(100);
    stop();
    assert.equal(called, 1);
  }
});

Deno.test("LongWaits never calls back for a wait that was stopped", () => {
  const ticks = new Ticks();
  let called = 0;
  const stop = ticks.add(10_000, () => called++);
  ticks.add(10_000, () => stop());
  const stopLate = ticks.add(10_000, () => called++);
  ticks.pass(5);
  stop();
  stopLate();
  stopLate();
  ticks.pass(100);
  assert.equal(called, 0);
});

Deno.test("LongWaits has one timer for all waits, and none when none waits", () => {
  const ticks = new Ticks();
  const ended: number[] = [];
  const stops = [30, 10, 20].map((seconds) =>
    ticks.add(seconds * 1000, () => ended.push(seconds))
  );
  assert.deepEqual(ticks.begun, [1000]);
  ticks.pass(11);
  assert.deepEqual(ended, [10]);
  stops[2]!();
  ticks.pass(19);
  assert.equal(ticks.open, 1);
  ticks.pass(1);
  assert.deepEqual(ended, [10, 30]);
  assert.equal(ticks.open, 0);
  const stop = ticks.add(10_000, () => ended.push(0));
  assert.deepEqual([ticks.begun, ticks.open], [[1000, 1000], 1]);
  stop();
  ticks.pass(1);
  assert.equal(ticks.open, 0);
});

Deno.test("LongWaits takes a whole time for a wait that begins when another ends", () => {
  const ticks = new Ticks();
  let called = 0;
  ticks.add(10_000, () => ticks.add(10_000, () => called++));
  ticks.pass(21);
  assert.equal(called, 0);
  ticks.pass(1);
  assert.equal(called, 1);
  assert.equal(ticks.open, 0);
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
