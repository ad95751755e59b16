import assert from "node:assert/strict";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { BodyBytes } from "../../../src/proxy/body_bytes.ts";
import type { CcrKey } from "../../../src/core/store.ts";
import { openRouter } from "../../../src/compute/open_router.ts";
import { makeAttempt } from "../../../src/pipeline/attempt.ts";
import { chatCompletionsFormat } from "../../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { responsesFormat } from "../../../src/providers/responses/format.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  compressRoute,
  type CompressRouteParts,
} from "../../../src/proxy/handlers/compress.ts";
import { BodyCounter, pieceSpans } from "../../../src/tokens/body_counter.ts";
import {
  type ClientFormat,
  CLIENTS,
  printed,
  talk,
} from "../../conformance/conversation.ts";
import { type Harness, harness } from "../../pipeline/harness.ts";
import { spanText } from "../../../src/tokens/count_pieces.ts";

const ROUTE = "/v1/compress";

/** A counter of which `count` counts the texts, as the harness does by default. */
function counterOf(
  count = (text: string) => Math.ceil(text.length / 4),
): BodyCounter {
  return new BodyCounter(({ bytes, ends }, onCounted) => {
    const texts = pieceSpans(ends).map((span) => spanText(bytes, span));
    onCounted(0, texts.map(count));
    return Promise.resolve();
  });
}

/** The route on a pipeline, and how to call it. */
function routeOf(
  process: Harness = harness(),
  facts: Partial<CompressRouteParts> = {},
) {
  const counter = counterOf();
  const app = new Hono<ProxyEnv>();
  app.post(
    ROUTE,
    compressRoute({
      compression: process.parts,
      formats: {
        messages: messagesFormat,
        chat_completions: chatCompletionsFormat,
        responses: responsesFormat,
      },
      mode: "cache",
      count: (input) => counter.count(input),
      maxBodyBytes: 1_000_000,
      bodies: new BodyBytes(10_000_000),
      timeoutMs: 30_000,
      ...facts,
    }),
  );
  app.onError((error) => new Response(error.message, { status: 500 }));
  const post = (
    body: string | Uint8Array,
    headers: HeadersInit = {},
    signal: AbortSignal | null = null,
  ) =>
    Promise.resolve(app.request(ROUTE, {
      method: "POST",
      body: body as BodyInit,
      headers,
      signal,
    }));
  const compress = async (
    messages: readonly unknown[],
    members: object = {},
    headers: HeadersInit = {},
  ) => {
    const body = JSON.stringify({ model: "m", messages, ...members });
    const response = await post(body, headers);
    assert.equal(response.status, 200);
    return await response.json();
  };
  return { post, compress, process };
}

function elements(
  client: ClientFormat,
  ...results: readonly string[]
): readonly unknown[] {
  return client.elements(talk(...results), results.length);
}

/** The error of a refused call. */
async function refused(
  response: Response,
): Promise<{ type: string; message: string; code: number }> {
  const { type, error } = await response.json();
  assert.equal(type, "error");
  assert.equal(error.code, response.status);
  return error;
}

for (const client of CLIENTS) {
  Deno.test(`compressRoute elides all long tool results of ${client.id} messages and keeps every original`, async () => {
    const { compress, process } = routeOf();
    const results = [printed(50), "short", printed(60)];
    const asCame = elements(client, ...results);
    const answer = await compress(asCame);
    assert.equal(answer.messages.length, asCame.length);
    assert.deepEqual(answer.transforms_applied, ["router:log"]);
    assert.deepEqual(answer.transforms_summary, { "router:log": 2 });
    assert.equal(answer.ccr_hashes.length, 2);
    const text = JSON.stringify(answer.messages);
    for (const [i, hash] of answer.ccr_hashes.entries()) {
      assert(text.includes(`hash=${hash}]`));
      const entry = process.store.entry(hash as CcrKey, process.clock.ms);
      assert("original" in entry);
      assert.equal(entry.original, results[i * 2]);
    }
    assert(text.includes("short"));
    assert(answer.tokens_after < answer.tokens_before);
    assert.equal(
      answer.tokens_saved,
      answer.tokens_before - answer.tokens_after,
    );
    assert.equal(
      answer.compression_ratio,
      answer.tokens_after / answer.tokens_before,
    );
    assert.equal(answer.within_budget, undefined);
    assert.equal(process.failures.size, 0);
  });
}

