import assert from "node:assert/strict";
import { SvcClient } from "../../../src/sdk/client/client.ts";
import type { SvcClientOptions } from "../../../src/sdk/client/options.ts";
import { ConfigurationError } from "../../../src/sdk/errors.ts";
import { compressed, type FakeAnswer, fakeProxy } from "./fake_proxy.ts";

function clientOf(answer: FakeAnswer, options: SvcClientOptions = {}) {
  const { fetch, sent } = fakeProxy(answer);
  const baseUrl = "http://proxy.test/";
  return { client: new SvcClient({ baseUrl, ...options, fetch }), sent };
}

Deno.test("SvcClient sends nothing when it is made, and says what it cannot use", () => {
  const { client, sent } = clientOf(new Response("{}"));
  assert.equal(client.baseUrl, "http://proxy.test");
  client.close();
  assert.equal(sent.length, 0);
  assert.throws(() => new SvcClient({ retries: -1 }), ConfigurationError);
});

Deno.test("SvcClient asks every route by its method and path, with the body that it takes", async () => {
  const stats = {
    requests: { total: 0, cached: 0, failed: 0 },
    tokens: { saved: 0, total_before_compression: 0 },
  };
  const { client, sent } = clientOf(Response.json(stats));
  const calls: readonly (readonly [() => Promise<unknown>, string, unknown])[] =
    [
      [() => client.health(), "GET /health", undefined],
      [() => client.validateSetup(), "GET /health", undefined],
      [() => client.proxyStats(), "GET /stats", undefined],
      [() => client.getMetrics(), "GET /stats", undefined],
      [() => client.getSummary(), "GET /stats", undefined],
      [() => client.getStats(), "GET /stats", undefined],
      [() => client.statsLifetime(), "GET /stats-lifetime", undefined],
      [() => client.statsHistory(), "GET /stats-history", undefined],
      [
        () => client.statsHistory({ format: "csv", series: "daily" }),
        "GET /stats-history?format=csv&series=daily",
        undefined,
      ],
      [() => client.prometheusMetrics(), "GET /metrics", undefined],
      [() => client.clearCache(), "POST /cache/clear", undefined],
      [() => client.resetStats(), "POST /stats/reset", undefined],
      [() => client.getCCRStats(), "GET /v1/retrieve/stats", undefined],
      [() => client.retrieve("h"), "POST /v1/retrieve", { hash: "h" }],
      [
        () => client.retrieve("h", { lines: "1-3", query: "q", path: "a" }),
        "POST /v1/retrieve",
        { hash: "h", lines: "1-3", query: "q", path: "a" },
      ],
      [
        () => client.handleToolCall({ toolCall: { my_key: 1 }, provider: "x" }),
        "POST /v1/retrieve/tool_call",
        { tool_call: { my_key: 1 }, provider: "x" },
      ],
      [
        () => client.compressRaw({ messages: [], my_key: 1 }),
        "POST /v1/compress",
        { messages: [], my_key: 1 },
      ],
    ];
  for (const [call, request, body] of calls) {
    await call();
    const { method, url, body: sentBody } = sent.at(-1)!;
    assert.equal(`${method} ${url.slice("http://proxy.test".length)}`, request);
    assert.deepEqual(sentBody, body);
  }
});

Deno.test("SvcClient gives a history as CSV for a text, and metrics as they came", async () => {
  const { client } = clientOf(new Response("timestamp,tokens\n"));
  const csv = await client.statsHistory({ format: "csv" });
  assert.equal(csv, "timestamp,tokens\n");
  assert.equal(await client.prometheusMetrics(), csv);
});

Deno.test("SvcClient lists the requests of a model or a project, as many as are wanted", async () => {
  const one = (model: string, project: string) => ({ model, project });
  const recent_requests = [one("a", "p"), one("b", "p"), one("a", "q")];
  const { client } = clientOf(Response.json({ recent_requests }));
  const models = async (query?: Parameters<typeof client.getMetrics>[0]) =>
    (await client.getMetrics(query)).map(({ model }) => model).join();
  assert.equal(await models(), "a,b,a");
  assert.equal(await models({ model: "a" }), "a,a");
  assert.equal(await models({ model: "a", project: "q" }), "a");
  assert.equal(await models({ limit: 2 }), "a,b");
  const stranger = clientOf(Response.json({})).client;
  assert.deepEqual(await stranger.getMetrics(), []);
});

Deno.test("SvcClient lends out compress, simulate and retrieve as functions", async () => {
  const { client } = clientOf((sent) =>
    sent.url.endsWith("/v1/retrieve")
      ? Response.json({ hash: "h" })
      : compressed(sent).json().then((answer) =>
        Response.json({ ...answer, messages_optimized: answer.messages })
      )
  );
  const { compress, simulate, retrieve } = client;
  const messages = [{ role: "tool", content: "long" }];
  const short = [{ role: "tool", content: "short" }];
  assert.deepEqual((await compress(messages)).messages, short);
  assert.deepEqual((await simulate(messages)).messagesOptimized, short);
  assert.equal((await retrieve("h")).hash, "h");
});
