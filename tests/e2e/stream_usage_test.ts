/** Usage of streams whose clients do not ask for it: measured, and nothing of it reaches the client. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import {
  bodyFor,
  COMPLETIONS,
  type ConversationRoute,
  GENERATIONS,
  type Place,
  post,
  replies,
  statsOf,
  withApp,
} from "../acceptance/world.ts";
import { SSE } from "../acceptance/streams.ts";
import { investigate, runTool } from "./agent.ts";
import { withProxy } from "./proxy.ts";
import type { Delivery, Reply } from "./scripted_wires.ts";
import type { Answer } from "./upstream.ts";

const ADDED = ',"stream_options":{"include_usage":true}';
const CHAT = GENERATIONS[1]!;
const COMPLETION = COMPLETIONS[0]!;
const MODELS = JSON.stringify({
  test: {
    pricing: Object.fromEntries(
      ["gpt-4o", "gpt-3.5-turbo-instruct"].map((name) => [name, {
        input: 10,
        output: 10,
        cached_input: 10,
      }]),
    ),
  },
});
const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A streamed request of the route; `tools`: ours is declared. */
function streamed(
  route: ConversationRoute,
  { tools = true, question = "why?", options }: {
    readonly tools?: boolean;
    readonly question?: string;
    readonly options?: unknown;
  } = {},
): Uint8Array {
  const { tools: own, ...bare } = route.members;
  const members = {
    ...bare,
    ...tools && own !== undefined ? { tools: own } : {},
    stream: true,
    ...options === undefined ? {} : { stream_options: options },
  };
  return bodyFor({ ...route, members }, { question, steps: [] }, 0);
}

/** Answers every request as if it were the first one. */
const sameReply = (reply: Reply): Answer => (request, _n, signal) =>
  replies(reply)(request, 0, signal);

/** What was spent, as soon as `n` requests have a cost. */
async function spent(place: Pick<Place, "url">, n: number) {
  for (let i = 0;; i++) {
    const { cost: { budget_basis, total_cost_usd } } = await statsOf(place);
    assert(budget_basis && i < 200, "no record came");
    if (budget_basis.records >= n) return { ...budget_basis, total_cost_usd };
  }
}

for (const route of [CHAT, COMPLETION]) {
  Deno.test(`a stream whose client asks for no usage is measured, and stops nothing under basis block: ${route.path}`, () =>
    withApp(replies(), async (place) => {
      for (const question of ["one", "two", "three"]) {
        const body = streamed(route, { question });
        const response = await post(place, route.path, body);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        assert.doesNotMatch(text, /usage/);
      }
      const { records, estimated_records, total_cost_usd } = await spent(
        place,
        3,
      );
      assert.deepEqual([records, estimated_records], [3, 0]);
      // 100 tokens in and 20 out, as the provider says.
      assert.equal(total_cost_usd, 3 * 120 * 10 / 1e6);
    }, {
      env: {
        SVC_BUDGET: "100",
        SVC_BUDGET_ESTIMATED_BASIS: "block",
        SVC_MODEL_LIMITS: MODELS,
      },
    }));
}

Deno.test("with SVC_STREAM_USAGE=off nothing is asked for, and such a stream is estimated", () =>
  withApp(replies(), async (place) => {
    const body = streamed(CHAT, { tools: false });
    await (await post(place, CHAT.path, body)).bytes();
    assert.deepEqual(place.upstream.received[0]!.body, body);
    assert.equal((await spent(place, 1)).estimated_records, 1);
    const next = await post(place, CHAT.path, body);
    assert.equal(next.status, 429);
    await next.body?.cancel();
  }, {
    env: {
      SVC_STREAM_USAGE: "off",
      SVC_BUDGET: "100",
      SVC_BUDGET_ESTIMATED_BASIS: "block",
      SVC_MODEL_LIMITS: MODELS,
    },
  }));

Deno.test("a client that leaves in the middle of its stream is estimated as before", async () => {
  const event = `data: ${
    JSON.stringify({ choices: [{ index: 0, delta: { content: "words " } }] })
  }\n\n`;
  const endless: Answer = () =>
    new Response(
      new ReadableStream({
        start: (controller) =>
          controller.enqueue(utf8.encode(event.repeat(100))),
      }),
      { headers: SSE },
    );
  await withApp(endless, async (place) => {
    const body = streamed(CHAT, { tools: false });
    const response = await post(place, CHAT.path, body);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    assert.equal((await spent(place, 1)).estimated_records, 1);
  }, { env: { SVC_BUDGET: "100", SVC_MODEL_LIMITS: MODELS } });
});