Deno.test("compressRoute changes nothing but the tool results, down to the byte", async () => {
  const { post } = routeOf();
  const result = JSON.stringify(printed(50)).replaceAll("/", "\\/");
  const messages = (content: string) =>
    `[ {"role":"user","content":[{"type":"text","text":"caf\\u00e9 \\/ \\ud83d\\ude00",
    "cache_control":{"type":"ephemeral"}},{"type":"image","source":{"data":"AA=="}}],"n":1.0},
  {"content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"a","name":"Bash",
    "input":{"big":12345678901234567890,"e":1E400,"z":-0.0}}], "role":"assistant","x":{"b":1,"a":[]}},
  {"role":"user","content":[{"is_error":false,"type":"tool_result","tool_use_id":"a","content":${content}}]} ]`;
  const response = await post(
    `{"messages":${messages(result)},"model":"m","tools":[{"x":1}]}`,
  );
  const answer = await response.text();
  const form = /"content":("line 0 of the output\\n… lines[^"]*")}\]} \]/
    .exec(answer)?.[1];
  assert(form !== undefined, answer);
  assert(answer.startsWith(`{"messages":${messages(form)},"tokens_before":`));
});

Deno.test("compressRoute leaves all other texts alone, however long", async () => {
  const { compress } = routeOf();
  const long = printed(80);
  const messages = [
    { role: "system", content: long },
    { role: "user", content: long },
    { role: "assistant", content: long },
    { role: "user", content: [{ type: "text", text: long }] },
  ];
  const answer = await compress(messages);
  assert.deepEqual(answer.messages, messages);
  assert.equal(answer.tokens_saved, 0);
  assert.equal(answer.compression_ratio, 1);
  assert.deepEqual(answer.transforms_applied, []);
  assert.deepEqual(answer.transforms_summary, {});
  assert.deepEqual(answer.ccr_hashes, []);
});

Deno.test("compressRoute takes a tool result whose call it does not know", async () => {
  const { compress } = routeOf();
  const message = { role: "tool", tool_call_id: "c", content: printed(50) };
  assert.equal((await compress([message])).ccr_hashes.length, 1);
});

Deno.test("compressRoute counts exactly what it was given and what it gives back", async () => {
  const { decide, counter } = await openRouter();
  const real = harness();
  const exact = counterOf((text) => counter.count(text, "gpt-4o"));
  const { compress } = routeOf(real, {
    compression: {
      ...real.parts,
      decide: (jobs) => Promise.all(jobs.map(decide)),
    },
    count: (input) => exact.count(input),
  });
  const log = Array.from(
    { length: 300 },
    (_, i) =>
      i === 150
        ? "FAILED test_login: AssertionError: 3 != 4"
        : `2026-01-01 10:00:${i % 60} INFO worker ${i} finished job ${i * 7}`,
  ).join("\n");
  const messages = [
    { role: "user", content: "why did it fail?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{
        id: "a",
        type: "function",
        function: { name: "Bash", arguments: '{"command":"make test"}' },
      }],
    },
    { role: "tool", tool_call_id: "a", content: log },
  ];
  const answer = await compress(messages, { model: "gpt-4o" });
  const tokens = (result: string) =>
    ["why did it fail?", '{"command":"make test"}', result]
      .reduce((sum, text) => sum + counter.count(text, "gpt-4o"), 0);
  assert.equal(answer.tokens_before, tokens(log));
  assert.equal(answer.tokens_after, tokens(answer.messages[2].content));
  assert(answer.tokens_saved > 1000);
  assert(answer.messages[2].content.includes("3 != 4"));
  assert.deepEqual(answer.transforms_applied, ["router:log"]);
});

