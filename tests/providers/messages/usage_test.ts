import assert from "node:assert/strict";
import fc from "fast-check";
import type { Usage } from "../../../src/core/usage.ts";
import { messagesUsageTap } from "../../../src/providers/messages/usage.ts";

const SSE = "text/event-stream; charset=utf-8";

/** Runs a tap over `text`, cut into chunks of the given sizes, again and again. */
function tap(
  contentType: string,
  text: string,
  sizes: readonly number[] = [text.length],
): Usage {
  const made = messagesUsageTap(contentType);
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1);
    made.push(bytes.slice(at, end));
    at = end;
  }
  return made.finish();
}

const start = (usage: object) =>
  `event: message_start\r\ndata: ${
    JSON.stringify({ type: "message_start", message: { id: "m", usage } })
  }\r\n\r\n`;
const delta = (usage: object) =>
  `event: message_delta\ndata: ${
    JSON.stringify({ type: "message_delta", delta: {}, usage })
  }\n\n`;
const TEXT =
  ': ping\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"é€😀 \\"usage\\":{\\"output_tokens\\":9999}"}}\n\n';

const STREAM = start({
  input_tokens: 12,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 40,
  output_tokens: 1,
}) + TEXT + delta({ output_tokens: 77 }) +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n';
const EXPECTED = { input: 12, output: 77, cacheRead: 300, cacheWrite: 40 };

Deno.test("messagesUsageTap reads a JSON body", () => {
  const body = JSON.stringify({
    content: [{ type: "text", text: '"usage":{"input_tokens":9}' }],
    usage: {
      input_tokens: 12,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 40,
      output_tokens: 77,
    },
  });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

Deno.test("messagesUsageTap reads an event stream in chunks of any size", () => {
  assert.deepEqual(tap(SSE, STREAM), EXPECTED);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      (sizes) => assert.deepEqual(tap(SSE, STREAM, sizes), EXPECTED),
    ),
    { numRuns: 50 },
  );
});

Deno.test("messagesUsageTap takes input that only the delta reports, and keeps what it zeroes", () => {
  const first = start({ input_tokens: 0, output_tokens: 0 });
  assert.equal(
    tap(SSE, first + delta({ input_tokens: 5, output_tokens: 2 })).input,
    5,
  );
  const zeroed = start({ input_tokens: 8 }) +
    delta({ input_tokens: 0, output_tokens: 2 });
  assert.deepEqual(tap(SSE, zeroed), { input: 8, output: 2 });
});

Deno.test("messagesUsageTap adds the two cache lifetimes when there is no sum", () => {
  const usage = {
    input_tokens: 1,
    cache_creation: {
      ephemeral_5m_input_tokens: 10,
      ephemeral_1h_input_tokens: 7,
    },
  };
  assert.deepEqual(
    tap(SSE, start(usage)),
    { input: 1, cacheWrite: 17, cacheWrite1h: 7 },
  );
});

Deno.test("messagesUsageTap tells what of a sum was written for an hour, and keeps it when a later event is silent", () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 30,
    cache_creation: {
      ephemeral_5m_input_tokens: 10,
      ephemeral_1h_input_tokens: 20,
    },
  };
  const expected = { input: 1, output: 4, cacheWrite: 30, cacheWrite1h: 20 };
  const body = JSON.stringify({ usage: { ...usage, output_tokens: 4 } });
  assert.deepEqual(tap("application/json", body), expected);
  const silent = start(usage) + delta({ output_tokens: 4 });
  assert.deepEqual(tap(SSE, silent, [3]), expected);
  const zeroed = start(usage) + delta({
    output_tokens: 4,
    cache_creation: { ephemeral_1h_input_tokens: 0 },
  });
  assert.deepEqual(tap(SSE, zeroed), expected);
});

Deno.test("messagesUsageTap reports no tokens for an hour where the provider does not tell lifetimes apart", () => {
  for (const cache_creation of [null, undefined, {}, 3]) {
    const usage = { cache_creation_input_tokens: 5, cache_creation };
    assert.deepEqual(tap(SSE, start(usage)), { cacheWrite: 5 });
  }
});

Deno.test("messagesUsageTap reports what came before a stream was cut", () => {
  const cut = STREAM.slice(0, STREAM.indexOf("message_delta"));
  assert.deepEqual(tap(SSE, cut), { ...EXPECTED, output: 1 });
});

Deno.test("messagesUsageTap reports nothing for an error body", () => {
  const error = '{"type":"error","error":{"type":"overloaded_error"}}';
  assert.deepEqual(tap("application/json", error), {});
  assert.deepEqual(tap("text/html", "<html>"), {});
});
