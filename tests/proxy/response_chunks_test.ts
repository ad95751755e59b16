import assert from "node:assert/strict";
import type { ChunkReader } from "../../src/core/upstream.ts";
import { chunkReader, streamOf } from "../../src/upstream/chunk_reader.ts";
import { readWhole } from "../../src/proxy/response_chunks.ts";
import { relay } from "../../src/proxy/response_tap.ts";

const utf8 = new TextEncoder();
const forever = new AbortController().signal;

/** A body of these chunks. */
function bodyOf(...chunks: readonly string[]): ChunkReader {
  return chunkReader(
    ReadableStream.from(chunks.map((chunk) => utf8.encode(chunk))),
  );
}

Deno.test("readWhole joins the chunks of a body within the limit", async () => {
  const { bytes, rest } = await readWhole(bodyOf("ab", "", "cd"), 4, forever);
  assert.deepEqual(bytes, utf8.encode("abcd"));
  assert.equal(rest, undefined);
});

Deno.test("readWhole gives a body that is whole as it is, however long", async () => {
  const body = utf8.encode("abcd");
  const { bytes, rest } = await readWhole(body, 3, forever);
  assert.equal(bytes, body);
  assert.equal(rest, undefined);
});

Deno.test("readWhole gives a longer body back from its first byte", async () => {
  const { rest } = await readWhole(bodyOf("ab", "cd", "ef", "g"), 3, forever);
  assert.equal(await new Response(streamOf(rest!)).text(), "abcdefg");
});

Deno.test("readWhole gives a longer body back that cancels it: never read, half read, or while it is silent", async () => {
  const reads = [
    () => {},
    (reader: ChunkReader) => reader.read(),
    async (reader: ChunkReader) => {
      for (let i = 0; i < 2; i++) await reader.read();
      void reader.read();
    },
  ];
  for (const read of reads) {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ["ab", "cd"]) controller.enqueue(utf8.encode(text));
      },
      cancel: resolve,
    });
    const { rest } = await readWhole(chunkReader(body), 3, forever);
    await read(rest!);
    await rest!.cancel(new Error("enough"));
    assert.match(String(await cancelled), /enough/);
  }
});

Deno.test("readWhole gives a longer body back that breaks as the body does", async () => {
  const { body, to } = openBody("abcd");
  const { rest } = await readWhole(body, 3, forever);
  await rest!.read();
  const next = rest!.read();
  to.error(new Error("over"));
  await assert.rejects(next, /over/);
});

Deno.test("readWhole gives a longer body back that ends with its client's reason where it is relayed", async () => {
  const gone = new AbortController();
  const { signal } = gone;
  const { body, cancelled } = openBody("abcd");
  const { rest } = await readWhole(body, 3, signal);
  const reply = { status: 200, statusText: "", headers: new Headers() };
  const out = relay({ ...reply, body: rest! }, { signal });
  const reader = out.body!.getReader();
  assert.deepEqual((await reader.read()).value, utf8.encode("abcd"));
  const next = reader.read();
  gone.abort(new Error("over"));
  await assert.rejects(next, /over/);
  assert.match(String(await cancelled), /over/);
});

/** A body that begins with `text` and goes on as the test wants. */
function openBody(text: string) {
  let to!: ReadableStreamDefaultController<Uint8Array>;
  const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
  const stream = new ReadableStream<Uint8Array>({
    start: (own) => void (to = own),
    cancel: resolve,
  });
  to.enqueue(utf8.encode(text));
  return { body: chunkReader(stream), to, cancelled };
}

Deno.test("readWhole ends at once with the reason of an abort, and cancels the body", async () => {
  for (const isBefore of [true, false]) {
    const gone = new AbortController();
    const reason = new Error("left");
    const { body, cancelled } = openBody("a");
    if (isBefore) gone.abort(reason);
    const pending = readWhole(body, 9, gone.signal);
    gone.abort(reason);
    await assert.rejects(pending, reason);
    assert.equal(await cancelled, reason);
  }
});

Deno.test("readWhole gives the reason of an abort also where the body breaks by it", async () => {
  const gone = new AbortController();
  const { promise, reject } = Promise.withResolvers<undefined>();
  const pending = readWhole(
    {
      read: () => promise,
      cancel() {
        reject(new Error("unexpected end of file"));
        return Promise.resolve();
      },
    },
    9,
    gone.signal,
  );
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
});

Deno.test("readWhole rejects with what broke the body", async () => {
  const { body, to } = openBody("a");
  const pending = readWhole(body, 9, forever);
  to.error(new Error("reset"));
  await assert.rejects(pending, /reset/);
});