Deno.test("compressRoute gives growing messages the same beginning, whatever else is in them", async () => {
  const result = fc.oneof(
    fc.integer({ min: 1, max: 60 }).map((n) => printed(n)),
    fc.integer({ min: 1, max: 2000 }).map((n) => "x".repeat(n)),
    fc.string({ unit: "grapheme", maxLength: 300 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CLIENTS),
      fc.array(result, { minLength: 1, maxLength: 6 }),
      fc.nat(3),
      fc.nat(20),
      async (client, results, protect_recent, cut) => {
        const { compress } = routeOf();
        const all = elements(client, ...results);
        const config = { protect_recent };
        const few = await compress(all.slice(0, cut), { config });
        const more = await compress(all, { config });
        assert.deepEqual(more.messages.slice(0, cut), few.messages);
        assert.deepEqual(
          more.ccr_hashes.slice(0, few.ccr_hashes.length),
          few.ccr_hashes,
        );
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("compressRoute decides a block once, also one that it left alone", async () => {
  const { compress, process } = routeOf();
  const [client] = CLIENTS;
  const alone = "a line of text that has no neighbour ".repeat(10);
  await compress(elements(client!, printed(50), alone));
  assert.equal(process.decided.length, 2);
  const config = { protect_recent: 1 };
  await compress(elements(client!, printed(50), alone), { config });
  assert.equal(process.decided.length, 2);
});

Deno.test("compressRoute leaves nothing out when it may not, and names no hash then", async () => {
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50), "x".repeat(900));
  const { compress, process } = routeOf();
  const asked = await compress(messages, { config: { lossless: true } });
  assert(
    process.decided.every(({ mayElide, options }) =>
      !mayElide && options.exact
    ),
  );
  const off = await routeOf(harness({ ccr: false })).compress(messages);
  for (const answer of [asked, off]) {
    assert.deepEqual(answer.transforms_applied, ["router:fold"]);
    assert.deepEqual(answer.ccr_hashes, []);
    assert(JSON.stringify(answer.messages).includes("line 25"));
    assert(answer.tokens_saved > 0);
  }
});

Deno.test("compressRoute asks for whole source code in the messages that the caller protects", async () => {
  const { compress, process } = routeOf();
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50), printed(60));
  await compress(messages, { config: { protect_recent: 2 } });
  assert.deepEqual(
    process.decided.map(({ options }) => options.codeAware),
    [true, false],
  );
});

Deno.test("compressRoute echoes the messages and saves nothing when it is bypassed", async () => {
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50));
  for (
    const headers of [
      { "x-svc-bypass": "true" },
      { "x-svc-mode": "passthrough" },
      { "x-svc-mode": "simulate", "x-svc-bypass": "true" },
    ]
  ) {
    const { compress, process } = routeOf();
    const answer = await compress(messages, {}, headers);
    assert.deepEqual(answer.messages, messages);
    assert.equal(answer.tokens_saved, 0);
    assert.equal(answer.compression_ratio, 1);
    assert.deepEqual(answer.ccr_hashes, []);
    assert.equal(answer.messages_optimized, undefined);
    assert.equal(process.decided.length, 0);
  }
});

Deno.test("compressRoute echoes the messages where compression is switched off, but still simulates", async () => {
  const messages = elements(CLIENTS[0]!, printed(50));
  const { compress } = routeOf(harness(), { mode: "passthrough" });
  assert.deepEqual((await compress(messages)).messages, messages);
  const config = { default_mode: "simulate" };
  assert((await compress(messages, { config })).tokens_saved > 0);
  const headers = { "x-svc-mode": "simulate" };
  assert((await compress(messages, {}, headers)).tokens_saved > 0);
});

Deno.test("compressRoute answers no messages with zeros", async () => {
  const answer = await routeOf().compress([], { token_budget: 1 });
  assert.deepEqual(answer, {
    messages: [],
    tokens_before: 0,
    tokens_after: 0,
    tokens_saved: 0,
    compression_ratio: 1,
    within_budget: true,
    transforms_applied: [],
    transforms_summary: {},
    ccr_hashes: [],
  });
});

