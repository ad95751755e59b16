import assert from "node:assert/strict";
import { makeUsageTap, member, tokens } from "../../src/sse/usage_tap.ts";

const utf8 = new TextEncoder();

function tap(contentType: string, text: string, step = Infinity): unknown {
  const made = makeUsageTap(contentType, {
    body: ["usage"],
    events: [["response", "usage"], ["usage"]],
    merge: (known, reported) => ({
      input: (known.input ?? 0) + (tokens(reported, "n") ?? 0),
    }),
  });
  const bytes = utf8.encode(text);
  for (let at = 0; at < bytes.length; at += step) {
    made.push(bytes.subarray(at, at + step));
  }
  return made.finish();
}

Deno.test("makeUsageTap reads the body's usage object when it is no event stream", () => {
  assert.deepEqual(tap("application/json", '{"usage":{"n":2}}'), { input: 2 });
  assert.deepEqual(tap("", '{"usage":{"n":2}}'), { input: 2 });
});

Deno.test("makeUsageTap merges the usage objects of all events, by whichever path leads to one", () => {
  const stream =
    'data: {"usage":{"n":1}}\n\ndata: {"usage":null}\n\ndata: {"response":{"usage":{"n":4}},"usage":{"n":100}}\n\n';
  assert.deepEqual(tap("Text/Event-Stream; charset=utf-8", stream), {
    input: 5,
  });
});

Deno.test("makeUsageTap reads a last event without its blank line", () => {
  assert.deepEqual(
    tap("text/event-stream", 'data: {"usage":{"n":3}}'),
    { input: 3 },
  );
});

Deno.test("makeUsageTap finds the usage of an event above the size bound", () => {
  const pad = "x".repeat(1 << 20);
  const big =
    `event: done\ndata: {"response":{"text":"${pad}","usage":{"n":3}}}\n\n`;
  const stream = `${big}data: {"usage":{"n":1}}\n\n`;
  assert.deepEqual(tap("text/event-stream", stream, 10_000), { input: 4 });
});

Deno.test("makeUsageTap reports nothing for malformed input and does not throw", () => {
  for (const text of ['data: {"usage":{"n":', 'data: "usage"\n\n', "\xff{"]) {
    assert.deepEqual(tap("text/event-stream", text), {});
    assert.deepEqual(tap("application/json", text), {});
  }
});

Deno.test("tokens takes non-negative whole numbers only", () => {
  const from = { a: 1, b: -1, c: 1.5, d: "1", e: null, f: 0 };
  assert.deepEqual(
    ["a", "b", "c", "d", "e", "f", "g"].map((key) => tokens(from, key)),
    [1, undefined, undefined, undefined, undefined, 0, undefined],
  );
  assert.equal(tokens(null, "a"), undefined);
  assert.equal(member("text", "length"), undefined);
});
