import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { ccrKey } from "../../../src/ccr/key.ts";
import { makeRetriever } from "../../../src/ccr/retriever.ts";
import { cutOriginal } from "../../../src/compute/open_router.ts";
import { RETRIEVAL_TOOL } from "../../../src/core/retrieval.ts";
import type { CcrEntry } from "../../../src/core/store.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { retrieve } from "../../../src/proxy/handlers/retrieve.ts";
import { readToolCall } from "../../../src/providers/tool_call.ts";
import { openMemoryStore } from "../../../src/ccr/open_store.ts";

const ORIGINAL = 'line "1"\né\u0000\nthird timeout';
const KEY = ccrKey(ORIGINAL);
const ENTRY: CcrEntry = {
  key: KEY,
  original: ORIGINAL,
  strategy: "log",
  toolName: "Bash",
  originalTokens: 90,
  formTokens: 30,
  originalItems: 40,
  keptItems: 12,
  storedAt: 0,
};

/** The routes on a store with one entry; `at` is the time of the requests. */
async function app(at = 0) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => 0 };
  const log = () => {};
  const store = openMemoryStore({ clock, ttlSeconds: 1800, log });
  await store.write({ now: 0, entries: [ENTRY] });
  time.ms = at;
  const { give } = makeRetriever({
    store,
    clock,
    ttlSeconds: 1800,
    cut: cutOriginal,
    onRetrieved: () => {},
    onUncounted: (error) => assert.fail(String(error)),
  });
  const handlers = retrieve({
    store,
    retrieve: (wanted) => give(wanted, "http"),
    readToolCall,
    ttlSeconds: 1800,
  });
  const hono = new Hono<ProxyEnv>()
    .get("/v1/retrieve/stats", handlers.stats)
    .get("/v1/retrieve/:hash", handlers.get)
    .post("/v1/retrieve", handlers.post)
    .post("/v1/retrieve/tool_call", handlers.toolCall);
  return {
    store,
    get: async (path: string) => await hono.request(`/v1/retrieve/${path}`),
    post: async (body: string | Uint8Array, headers = {}, path = "") => {
      const request = { method: "POST", body: body as BodyInit, headers };
      return await hono.request(`/v1/retrieve${path}`, request);
    },
  };
}

const FOUND = {
  hash: KEY,
  original_content: ENTRY.original,
  original_tokens: 90,
  original_item_count: 40,
  compressed_item_count: 12,
  tool_name: "Bash",
  compression_strategy: "log",
  retrieval_count: 1,
};

Deno.test("retrieve gives the exact original by GET and by POST", async () => {
  const { get, post } = await app();
  const got = await get(KEY);
  assert.equal(got.status, 200);
  assert.equal(got.headers.get("cache-control"), "no-store");
  assert.deepEqual(await got.json(), FOUND);
  const posted = await post(JSON.stringify({ hash: KEY, other: 1 }));
  assert.equal(posted.status, 200);
  assert.deepEqual(await posted.json(), { ...FOUND, retrieval_count: 2 });
});

Deno.test("retrieve gives a part by GET and by POST", async () => {
  const { get, post } = await app();
  const lines = await (await get(`${KEY}?lines=1-2`)).json();
  assert.equal(lines.original_content, 'line "1"\né\u0000\n');
  assert.equal(lines.part, "lines 1-2 of 3");
  assert.equal(lines.original_tokens, 90);
  assert.ok(lines.part_tokens < 90);
  const posted = await post(JSON.stringify({ hash: KEY, query: "timeout" }));
  assert.match((await posted.json()).original_content, /third timeout/);
});

Deno.test("retrieve says what is wrong with a part", async () => {
  const { get } = await app();
  const response = await get(`${KEY}?path=a.b`);
  assert.equal(response.status, 400);
  assert.match((await response.json()).detail, /a\.b|JSON/);
});

Deno.test("retrieve says in the 404 why an entry is not there", async () => {
  const { get } = await app();
  const missing = await get("b".repeat(12));
  assert.equal(missing.status, 404);
  assert.deepEqual(await missing.json(), {
    detail: "Entry not found (CCR TTL: 1800 seconds)",
  });
  const { post } = await app(2_345_000);
  const expired = await post(JSON.stringify({ hash: KEY }));
  assert.equal(expired.status, 404);
  assert.deepEqual(await expired.json(), {
    detail: "Entry expired (CCR TTL: 1800 seconds; age: 2345 seconds)",
  });
});

