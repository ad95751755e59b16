import assert from "node:assert/strict";
import { WriteQueue } from "../../src/ccr/write_queue.ts";
import { type CcrBatch, StoreLocked } from "../../src/core/store.ts";

const batchAt = (now: number): CcrBatch => ({ now });
const WRITTEN = { forms: new Map(), inserted: [] };

/** A queue whose transactions fail with what `failing` gives for the nth. */
function queueWith(failing: (nth: number) => Error | undefined) {
  const tried: number[][] = [];
  const queue = new WriteQueue((batches) => {
    tried.push(batches.map(({ now }) => now));
    const error = failing(tried.length);
    if (error) throw error;
    return batches.map(() => WRITTEN);
  });
  return { queue, tried };
}

Deno.test("WriteQueue keeps batches in their order while another process is writing", async () => {
  const { queue, tried } = queueWith((nth) =>
    nth < 3 ? new StoreLocked("locked") : undefined
  );
  const first = queue.add(batchAt(1));
  queue.writeAll();
  const second = queue.add(batchAt(2));
  queue.writeAll();
  assert.equal(queue.size, 2);
  queue.writeAll();
  assert.deepEqual(await Promise.all([first, second]), [WRITTEN, WRITTEN]);
  assert.deepEqual(tried, [[1], [1, 2], [1, 2]]);
  assert.equal(queue.size, 0);
});

Deno.test("WriteQueue gives up where the store refuses, or stays locked for very long", async () => {
  const full = queueWith(() => new Error("full"));
  const refused = full.queue.add(batchAt(1));
  full.queue.writeAll();
  await assert.rejects(refused, /full/);

  const locked = queueWith(() => new StoreLocked("locked"));
  const late = locked.queue.add(batchAt(1));
  while (locked.queue.size > 0) locked.queue.writeAll();
  await assert.rejects(late, StoreLocked);
  assert.equal(locked.tried.length, 100);
});

Deno.test("WriteQueue writes each 64 batches at once", async () => {
  const { queue, tried } = queueWith((nth) =>
    nth === 1 ? new StoreLocked("locked") : undefined
  );
  const all = Array.from({ length: 128 }, (_, i) => queue.add(batchAt(i)));
  await Promise.all(all);
  assert.deepEqual(tried.map((batches) => batches.length), [64, 128]);
});
