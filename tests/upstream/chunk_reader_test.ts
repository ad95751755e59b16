import assert from "node:assert/strict";
import {
  chunkReader,
  dropBody,
  readerOf,
  streamOf,
} from "../../src/upstream/chunk_reader.ts";

/** All chunks of a body, as they are read. */
async function chunksOf(body: ReadableStream<Uint8Array>) {
  const reader = chunkReader(body);
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = await reader.read();
    if (chunk === undefined) return chunks;
    chunks.push(chunk);
  }
}

/** A byte stream that gives `pieces` one by one. */
function bytesOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const piece = pieces[next++];
      if (piece) return controller.enqueue(piece.slice());
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

Deno.test("chunkReader gives small chunks of a byte stream in memory of their own size", async () => {
  const pieces = ["one", "two", "three"].map((text) =>
    new TextEncoder().encode(text)
  );
  const chunks = await chunksOf(bytesOf(pieces));
  assert.deepEqual(chunks, pieces);
  for (const { buffer, length } of chunks) {
    assert.equal(buffer.byteLength, length);
  }
});

Deno.test("chunkReader loses nothing of large bodies, and takes larger buffers for them", async () => {
  const whole = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  const chunks = await chunksOf(bytesOf([whole]));
  assert.deepEqual(
    new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()),
    whole,
  );
  assert.ok(Math.max(...chunks.map(({ length }) => length)) > 32 * 1024);
});

Deno.test("chunkReader hands the chunks of any other stream on as they are", async () => {
  const chunk = new Uint8Array([1, 2, 3]);
  const [read] = await chunksOf(ReadableStream.from([chunk]));
  assert.equal(read, chunk);
});

Deno.test("chunkReader passes a cancel and a failure on", async () => {
  let reason: unknown;
  const reader = chunkReader(
    new ReadableStream({ type: "bytes", cancel: (why) => void (reason = why) }),
  );
  await reader.cancel("enough");
  assert.equal(reason, "enough");
  const broken = chunkReader(
    new ReadableStream({
      type: "bytes",
      pull: () => Promise.reject(new Error("reset")),
    }),
  );
  await assert.rejects(broken.read(), /reset/);
});

Deno.test("chunkReader gives nothing again after the end, and after a cancel", async () => {
  const piece = new Uint8Array([1]);
  const reader = chunkReader(bytesOf([piece]));
  assert.deepEqual(await reader.read(), piece);
  assert.equal(await reader.read(), undefined);
  assert.equal(await reader.read(), undefined);
  const cancelled = chunkReader(bytesOf([piece]));
  await cancelled.cancel("left");
  assert.equal(await cancelled.read(), undefined);
});

Deno.test("chunkReader throws for a body that is being read", () => {
  const body = ReadableStream.from([new Uint8Array(1)]);
  body.getReader();
  assert.throws(() => chunkReader(body), TypeError);
});

Deno.test("streamOf asks for a chunk when it is asked for one, and hands it on as it is", async () => {
  const chunk = new Uint8Array([1, 2, 3]);
  let asked = 0;
  const stream = streamOf({
    read: () => Promise.resolve(asked++ === 0 ? chunk : undefined),
    cancel: () => assert.fail("nobody leaves"),
  });
  const reader = stream.getReader();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(asked, 0);
  assert.equal((await reader.read()).value, chunk);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(asked, 1);
  assert.equal((await reader.read()).done, true);
});

Deno.test("streamOf passes a cancel and a failure on, also while a chunk is waited for", async () => {
  let reason: unknown;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const reader = streamOf({
    read: () => promise,
    cancel(why) {
      reason = why;
      resolve(undefined);
      return Promise.resolve();
    },
  }).getReader();
  const pending = reader.read();
  await reader.cancel("enough");
  assert.equal(reason, "enough");
  assert.equal((await pending).done, true);
  const broken = streamOf({
    read: () => Promise.reject(new Error("reset")),
    cancel: () => assert.fail("nobody leaves"),
  });
  await assert.rejects(broken.getReader().read(), /reset/);
});

Deno.test("readerOf gives a whole body in one chunk, an empty one in none, and nothing of one that was cancelled", async () => {
  const bytes = new Uint8Array([1, 2]);
  const reader = readerOf(bytes);
  assert.equal(await reader.read(), bytes);
  assert.equal(await reader.read(), undefined);
  assert.equal(await readerOf(new Uint8Array(0)).read(), undefined);
  const left = readerOf(bytes);
  await left.cancel("enough");
  assert.equal(await left.read(), undefined);
  assert.equal(readerOf(reader), reader);
});

Deno.test("dropBody cancels a body, whatever comes of it, and needs none", async () => {
  let cancelled = 0;
  const read = () => assert.fail("nothing is read");
  await dropBody({
    body: {
      read,
      cancel() {
        cancelled++;
        return Promise.reject(new Error("reset"));
      },
    },
  });
  assert.equal(cancelled, 1);
  await dropBody({ body: null });
  await dropBody({ body: new Uint8Array(1) });
});