Deno.test("compressRoute reports a token budget and drops nothing to reach it", async () => {
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50), "short");
  const { compress } = routeOf();
  const tight = await compress(messages, { token_budget: 1 });
  assert.equal(tight.within_budget, false);
  assert.equal(tight.messages.length, messages.length);
  const wide = await compress(messages, { token_budget: tight.tokens_after });
  assert.equal(wide.within_budget, true);
});

Deno.test("compressRoute reports what the model takes, where that is known", async () => {
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50), "short");
  const { post } = routeOf(harness(), {
    contextLimit: (model) => model === "m" ? 4100 : undefined,
  });
  const facts = async (model: string, headers: HeadersInit = {}) => {
    const response = await post(JSON.stringify({ model, messages }), headers);
    const answer = await response.json();
    assert.equal(answer.messages.length, messages.length);
    assert.equal(
      response.headers.get("x-svc-tokens-budget"),
      answer.context_budget === undefined ? null : `${answer.context_budget}`,
    );
    return [
      answer.context_limit,
      answer.context_budget,
      answer.within_context,
    ];
  };
  assert.deepEqual(await facts("m"), [4100, 4, false]);
  const buffer = { "x-svc-output-buffer-tokens": "100" };
  assert.deepEqual(await facts("m", buffer), [4100, 4000, true]);
  const none = [undefined, undefined, undefined];
  assert.deepEqual(await facts("who-knows", buffer), none);
  const limit = { ...buffer, "x-svc-tokens-limit": "101" };
  assert.deepEqual(await facts("who-knows", limit), [101, 1, false]);
});

Deno.test("compressRoute simulates with the numbers of the real call, and keeps nothing", async () => {
  const [client] = CLIENTS;
  const messages = elements(client!, printed(50), "short");
  const calls = [
    [{ config: { default_mode: "simulate" } }, {}],
    [{}, { "x-svc-mode": "audit" }],
  ] as const;
  for (const [members, headers] of calls) {
    const { compress, process } = routeOf();
    const simulated = await compress(messages, members, headers);
    assert.equal(process.store.stats().entries, 0);
    assert.deepEqual(simulated.messages, messages);
    assert.deepEqual(simulated.ccr_hashes, []);
    assert.equal(simulated.estimated_savings, "unknown");
    assert.deepEqual(simulated.transforms, ["router:log"]);
    assert.equal(simulated.waste_signals.json_bloat, 0);
    assert.match(simulated.stable_prefix_hash, /^[0-9a-f]{32}$/);
    assert.equal(simulated.cache_alignment_score, 1);
    assert.deepEqual(simulated.block_breakdown, {
      "router:log": 1,
      too_small: 1,
    });
    const real = await compress(messages);
    assert.deepEqual(simulated.messages_optimized, real.messages);
    assert.equal(simulated.tokens_after, real.tokens_after);
    assert.equal(real.ccr_hashes.length, 1);
    assert.equal(real.waste_signals, undefined);
    assert.equal(real.transforms, undefined);
  }
});

Deno.test("compressRoute prices what a simulated prompt would save, at the price of prompts of its size", async () => {
  const messages = elements(CLIENTS[0]!, printed(50), "short");
  const asked: unknown[] = [];
  const { compress } = routeOf(harness(), {
    inputPrice: (...price) => {
      asked.push(price);
      return 0.5;
    },
  });
  const config = { default_mode: "simulate", generate_diff_artifact: true };
  const simulated = await compress(messages, { config });
  const usd = (simulated.tokens_saved / 2).toFixed(6);
  assert.equal(simulated.estimated_savings, usd);
  assert.deepEqual(asked, [["m", simulated.tokens_before]]);
  const { diff_artifact: { transforms, total_tokens_saved } } = simulated;
  assert.equal(total_tokens_saved, simulated.tokens_saved);
  assert.deepEqual(
    transforms.map(({ transform_name }: { transform_name: string }) =>
      transform_name
    ),
    ["router:log"],
  );
});

Deno.test("compressRoute looks at the instructions beside the messages when it simulates", async () => {
  const system = "Today is 2026-03-02.";
  const config = { default_mode: "simulate" };
  const { cache_alignment_warnings: [warning] } = await routeOf().compress([], {
    system,
    config,
  });
  assert.match(warning, /^system: the date "2026-03-02"/);
});

