import assert from "node:assert/strict";
import fc from "fast-check";
import { type Release, Slots } from "../../src/upstream/slots.ts";

const forever = new AbortController().signal;

/** Lets everything run that can. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("Slots lets those who wait in by their order", async () => {
  const slots = new Slots(1);
  const order: number[] = [];
  const first = await slots.take(forever);
  const rest = [1, 2, 3].map(async (n) => {
    const release = await slots.take(forever);
    order.push(n);
    release();
  });
  await settled();
  assert.deepEqual(order, []);
  first();
  await Promise.all(rest);
  assert.deepEqual(order, [1, 2, 3]);
});

Deno.test("Slots gives a slot back once, however often it is told to", async () => {
  const slots = new Slots(1);
  const release = await slots.take(forever);
  release();
  release();
  const second = await slots.take(forever);
  let isThird = false;
  const third = slots.take(forever).then((release) => {
    isThird = true;
    return release;
  });
  await settled();
  assert.equal(isThird, false);
  second();
  (await third)();
});

Deno.test("Slots passes over one who left, with the reason", async () => {
  const slots = new Slots(1);
  const release = await slots.take(forever);
  const gone = new AbortController();
  const left = slots.take(gone.signal);
  const next = slots.take(forever);
  gone.abort(new Error("left"));
  await assert.rejects(left, /left/);
  await assert.rejects(slots.take(gone.signal), /left/);
  release();
  (await next)();
  (await slots.take(forever))();
});

Deno.test("Slots never lets more in than there are, and loses none", async () => {
  const steps = fc.array(fc.constantFrom("take", "release", "leave"));
  const run = async (size: number, script: readonly string[]) => {
    const slots = new Slots(size);
    const inside: Release[] = [];
    const waiting: AbortController[] = [];
    for (const step of script) {
      if (step === "release") inside.shift()?.();
      else if (step === "leave") waiting.pop()?.abort();
      else {
        const gone = new AbortController();
        waiting.push(gone);
        slots.take(gone.signal).then((release) => {
          waiting.splice(waiting.indexOf(gone), 1);
          inside.push(release);
        }, () => {});
      }
      await settled();
      assert.ok(inside.length <= size);
      assert.ok(waiting.length === 0 || inside.length === size);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, run),
    { numRuns: 50 },
  );
});
