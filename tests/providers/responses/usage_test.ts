import assert from "node:assert/strict";
import fc from "fast-check";
import type { Usage } from "../../../src/core/usage.ts";
import { responsesUsageTap } from "../../../src/providers/responses/usage.ts";

const SSE = "text/event-stream";

function tap(
  contentType: string,
  text: string,
  sizes: readonly number[] = [text.length],
): Usage {
  const made = responsesUsageTap(contentType);
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
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 100 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 10 },
};
const EXPECTED = { input: 20, output: 30, cacheRead: 100 };

function stream(end: string): string {
  const created = { type: "response.created", response: { usage: null } };
  const closing = { type: end, response: { output: [], usage: USAGE } };
  return [created, { type: "response.output_text.delta", delta: "é" }, closing]
    .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
}

Deno.test("responsesUsageTap reads a JSON body: input is the prompt without its cached part", () => {
  const body = JSON.stringify({ output: [], usage: USAGE });
  assert.deepEqual(tap("application/json", body), EXPECTED);
});

for (const end of ["completed", "incomplete", "failed"]) {
  Deno.test(`responsesUsageTap reads a stream that ends with response.${end}, in chunks of any size`, () => {
    const text = stream(`response.${end}`);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (sizes) => assert.deepEqual(tap(SSE, text, sizes), EXPECTED),
      ),
      { numRuns: 30 },
    );
  });
}

Deno.test("responsesUsageTap reports nothing when the stream was cut before its end", () => {
  const text = stream("response.completed");
  assert.deepEqual(tap(SSE, text.slice(0, -200)), {});
});