const DELIVERIES: readonly (readonly [string, Delivery])[] = [
  ["event by event", {}],
  ["in one piece", { chunks: (bytes) => [bytes] }],
  ["byte by byte", {
    lineEnd: "\r\n",
    chunks: (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte)),
  }],
];
const REPLY: Reply = {
  text: 'Grüße 😀, "usage":null and "usage":{} and more words.',
};
const CALLING: Reply = {
  text: "I look.",
  calls: [
    { tool: "Bash", input: { command: '"usage":null' } },
    { tool: "Read", input: { file: "a" } },
  ],
};

for (const [how, delivery] of DELIVERIES) {
  for (
    const [route, tools, reply] of [
      [CHAT, false, REPLY],
      [CHAT, true, REPLY],
      [CHAT, true, CALLING],
      [COMPLETION, false, REPLY],
    ] as const
  ) {
    const what = `${route.path}${tools ? ", with tools" : ""}${
      reply.calls ? " and calls" : ""
    }, ${how}`;
    Deno.test(`the client gets byte for byte what it gets without the proxy: ${what}`, () =>
      withApp(sameReply({ ...reply, delivery }), async (place) => {
        for (const options of [undefined, null, { include_usage: false }]) {
          const body = streamed(route, { tools, options });
          const through = await post(place, route.path, body);
          const shown = await through.text();
          const sent = place.upstream.received.at(-1)!;
          assert.match(sent.text, /"include_usage":true/);
          const direct = await post(place.upstream, route.path, body);
          assert.equal(shown, await direct.text());
        }
      }));
  }
}

Deno.test("a stream that the provider encodes unasked loses its usage, too", () => {
  const encoded: Answer = async (request, n, signal) => {
    const response = await replies(REPLY)(request, n, signal);
    const headers = { ...SSE, "content-encoding": "gzip" };
    return new Response(gzipSync(await response.bytes()), { headers });
  };
  return withApp(encoded, async (place) => {
    for (const tools of [false, true]) {
      const body = streamed(CHAT, { tools });
      const text = await (await post(place, CHAT.path, body)).text();
      assert.match(text, /\[DONE\]/);
      assert.doesNotMatch(text, /prompt_tokens/);
    }
  });
});

Deno.test("what must arrive as it came is sent without the request for usage", async () => {
  const body = streamed(CHAT, { tools: false });
  for (
    const [env, headers] of [
      [{}, { "x-svc-bypass": "true" }],
      [{}, { "x-svc-mode": "passthrough" }],
      [{}, { "x-svc-mode": "audit" }],
      [{}, { "x-svc-mode": "simulate" }],
      [{ SVC_OPTIMIZE: "off" }, {}],
      [{ SVC_STREAM_USAGE: "off" }, {}],
    ] as const
  ) {
    await withApp(replies(), async (place) => {
      const outgoing = { body, headers };
      await (await post(place, CHAT.path, outgoing)).bytes();
      const [sent] = place.upstream.received;
      assert.deepEqual(sent!.body, body, JSON.stringify([env, headers]));
    }, { env });
  }
});

/** Takes no request for usage. */
const picky = (status: number): Answer => (request, n, signal) =>
  request.text.includes("include_usage")
    ? Response.json({ error: { message: `no, ${status}` } }, { status })
    : replies()(request, n, signal);
/** What was asked for in each request that arrived. */
const askedIn = ({ upstream }: Place) =>
  upstream.received.map(({ text }) => ({
    usage: text.includes("include_usage"),
    tool: text.includes("headroom_retrieve"),
  }));

