import assert from "node:assert/strict";
import { MessageQueue } from "../../../src/cli/confine/message_queue.ts";

Deno.test("MessageQueue gives what was pushed before and after it is read, in order", async () => {
  const queue = new MessageQueue<number>();
  queue.push(1);
  queue.push(2);
  const values = queue[Symbol.asyncIterator]();
  assert.equal((await values.next()).value, 1);
  assert.equal((await values.next()).value, 2);
  const third = values.next();
  queue.push(3);
  assert.equal((await third).value, 3);
});

Deno.test("MessageQueue ends after what waits, and takes nothing more", async () => {
  const queue = new MessageQueue<number>();
  queue.push(1);
  queue.end();
  queue.push(2);
  assert.deepEqual(await Array.fromAsync(queue), [1]);
});

Deno.test("MessageQueue ends for a reader that waits", async () => {
  const queue = new MessageQueue<number>();
  const rest = Array.fromAsync(queue);
  await Promise.resolve();
  queue.end();
  assert.deepEqual(await rest, []);
});
