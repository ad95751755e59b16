import assert from "node:assert/strict";
import { NO_FIGURES } from "../conversations.ts";
import { absorbing } from "../../../src/sdk/failures.ts";
import { makeAttempt } from "../../../src/pipeline/attempt.ts";
import {
  type ClientCompressOptions,
  compressByProxy,
  simulateByProxy,
} from "../../../src/sdk/client/compress_call.ts";
import {
  clientSettings,
  type SvcClientOptions,
} from "../../../src/sdk/client/options.ts";
import { Transport } from "../../../src/sdk/client/transport.ts";
import {
  ConfigurationError,
  StorageError,
  SvcAuthError,
  SvcCompressError,
  SvcConnectionError,
  ValidationError,
} from "../../../src/sdk/errors.ts";
import {
  compressed,
  type FakeAnswer,
  fakeProxy,
  refusal,
} from "./fake_proxy.ts";

const MESSAGES = [
  { role: "user", content: "hi" },
  { role: "tool", tool_call_id: "c1", content: "long" },
];
const DOWN = new TypeError("refused");

function clientOf(
  answers: readonly FakeAnswer[],
  options: SvcClientOptions = {},
) {
  const { fetch, sent } = fakeProxy(...answers);
  const settings = clientSettings({ ...options, fetch }, () => undefined);
  const problems: unknown[] = [];
  const parts = {
    settings,
    transport: new Transport(settings),
    absorb: absorbing(makeAttempt((_, __, facts) => problems.push(facts))),
  };
  return {
    sent,
    problems,
    compress: (options: ClientCompressOptions = {}) =>
      compressByProxy(parts, MESSAGES, options),
    simulate: (options: ClientCompressOptions = {}) =>
      simulateByProxy(parts, MESSAGES, options),
  };
}

Deno.test("compressByProxy asks /v1/compress for gpt-4o, and gives its figures in camel case", async () => {
  const { compress, sent } = clientOf([compressed]);
  const result = await compress();
  assert.deepEqual(result, {
    messages: [MESSAGES[0], { ...MESSAGES[1], content: "short" }],
    tokensBefore: 10,
    tokensAfter: 4,
    tokensSaved: 6,
    compressionRatio: 0.4,
    transformsApplied: ["router:log"],
    transformsSummary: { "router:log": 1 },
    ccrHashes: ["k1"],
    compressed: true,
  });
  assert.equal(result.messages[0], MESSAGES[0]);
  assert.equal(sent[0]!.url, "http://localhost:8787/v1/compress");
  assert.deepEqual(sent[0]!.body, { messages: MESSAGES, model: "gpt-4o" });
});

Deno.test("compressByProxy says what the model takes, by the client's own limits first, and gives what the proxy reports of it", async () => {
  const answer: FakeAnswer = async (sent) =>
    Response.json({
      ...await compressed(sent).json(),
      context_limit: 900,
      context_budget: 800,
      within_context: true,
    });
  const { compress, sent } = clientOf([answer], {
    modelContextLimits: { mine: 900 },
  });
  const result = await compress({ model: "mine", outputBufferTokens: 100 });
  const { contextLimit, contextBudget, withinContext } = result;
  assert.deepEqual([contextLimit, contextBudget, withinContext], [
    900,
    800,
    true,
  ]);
  await compress({ model: "toString" });
  const said = (name: string) => sent.map(({ headers }) => headers.get(name));
  assert.deepEqual(said("x-svc-tokens-limit"), ["900", null]);
  assert.deepEqual(said("x-svc-output-buffer-tokens"), ["100", null]);
});

Deno.test("compressByProxy sends what a call says before what the client was made with", async () => {
  const { compress, sent } = clientOf([compressed], {
    config: { lossless: true, protectRecent: 1 },
    defaultMode: "audit",
    stack: "client",
  });
  await compress();
  await compress({
    model: "m",
    tokenBudget: 5,
    protectRecent: 2,
    config: { protectRecent: 3, own_member: "x" },
    headroomMode: "optimize",
    conversation: "one ü",
    stack: "call",
  });
  await compress({
    lossless: false,
    protectAnalysisContext: true,
    minTokensToCompress: 50,
  });
  assert.deepEqual(sent.map(({ body }) => body), [
    {
      messages: MESSAGES,
      model: "gpt-4o",
      config: { lossless: true, protect_recent: 1 },
    },
    {
      messages: MESSAGES,
      model: "m",
      token_budget: 5,
      config: { lossless: true, protect_recent: 3, own_member: "x" },
    },
    {
      messages: MESSAGES,
      model: "gpt-4o",
      config: {
        lossless: false,
        protect_recent: 1,
        protect_analysis_context: true,
        min_tokens_to_compress: 50,
      },
    },
  ]);
  const said = (name: string) => sent.map(({ headers }) => headers.get(name));
  assert.deepEqual(said("x-svc-mode"), ["audit", "optimize", "audit"]);
  assert.deepEqual(said("x-svc-stack"), ["client", "call", "client"]);
  assert.deepEqual(said("x-svc-session-id"), [null, "one%20%C3%BC", null]);
});

Deno.test("compressByProxy throws at once what another try would not change, fallback or not", async () => {
  const rows = [
    [401, "anything", SvcAuthError],
    [400, "invalid_request", SvcCompressError],
    [400, "validation_error", ValidationError],
    [404, "unknown", SvcCompressError],
    [413, "request_too_large", SvcCompressError],
    [429, "configuration_error", ConfigurationError],
  ] as const;
  for (const [status, type, Class] of rows) {
    const { compress, sent } = clientOf([refusal(status, type)], {
      retries: 3,
    });
    await assert.rejects(compress(), Class);
    assert.equal(sent.length, 1);
  }
});