for (const status of [400, 422]) {
  Deno.test(`a host that answers ${status} gets the request once more without it, and never again with it`, () =>
    withApp(picky(status), async (place) => {
      const body = streamed(CHAT, { tools: false });
      for (let i = 0; i < 3; i++) {
        const response = await post(place, CHAT.path, body);
        assert.equal(response.status, 200, await response.text());
      }
      const other = await post(place, COMPLETION.path, streamed(COMPLETION));
      assert.equal(other.status, 200, await other.text());
      const asked = askedIn(place).map(({ usage }) => usage);
      assert.deepEqual(asked, [true, false, false, false, false]);
      assert.deepEqual(place.upstream.received[1]!.body, body);
      const { prefix_stability } = await statsOf(place);
      assert.equal(prefix_stability.ours, 0);
    }));
}

Deno.test("a host that refuses usage keeps the tool, and its conversation goes on from what was sent", () =>
  withApp(picky(400), async (place) => {
    for (const n of [0, 1]) {
      const steps = [{
        calls: [{ id: "c", tool: "Bash", args: {}, result: "done" }],
      }];
      const members = { ...CHAT.members, stream: true };
      const talk = { question: "why?", steps };
      const body = bodyFor({ ...CHAT, members }, talk, n);
      const response = await post(place, CHAT.path, body);
      assert.equal(response.status, 200, await response.text());
    }
    assert.deepEqual(askedIn(place), [
      { usage: true, tool: true },
      { usage: false, tool: true },
      { usage: false, tool: true },
    ]);
    const { prefix_stability: verdicts } = await statsOf(place);
    assert.deepEqual([verdicts.first, verdicts.extended], [1, 1]);
  }));

Deno.test("usage of answered retrievals is measured in every round, and the client sees none of it", () =>
  withProxy(investigate, async ({ url, provider }) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test" });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: "Why do jobs fail?" },
    ];
    for (;;) {
      const stream = client.chat.completions.stream({
        model: "gpt-4o",
        messages,
        tools: ["Bash", "fetch_rows"].map((name) => ({
          type: "function" as const,
          function: { name, parameters: { type: "object" } },
        })),
      });
      stream.on("chunk", (chunk) => assert.equal("usage" in chunk, false));
      const { message } = (await stream.finalChatCompletion()).choices[0]!;
      messages.push({
        role: "assistant",
        content: message.content,
        ...message.tool_calls && { tool_calls: message.tool_calls },
      });
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) break;
      for (const call of calls) {
        assert(call.type === "function");
        const content = runTool(call.function.name);
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
    assert.equal(
      messages.at(-1)!.content,
      "I need the whole log.The database refused connections.",
    );
    assert.equal(provider.received.length, 4);
    for (const { body } of provider.received) {
      assert(decoder.decode(body).endsWith(`${ADDED}}`));
    }
    const report = await statsOf({ url });
    assert.equal(report.tokens.output, 4 * 20);
    assert.equal(report.prefix_stability.ours, 0);
    assert.equal((await spent({ url }, 3)).estimated_records, 0);
  }, { SVC_BUDGET: "100", SVC_MODEL_LIMITS: MODELS }));

Deno.test("rounds that follow a refusal of usage belong to the prefix that is proved", async () => {
  /** What is proved of a conversation whose first answer retrieves. */
  const proved = async (refuses: boolean, env: Record<string, string>) => {
    let n = 0;
    const replies: readonly Reply[] = [
      {
        text: "Look: ",
        calls: [{ tool: "headroom_retrieve", input: { hash: "none" } }],
      },
      { text: "done." },
      { text: "Again." },
    ];
    let report: Awaited<ReturnType<typeof statsOf>> | undefined;
    await withProxy(({ body }) => {
      const asks = decoder.decode(body).includes("include_usage");
      return refuses && asks
        ? { error: { status: 400, body: "{}" } }
        : replies[n++]!;
    }, async ({ url }) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-test" });
      const messages: OpenAI.ChatCompletionMessageParam[] = [];
      for (const content of ["one", "two"]) {
        messages.push({ role: "user", content });
        const completion = await client.chat.completions.stream({
          model: "gpt-4o",
          messages,
          tools: [{
            type: "function",
            function: { name: "Bash", parameters: { type: "object" } },
          }],
        }).finalChatCompletion();
        const said = completion.choices[0]!.message.content;
        messages.push({ role: "assistant", content: said });
      }
      report = await statsOf({ url });
    }, env);
    return report!.prefix_stability;
  };
  const refused = await proved(true, {});
  assert.deepEqual(refused, await proved(false, { SVC_STREAM_USAGE: "off" }));
  assert.equal(refused.extended, 1);
});
