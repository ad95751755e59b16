import assert from "node:assert/strict";
import { readLimited } from "../../src/telemetry/limited_body.ts";

Deno.test("readLimited is the text of a body, also when a character is split", async () => {
  const bytes = new TextEncoder().encode("a€b");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal(await readLimited(new Response(body), 5), "a€b");
  assert.equal(await readLimited(new Response(), 5), "");
});

Deno.test("readLimited stops at an endless body", async () => {
  let wasCancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel: () => void (wasCancelled = true),
  });
  assert.equal(await readLimited(new Response(body), 10_000), undefined);
  assert.equal(wasCancelled, true);
});
