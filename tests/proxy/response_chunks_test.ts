import assert from "node:assert/strict";
import { chunksOf, readWhole } from "../../src/proxy/response_chunks.ts";

const utf8 = new TextEncoder();
const forever = new AbortController().signal;

/** A body of these chunks. */
function bodyOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks.map((chunk) => utf8.encode(chunk)));
}

Deno.test("readWhole joins the chunks of a body within the limit", async () => {
  const { bytes, rest } = await readWhole(bodyOf("ab", "", "cd"), 4, forever);
  assert.deepEqual(bytes, utf8.encode("abcd"));
  assert.equal(rest, undefined);
});

Deno.test("readWhole gives a longer body back from its first byte", async () => {
  const { rest } = await readWhole(bodyOf("ab", "cd", "ef", "g"), 3, forever);
  assert.equal(await new Response(rest).text(), "abcdefg");
});

Deno.test("readWhole gives a longer body back that cancels it: never read, half read, or while it is silent", async () => {
  const reads = [
    () => {},
    (reader: ReadableStreamDefaultReader) => reader.read(),
    async (reader: ReadableStreamDefaultReader) => {
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
    const { rest } = await readWhole(body, 3, forever);
    const reader = rest!.getReader();
    await read(reader);
    await reader.cancel(new Error("enough"));
    assert.match(String(await cancelled), /enough/);
  }
});

Deno.test("readWhole gives a longer body back that breaks as the body does, and with the signal's reason", async () => {
  const gone = new AbortController();
  for (const signal of [forever, gone.signal]) {
    let to!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (own) => void (to = own),
    });
    to.enqueue(utf8.encode("abcd"));
    const { rest } = await readWhole(body, 3, signal);
    const reader = rest!.getReader();
    await reader.read();
    const next = reader.read();
    if (signal === forever) to.error(new Error("over"));
    else gone.abort(new Error("over"));
    await assert.rejects(next, /over/);
  }
});

Deno.test("chunksOf ends at once with the reason of an abort, and cancels the body", async () => {
  const gone = new AbortController();
  const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8.encode("a")),
    cancel: resolve,
  });
  const chunks = chunksOf(body, gone.signal);
  assert.deepEqual((await chunks.next()).value, utf8.encode("a"));
  const pending = chunks.next();
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
  assert.match(String(await cancelled), /left/);
});

Deno.test("chunksOf rejects with what broke the body", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("reset")),
  });
  await assert.rejects(chunksOf(body, forever).next(), /reset/);
});
