import assert from "node:assert/strict";
import { chunkReader } from "../../src/upstream/chunk_reader.ts";

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

Deno.test("chunkReader throws for a body that is being read", () => {
  const body = ReadableStream.from([new Uint8Array(1)]);
  body.getReader();
  assert.throws(() => chunkReader(body), TypeError);
});
