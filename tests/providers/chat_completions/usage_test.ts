import assert from "node:assert/strict";
import fc from "fast-check";
import type { Usage } from "../../../src/core/usage.ts";
import { chatUsageTap } from "../../../src/providers/chat_completions/usage.ts";

const SSE = "text/event-stream";

function tap(
  contentType: string,
  text: string,
  sizes: readonly number[] = [text.length],
): Usage {
  const made = chatUsageTap(contentType);
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1);
    made.push(bytes.slice(at, end));
    at = end;
  }
  return made.finish();
}

const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100 },
};
const EXPECTED = { input: 20, output: 30, cacheRead: 100 };
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const STREAM = data({ choices: [{ delta: { content: "é😀" } }], usage: null }) +
  data({ choices: [], usage: USAGE }) + "data: [DONE]\n\n";

Deno.test("chatUsageTap reads a JSON body: input is the prompt without its cached part", () => {
  const body = JSON.stringify({ choices: [], usage: USAGE });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

Deno.test("chatUsageTap reads an event stream in chunks of any size", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (sizes) => assert.deepEqual(tap(SSE, STREAM, sizes), EXPECTED),
    ),
    { numRuns: 50 },
  );
});

Deno.test("chatUsageTap lets the last of several running totals count", () => {
  const first = data({ usage: { prompt_tokens: 120, completion_tokens: 1 } });
  assert.deepEqual(tap(SSE, first + STREAM), EXPECTED);
});

Deno.test("chatUsageTap leaves out what was not reported", () => {
  const body = '{"usage":{"prompt_tokens":7,"completion_tokens":null}}';
  assert.deepEqual(tap("application/json", body), { input: 7 });
  assert.deepEqual(tap(SSE, data({ choices: [] })), {});
});

Deno.test("chatUsageTap never makes input negative", () => {
  const usage = {
    prompt_tokens: 5,
    prompt_tokens_details: { cached_tokens: 9 },
  };
  assert.deepEqual(
    tap("application/json", JSON.stringify({ usage })),
    { input: 0, cacheRead: 9 },
  );
});
