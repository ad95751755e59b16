import assert from "node:assert/strict";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { Writer, type WriterThread } from "../../src/writer/writer.ts";
import { inPlace, lifetimeOf } from "./place.ts";
import { spent } from "./samples.ts";

/** The service's own worker, whose answers can be held back. */
function holdable() {
  const url = new URL("../../src/writer_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const thread: WriterThread = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: (request) => worker.postMessage(request),
    terminate: () => worker.terminate(),
  };
  let held: MessageEvent[] | undefined;
  let arrived = Promise.withResolvers<void>();
  worker.onmessage = (event) => {
    if (held === undefined) return thread.onmessage?.(event);
    held.push(event);
    arrived.resolve();
  };
  return {
    thread,
    /** Resolves when an answer is held. */
    hold(): Promise<void> {
      held = [];
      arrived = Promise.withResolvers();
      return arrived.promise;
    },
    release(): void {
      const events = held ?? [];
      held = undefined;
      for (const event of events) thread.onmessage?.(event);
    },
  };
}

Deno.test("a reset counts anew in all processes of a run, and leaves what is kept", () =>
  inPlace(async ({ open }) => {
    const shared = (slot: number) => ({ shared: { run: "run", slot } });
    await using one = await open(shared(0));
    await using two = await open(shared(1));
    const all = [one, two];
    const totals = async (ledgers: readonly Ledger[] = all) => {
      for (const ledger of ledgers) await ledger.flush();
      return ledgers.map((ledger) => ledger.report().requests.total);
    };
    one.record(spent("a", 1));
    two.record(spent("b", 1));
    await two.flush();
    // Its own, and those of the other that it has not looked at.
    one.reset();
    assert.equal(one.report().requests.total, 0);
    // In the file behind the reset, though this process does not know of it yet.
    await one.flush();
    two.record(spent("c", 1));
    assert.deepEqual(await totals(), [1, 1]);
    one.record(spent("d", 1));
    two.record(spent("e", 1));
    assert.deepEqual(await totals(), [3, 3]);
    one.reset();
    await one.flush();
    two.reset();
    two.record(spent("f", 1));
    assert.deepEqual(await totals(), [1, 1]);
    await using late = await open(shared(2));
    assert.deepEqual(await totals([...all, late]), [1, 1, 1]);
    assert.equal(lifetimeOf(one).requests, 6);
    await using alone = await open();
    alone.record(spent("g", 1));
    alone.reset();
    assert.equal(alone.report().requests.total, 0);
    assert.deepEqual(await totals(), [1, 1]);
  }));

Deno.test("a reset seen while rows are on their way drops those before it, and no other", () =>
  inPlace(async ({ open }) => {
    const shared = (slot: number) => ({ shared: { run: "run", slot } });
    const { thread, hold, release } = holdable();
    await using one = await open(shared(0));
    const writer = new Writer({ spawn: () => thread });
    await using two = await open({ ...shared(1), writer });
    await two.flush();
    const written = hold();
    // In the file before the reset, and not answered.
    two.record(spent("a", 1));
    await written;
    one.reset();
    await one.flush();
    // Not in the file.
    two.record(spent("b", 1));
    assert.equal(two.report().requests.total, 1);
    release();
    for (const ledger of [two, one]) {
      await ledger.flush();
      const { by_model } = ledger.report().requests;
      assert.deepEqual(by_model, { m1: 1 });
    }
  }));