Deno.test("compressRoute gives messages that it cannot scan back as they came", async () => {
  const { compress, process } = routeOf();
  const odd = [
    { role: "assistant", content: null },
    ...elements(CLIENTS[0]!, printed(50)),
  ];
  const answer = await compress(odd);
  assert.deepEqual(answer.messages, odd);
  assert.equal(answer.tokens_saved, 0);
  assert(answer.tokens_before > 100);
  assert.equal(process.failures.get("scan_messages"), 1);
});

Deno.test("compressRoute reads an encoded body, and refuses one that it cannot decode", async () => {
  const { post } = routeOf();
  const body = gzipSync('{"model":"m","messages":[]}');
  assert.equal((await post(body, { "content-encoding": "gzip" })).status, 200);
  const broken = await post(body.subarray(0, 12), {
    "content-encoding": "gzip",
  });
  assert.equal(broken.status, 400);
  assert.equal((await refused(broken)).type, "invalid_request");
});

Deno.test("compressRoute answers 400 invalid_request to what it cannot read", async () => {
  const { post } = routeOf();
  for (
    const body of [
      "",
      "{",
      '{"model":"m"}',
      '{"messages":[]}',
      '{"model":"m","messages":"x"}',
      '{"model":7,"messages":[]}',
      '{"model":"m","messages":["x"]}',
      '{"model":"m","messages":[],"config":{"target_ratio":0.5}}',
    ]
  ) {
    const response = await post(body);
    assert.equal(response.status, 400, body);
    assert.equal((await refused(response)).type, "invalid_request");
  }
});

Deno.test("compressRoute answers 413 to a body above the limit, also once it is decoded", async () => {
  const { post } = routeOf(harness(), { maxBodyBytes: 200 });
  const body = `{"model":"m","messages":[],"x":"${"x".repeat(200)}"}`;
  for (
    const response of [
      await post(body),
      await post(gzipSync(body), { "content-encoding": "gzip" }),
    ]
  ) {
    assert.equal(response.status, 413);
    const { type, message } = await refused(response);
    assert.equal(type, "request_too_large");
    assert.match(message, /SVC_REQUEST_BODY_MAX_BYTES/);
  }
});

Deno.test("compressRoute answers 503 compression_timeout and stores nothing when it takes too long", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const process = harness({ meanwhile: () => promise });
  const { post } = routeOf(process, { timeoutMs: 1 });
  const messages = elements(CLIENTS[0]!, printed(50));
  const response = await post(JSON.stringify({ model: "m", messages }));
  assert.equal(response.status, 503);
  const { type, message } = await refused(response);
  assert.equal(type, "compression_timeout");
  assert.match(message, /0\.001 s.*SVC_COMPRESSION_TIMEOUT_SECONDS/);
  assert.equal(process.failures.get("compress_route"), 1);
  resolve();
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(process.store.stats().entries, 0);
});

Deno.test("compressRoute answers 503 compression_error without a word of what broke", async () => {
  const told: unknown[] = [];
  const process = harness();
  const { post } = routeOf(process, {
    compression: {
      ...process.parts,
      attempt: makeAttempt((...record) => void told.push(record)),
    },
    count: () => {
      throw new RangeError("private text");
    },
  });
  const response = await post('{"model":"m","messages":[]}');
  assert.equal(response.status, 503);
  assert.equal((await refused(response)).type, "compression_error");
  assert.equal(told.length, 1);
  assert(!JSON.stringify(told).includes("private text"));
});

Deno.test("compressRoute stops for a caller who leaves", async () => {
  const caller = new AbortController();
  const process = harness({ meanwhile: () => caller.abort() });
  const { post } = routeOf(process);
  const messages = elements(CLIENTS[0]!, printed(50));
  const body = JSON.stringify({ model: "m", messages });
  const response = await post(body, {}, caller.signal);
  assert.equal(response.status, 499);
  assert.equal(process.store.stats().entries, 0);
});
