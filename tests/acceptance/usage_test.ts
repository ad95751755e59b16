/** Tokens as the provider counted them. */
import assert from "node:assert/strict";
import { FORMATS, QUESTION, SSE, streamBody } from "./streams.ts";
import { bodyFor, post, statsOf, withApp } from "./world.ts";

/** What each provider reports, and what is counted: uncached, read, written, output. */
const USAGES: readonly (readonly [
  path: string,
  usage: object,
  counted: readonly number[],
])[] = [
  ["/v1/messages", {
    input_tokens: 11,
    cache_read_input_tokens: 700,
    cache_creation_input_tokens: 50,
    cache_creation: {
      ephemeral_5m_input_tokens: 20,
      ephemeral_1h_input_tokens: 30,
    },
    output_tokens: 9,
  }, [11, 700, 50, 9]],
  ["/v1/chat/completions", {
    prompt_tokens: 711,
    completion_tokens: 9,
    total_tokens: 720,
    prompt_tokens_details: { cached_tokens: 700 },
  }, [11, 700, 0, 9]],
  ["/v1/responses", {
    input_tokens: 711,
    input_tokens_details: { cached_tokens: 700 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 720,
  }, [11, 700, 0, 9]],
];

/** The events with which a family reports usage. */
const REPORTS: Readonly<Record<string, (usage: object) => string>> = {
  "/v1/messages": (usage) =>
    sse({
      type: "message_start",
      message: { usage: { ...usage, output_tokens: 1 } },
    }) +
    sse({ type: "message_delta", delta: {}, usage: { output_tokens: 9 } }) +
    sse({ type: "message_stop" }),
  "/v1/chat/completions": (usage) =>
    sse({ choices: [{ index: 0, delta: { content: "x" } }] }) +
    sse({ choices: [], usage }) + "data: [DONE]\n\n",
  "/v1/responses": (usage) =>
    sse({ type: "response.created", response: { id: "r", usage: null } }) +
    sse({ type: "response.completed", response: { id: "r", usage } }),
};

function sse(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

for (const [path, usage, counted] of USAGES) {
  Deno.test(`27 usage of ${path} is counted as the provider reports it, streamed or not`, async () => {
    for (const stream of [false, true]) {
      const answer = () =>
        stream
          ? new Response(REPORTS[path]!(usage), { headers: SSE })
          : Response.json({ id: "x", usage });
      await withApp(answer, async (place) => {
        const route = FORMATS.find((one) => one.path === path)!;
        const body = stream
          ? streamBody(route, false)
          : bodyFor(route, QUESTION, 0);
        await (await post(place, path, body)).bytes();
        const { tokens, prefix_cache } = await statsOf(place);
        const { totals } = prefix_cache;
        assert.deepEqual([
          totals.uncached_input_tokens,
          totals.cache_read_tokens,
          totals.cache_write_tokens,
          tokens.output,
        ], counted);
        assert.equal(tokens.input, 711 + (counted[2] ?? 0));
      });
    }
  });
}
