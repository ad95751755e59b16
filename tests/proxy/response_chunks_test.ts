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
