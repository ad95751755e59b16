import assert from "node:assert/strict";
import fc from "fast-check";
import { SvcError } from "../../src/sdk/errors.ts";
import { collectStream, parseSSE } from "../../src/sdk/sse.ts";

/** A stream of these chunks; `cancelled` tells whether its reader left. */
function streamOf(chunks: readonly Uint8Array[]) {
  const state = { cancelled: false };
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

const utf8 = new TextEncoder();

Deno.test("parseSSE gives the same events however the bytes are cut", async () => {
  const text =
    'event: a\r\ndata: {"t":"é ✓"}\r\n\r\n: comment\n\ndata: [1,\ndata: 2]\n\ndata: "x"\n\ndata: [DONE]\n\n';
  const expected = [{ t: "é ✓" }, [1, 2], "x"];
  await fc.assert(fc.asyncProperty(
    fc.array(fc.nat(utf8.encode(text).length), { maxLength: 8 }),
    async (cuts) => {
      const bytes = utf8.encode(text);
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, i) => bytes.slice(at[i], end))
        .filter(({ length }) => length > 0);
      const events = await collectStream(parseSSE(streamOf(chunks).stream));
      assert.deepEqual(events, expected);
    },
  ));
});

Deno.test("parseSSE gives events as they arrive, and cancels the stream when the reader leaves", async () => {
  const chunk = utf8.encode('data: {"n":1}\n\n');
  const { stream, state } = streamOf([chunk, chunk, chunk]);
  for await (const event of parseSSE(stream)) {
    assert.deepEqual(event, { n: 1 });
    break;
  }
  assert.equal(state.cancelled, true);
});

Deno.test("parseSSE gives nothing for a response without a body, and no event that was cut off", async () => {
  assert.deepEqual(await collectStream(parseSSE(new Response(null))), []);
  const cut = new Response('data: 1\n\ndata: {"a"');
  assert.deepEqual(await collectStream(parseSSE(cut)), [1]);
});

Deno.test("parseSSE says so when an event is not JSON", async () => {
  const events = parseSSE(new Response("data: 1\n\ndata: {oops\n\n"));
  assert.deepEqual(await events.next(), { done: false, value: 1 });
  await assert.rejects(events.next(), (error) => {
    assert(error instanceof SvcError);
    assert.match(error.message, /not JSON/);
    assert(!error.message.includes("oops"));
    return true;
  });
});

Deno.test("parseSSE throws what breaks the stream", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new TypeError("reset")),
  });
  await assert.rejects(collectStream(parseSSE(broken)), /reset/);
});
