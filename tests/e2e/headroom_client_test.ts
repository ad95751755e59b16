/** The public client of the Headroom proxy, as it is on npm, against this proxy: every method whose route exists. */
import assert from "node:assert/strict";
import {
  collectStream,
  compress,
  HeadroomClient,
  HeadroomCompressError,
  HeadroomConnectionError,
  type OpenAIMessage,
  simulate as simulateWith,
  type SimulationResult,
} from "headroom-ai";
import { type Place, replies, withApp } from "../acceptance/world.ts";

const LOG = Array.from(
  { length: 300 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");
const MESSAGES: OpenAIMessage[] = [
  { role: "user", content: "Why does it take so long?" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{
      id: "c1",
      type: "function",
      function: { name: "run", arguments: "{}" },
    }],
  },
  { role: "tool", tool_call_id: "c1", content: LOG },
];
const SHORT: OpenAIMessage[] = [{ role: "user", content: "hi" }];

function withClient(
  test: (client: HeadroomClient, place: Place) => Promise<void>,
): Promise<void> {
  return withApp(
    replies(),
    (place) =>
      test(
        new HeadroomClient({
          baseUrl: `${place.url}/`,
          fallback: false,
          stack: "adapter_ts_test",
          providerApiKey: "provider-key",
        }),
        place,
      ),
  );
}

/** What the client gives, by names that its types do not have. */
function memberOf(value: object, name: string): unknown {
  return Reflect.get(value, name);
}

/** Types at run time that the client's types promise. */
const SIMULATION_TYPES = {
  tokensBefore: "number",
  tokensAfter: "number",
  tokensSaved: "number",
  transforms: "array",
  estimatedSavings: "string",
  messagesOptimized: "array",
  blockBreakdown: "object",
  wasteSignals: "object",
  stablePrefixHash: "string",
  cacheAlignmentScore: "number",
} satisfies Record<keyof SimulationResult, string>;

/** A simulation has every member that the client's types promise. */
function assertTypes(simulated: SimulationResult): void {
  for (const [name, type] of Object.entries(SIMULATION_TYPES)) {
    const value = memberOf(simulated, name);
    assert.equal(Array.isArray(value) ? "array" : typeof value, type, name);
  }
}

async function entries(client: HeadroomClient): Promise<unknown> {
  return memberOf((await client.getCCRStats()).store, "entryCount");
}

Deno.test("headroom-ai simulates without a trace, compresses, retrieves, and answers the model's tool calls", () =>
  withClient(async (client, { upstream }) => {
    const request = { model: "gpt-4o", messages: MESSAGES };
    for (
      const simulate of [
        () => client.chat.completions.simulate(request),
        () => client.messages.simulate(request),
        () => simulateWith(MESSAGES, { client, model: "gpt-4o" }),
      ]
    ) {
      const simulated = await simulate();
      assert(simulated.tokensSaved > 1000);
      assert(Object.keys(simulated.wasteSignals).includes("jsonBloat"));
      assert(simulated.wasteSignals["dynamicDate"]! > 1000);
      assert.deepEqual(simulated.blockBreakdown, { "router:log": 1 });
      assert.deepEqual(simulated.transforms, ["router:log"]);
      assert.match(simulated.estimatedSavings, /^0\.\d{6}$/);
      assert(Number(simulated.estimatedSavings) > 0);
      assert.equal(simulated.cacheAlignmentScore, 1);
      assertTypes(simulated);
      assert.match(simulated.stablePrefixHash, /^[0-9a-f]{32}$/);
      assert.notDeepEqual(simulated.messagesOptimized, MESSAGES);
    }
    const model = "a model without a price";
    const unpriced = await simulateWith(MESSAGES, { client, model });
    assert.equal(unpriced.estimatedSavings, "unknown");
    assertTypes(unpriced);
    assert.equal(upstream.received.length, 0);
    assert.equal(await entries(client), 0);

    const result = await client.compress(MESSAGES, {
      model: "gpt-4o",
      tokenBudget: 1000,
    });
    assert.equal(result.compressed, true);
    assert(result.tokensSaved > 1000 && result.compressionRatio < 0.5);
    assert.equal(result.tokensBefore - result.tokensAfter, result.tokensSaved);
    assert.deepEqual(result.transformsApplied, ["router:log"]);
    assert.deepEqual(result.messages.slice(0, 2), MESSAGES.slice(0, 2));
    const [hash] = result.ccrHashes;
    assert(hash && result.messages[2].content.includes(hash));

    const whole = await client.retrieve(hash);
    assert("originalContent" in whole);
    assert.equal(whole.originalContent, LOG);
    assert.equal(whole.toolName, "run");
    assert(whole.originalTokens > 1000 && whole.retrievalCount === 1);
    assert(whole.originalItemCount > whole.compressedItemCount);
    const part = await client.retrieve(hash, { query: "job 7 done" });
    assert(JSON.stringify(part).includes("job 7 done"));
    await assert.rejects(client.retrieve("0123456789ab"), (error) => {
      return error instanceof HeadroomCompressError && error.statusCode === 404;
    });

    assert.equal(await entries(client), 1);
    const { store } = await client.getCCRStats();
    assert.equal(memberOf(store, "totalRetrievals"), 2);

    const toolCall = { id: "t1", name: "headroom_retrieve", input: { hash } };
    const answer = await client.handleToolCall({
      toolCall,
      provider: "anthropic",
    });
    assert.equal(memberOf(answer, "success"), true);
    assert(JSON.stringify(answer).includes("job 299 done"));

    const blocks = [
      { role: "user", content: "Why?" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c1", name: "run", input: {} }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: LOG }],
      },
    ];
    const converted = await compress(blocks, {
      client,
      model: "claude-sonnet-4-5",
    });
    assert(converted.tokensSaved > 1000);
    assert.equal(converted.messages[2].content[0].tool_use_id, "c1");
  }));

Deno.test("headroom-ai asks models through the proxy, whole and streamed, and what is meant for it stays here", () =>
  withClient(async (client, { upstream: { received } }) => {
    const chat = await client.chat.completions.create({
      model: "gpt-5",
      messages: MESSAGES,
      headroomKeepTurns: 2,
      headroomOutputBufferTokens: 10,
    });
    assert.equal(chat.choices[0].message.content, "fine");
    const streamed = await client.chat.completions.create({
      model: "gpt-5",
      messages: SHORT,
      stream: true,
    });
    assert((await collectStream(streamed)).length > 1);
    const message = await client.messages.create({
      model: "claude-x",
      messages: SHORT,
    });
    assert.equal(message.content[0].text, "fine");
    const events = await collectStream<{ type: string }>(
      await client.messages.stream({ model: "claude-x", messages: SHORT }),
    );
    assert.equal(events.at(-1)?.type, "message_stop");

    assert.equal(received.length, 4);
    for (const { headers, text } of received) {
      assert(!/headroom(Keep|Output)/.test(text));
      assert(
        [...headers.keys()].every((name) => !/^x-(svc|headroom)/.test(name)),
      );
    }
    assert(received[0]!.text.length < LOG.length / 2);
    assert.equal(
      received[0]!.headers.get("authorization"),
      "Bearer provider-key",
    );
    assert.equal(received[2]!.headers.get("x-api-key"), "provider-key");

    for (const headroomMode of ["audit", "simulate"] as const) {
      const request = { model: "gpt-5", messages: MESSAGES };
      await client.chat.completions.create({ ...request, headroomMode });
      assert.deepEqual(JSON.parse(received.at(-1)!.text), request);
    }
    const stats = await client.proxyStats();
    assert.deepEqual(memberOf(stats.requests, "byStack"), { adapterTsTest: 6 });
  }));

Deno.test("headroom-ai reads every report that there is a route for", () =>
  withClient(async (client) => {
    await client.messages.create({ model: "claude-x", messages: SHORT });
    const health = await client.health();
    assert.equal(health.status, "healthy");
    assert.equal(health.config.optimize, true);
    assert.equal(health.config.rateLimit, false);
    assert.equal((await client.validateSetup()).valid, true);
    const stats = await client.proxyStats();
    assert.equal(stats.requests.total, 1);
    assert.equal(typeof stats.tokens.totalBeforeCompression, "number");
    assert.equal(typeof stats.latency.averageMs, "number");
    assert.equal((await client.getSummary()).totalRequests, 1);
    assert.equal((await client.getStats()).totalRequests, 1);
    const [metrics] = await client.getMetrics({ model: "claude-x", limit: 5 });
    assert.equal(metrics?.model, "claude-x");
    assert.deepEqual(await client.getMetrics({ model: "other" }), []);
    assert.match(await client.prometheusMetrics(), /^svc_requests_total 1$/m);
    const history = await client.statsHistory({ series: "daily" });
    assert.equal(history.schema_version, 3);
    assert.deepEqual(await client.clearCache(), { status: "cleared" });
    client.close();
  }));

Deno.test("headroom-ai is told 404 where there is no route, and that nobody is there where nobody is", () =>
  withClient(async (client) => {
    const missing = [
      () => client.memoryUsage(),
      () => client.telemetry.getStats(),
      () => client.feedback.getStats(),
      () => client.toin.getStats(),
    ];
    for (const call of missing) {
      await assert.rejects(
        call(),
        (error) =>
          error instanceof HeadroomCompressError && error.statusCode === 404,
      );
    }
    const { url, stop } = await closedPort();
    await stop();
    const nobody = new HeadroomClient({ baseUrl: url, fallback: false });
    await assert.rejects(nobody.health(), HeadroomConnectionError);
  }));

/** A port of 127.0.0.1 that nobody listens on, once it is stopped. */
async function closedPort() {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(),
  );
  await Promise.resolve();
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, stop: () => server.shutdown() };
}