for (
  const hash of [
    "a".repeat(11),
    "a".repeat(25),
    "A".repeat(24),
    "g".repeat(12),
    "..%2F..%2Fetc",
    "1' OR 1=1--a",
    `${KEY}%0A`,
  ]
) {
  Deno.test(`retrieve refuses the malformed hash ${hash}`, async () => {
    const { get, store } = await app();
    const response = await get(hash);
    assert.equal(response.status, 400);
    assert.match((await response.json()).detail, /^malformed hash/);
    assert.equal(store.stats().retrievals, 0);
  });
}

Deno.test("retrieve takes a compressed POST, and bounds what it says", async () => {
  const { post } = await app();
  const gzip = { "content-encoding": "gzip" };
  const asked = gzipSync(JSON.stringify({ hash: KEY }));
  assert.deepEqual(await (await post(asked, gzip)).json(), FOUND);
  assert.equal((await post(gzipSync(" ".repeat(70_000)), gzip)).status, 413);
});

Deno.test("retrieve refuses a POST without a hash, without JSON, or too large", async () => {
  const { post } = await app();
  for (const body of ["{}", "null", "[]", '{"hash":""}', '{"hash":5}', '"x"']) {
    const response = await post(body);
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { detail: "hash required" });
  }
  const invalid = await post("{");
  assert.equal(invalid.status, 400);
  assert.deepEqual(await invalid.json(), { detail: "the body must be JSON" });
  assert.equal((await post(" ".repeat(70_000))).status, 413);
});

Deno.test("a tool call is answered with a tool result, a miss included", async () => {
  const { post } = await app();
  const ask = async (hash: string) => {
    const call = { id: "toolu_1", name: RETRIEVAL_TOOL, input: { hash } };
    const body = JSON.stringify({ tool_call: call, provider: "anthropic" });
    const response = await post(body, {}, "/tool_call");
    assert.equal(response.status, 200);
    return await response.json();
  };
  const hit = await ask(KEY);
  const data = {
    hash: KEY,
    original_content: ORIGINAL,
    original_item_count: 40,
    compressed_item_count: 12,
  };
  assert.deepEqual(hit, {
    tool_result: {
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: JSON.stringify(data, null, 2),
    },
    success: true,
    data,
  });
  const miss = await ask("f".repeat(24));
  assert.equal(miss.success, false);
  assert.deepEqual(miss.data, {
    error: "Entry not found (CCR TTL: 1800 seconds)",
    hash: "f".repeat(24),
    status: "missing",
    ttl_seconds: 1800,
  });
  assert.deepEqual(JSON.parse(miss.tool_result.content), miss.data);
});

Deno.test("a call of another tool is refused", async () => {
  const { post } = await app();
  const call = { id: "a", name: "Bash", input: {} };
  const response = await post(
    JSON.stringify({ tool_call: call }),
    {},
    "/tool_call",
  );
  assert.equal(response.status, 400);
  assert.match((await response.json()).detail, /not a retrieval/);
});

Deno.test("the statistics say what is held and what was asked for last", async () => {
  const { get } = await app();
  await get(KEY);
  await get(`${KEY}?query=timeout`);
  const { store, recent_retrievals } = await (await get("stats")).json();
  assert.deepEqual(store, {
    entry_count: 1,
    max_entries: null,
    bytes: new TextEncoder().encode(ORIGINAL).length,
    max_bytes: store.max_bytes,
    default_ttl_seconds: 1800,
    total_original_tokens: 90,
    total_compressed_tokens: 30,
    total_retrievals: 2,
    event_count: 2,
    backend: { type: "memory" },
  });
  assert.deepEqual(recent_retrievals, [
    {
      hash: KEY,
      query: "timeout",
      items_retrieved: recent_retrievals[0].items_retrieved,
      total_items: 40,
      tool_name: "Bash",
      retrieval_type: "query",
    },
    {
      hash: KEY,
      query: "",
      items_retrieved: 40,
      total_items: 40,
      tool_name: "Bash",
      retrieval_type: "full",
    },
  ]);
});