Deno.test("compressByProxy tries again after a failed connection and a 5xx answer, then gives up", async () => {
  const failures = [
    [DOWN, SvcConnectionError],
    [refusal(500, "storage_error"), StorageError],
    [refusal(503, "compression_timeout"), SvcCompressError],
    [new Response("<html>"), SvcConnectionError],
    [Response.json({ messages: [] }), SvcConnectionError],
  ] as const;
  for (const [failure, Class] of failures) {
    for (const retries of [0, 1, 2]) {
      const never = clientOf([failure], { retries, fallback: false });
      await assert.rejects(never.compress(), Class);
      assert.equal(never.sent.length, 1 + retries);
    }
    const second = clientOf([failure, compressed], { fallback: false });
    assert.equal((await second.compress()).compressed, true);
  }
});

Deno.test("compressByProxy falls back to the messages as they are, with zeros and the reason", async () => {
  for (const failure of [DOWN, refusal(503, "compression_error")]) {
    const { compress, sent } = clientOf([failure]);
    const { reason, ...result } = await compress();
    assert.deepEqual(result, {
      messages: MESSAGES,
      ...NO_FIGURES,
    });
    result.messages.forEach((message, i) => assert.equal(message, MESSAGES[i]));
    assert(reason);
    assert.equal(sent.length, 2);
  }
});

Deno.test("compressByProxy takes a proxy that does not answer in time for one that cannot be reached", async () => {
  const silent = () => new Promise<never>(() => {});
  const strict = clientOf([silent], { timeout: 1, fallback: false });
  await assert.rejects(strict.compress(), SvcConnectionError);
  assert.equal(strict.sent.length, 2);
  const kind = clientOf([silent], { timeout: 1 });
  assert.equal((await kind.compress()).compressed, false);
});

Deno.test("compressByProxy ends with the reason of the caller's signal, without another try", async () => {
  const stop = new AbortController();
  const { compress, sent } = clientOf([() => {
    stop.abort("enough");
    return new Promise<never>(() => {});
  }]);
  const call = compress({ signal: stop.signal });
  await assert.rejects(call, (thrown) => thrown === "enough");
  assert.equal(sent.length, 1);
});

Deno.test("compressByProxy refuses what is no array, also where nobody would answer", async () => {
  const { fetch } = fakeProxy(DOWN);
  const settings = clientSettings({ fetch }, () => undefined);
  const transport = new Transport(settings);
  const absorb = absorbing(makeAttempt(() => {}));
  const text = "hi" as unknown as unknown[];
  await assert.rejects(
    compressByProxy({ settings, transport, absorb }, text, {}),
    ValidationError,
  );
});

Deno.test("compressByProxy asks and tells hooks, whose failures fail nothing", async () => {
  const { compress, sent, problems } = clientOf([compressed]);
  const events: unknown[] = [];
  const instead = [{ role: "tool", tool_call_id: "c1", content: "long" }];
  const result = await compress({
    hooks: {
      preCompress: (_, { userQuery }) => {
        events.push(userQuery);
        return instead;
      },
      postCompress: ({ tokensSaved, model }) => {
        events.push([tokensSaved, model]);
        throw new Error("mine");
      },
    },
  });
  assert.deepEqual(events, ["hi", [6, "gpt-4o"]]);
  assert.deepEqual(Object(sent[0]!.body).messages, instead);
  assert.equal(result.messages.length, 1);
  assert.equal(problems.length, 1);
});

Deno.test("simulateByProxy reports what would be done, and falls back to nothing", async () => {
  const { simulate, sent } = clientOf([
    (one) => {
      const messages_optimized = [
        MESSAGES[0],
        { ...MESSAGES[1], content: "short" },
      ];
      return compressed(one).json().then((answer) =>
        Response.json({
          ...answer,
          messages: MESSAGES,
          messages_optimized,
          estimated_savings: "0.500000",
          block_breakdown: { "router:log": 1 },
          waste_signals: { json_bloat: 3 },
          stable_prefix_hash: "abc",
          cache_alignment_score: 0.9,
        })
      );
    },
    // As older proxies send it, and where the price is unknown.
    ...[0.25, null, "unknown", ""].map(
      (estimated_savings) => async (one: Parameters<typeof compressed>[0]) => {
        const answer = await compressed(one).json();
        const { messages: messages_optimized } = answer;
        return Response.json({
          ...answer,
          messages_optimized,
          estimated_savings,
        });
      },
    ),
    refusal(503, "compression_error"),
  ]);
  assert.deepEqual(await simulate({ model: "m" }), {
    tokensBefore: 10,
    tokensAfter: 4,
    tokensSaved: 6,
    transforms: ["router:log"],
    estimatedSavings: 0.5,
    messagesOptimized: [MESSAGES[0], { ...MESSAGES[1], content: "short" }],
    blockBreakdown: { "router:log": 1 },
    wasteSignals: { json_bloat: 3 },
    stablePrefixHash: "abc",
    cacheAlignmentScore: 0.9,
  });
  assert.deepEqual(Object(sent[0]!.body).config, { default_mode: "simulate" });
  for (const usd of [0.25, null, null, null]) {
    assert.equal((await simulate()).estimatedSavings, usd);
  }
  await assert.rejects(simulate(), SvcCompressError);
  assert.equal(sent.length, 6);
});
