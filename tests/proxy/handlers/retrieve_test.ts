import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import type { CcrEntry, CcrKey, CcrMiss } from "../../../src/core/store.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { retrieve } from "../../../src/proxy/handlers/retrieve.ts";

const KEY = "0123456789abcdef01234567" as CcrKey;
const EXPIRED = "a".repeat(24);
const ENTRY: CcrEntry = {
  key: KEY,
  original: 'line "1"\né\u0000',
  strategy: "log",
  toolName: "Bash",
  originalTokens: 90,
  originalItems: 40,
  keptItems: 12,
  storedAt: 1,
};

function app() {
  const asked: unknown[] = [];
  const handlers = retrieve({
    store: {
      entry: (key, now): CcrEntry | CcrMiss => {
        asked.push([key, now]);
        if (key === KEY) return ENTRY;
        return key === EXPIRED
          ? { status: "expired", ageMs: 2_345_678 }
          : { status: "missing" };
      },
    },
    clock: { now: () => 77, monotonic: () => 0 },
    ttlSeconds: 1800,
  });
  const hono = new Hono<ProxyEnv>()
    .get("/v1/retrieve/:hash", handlers.get)
    .post("/v1/retrieve", handlers.post);
  return { hono, asked };
}

function post(
  body: string | Uint8Array,
  headers = {},
): Promise<Response> {
  const request = { method: "POST", body: body as BodyInit, headers };
  return Promise.resolve(app().hono.request("/v1/retrieve", request));
}

const FOUND = {
  hash: KEY,
  original_content: ENTRY.original,
  original_tokens: 90,
  original_item_count: 40,
  compressed_item_count: 12,
  tool_name: "Bash",
  retrieval_count: 1,
};

Deno.test("retrieve gives the exact original by GET and by POST", async () => {
  const got = await app().hono.request(`/v1/retrieve/${KEY}`);
  assert.equal(got.status, 200);
  assert.deepEqual(await got.json(), FOUND);
  const posted = await post(JSON.stringify({ hash: KEY, query: "ignored" }));
  assert.equal(posted.status, 200);
  assert.deepEqual(await posted.json(), FOUND);
});

Deno.test("retrieve counts the retrievals of an entry and passes the time on", async () => {
  const { hono, asked } = app();
  await hono.request(`/v1/retrieve/${KEY}`);
  const second = await hono.request(`/v1/retrieve/${KEY}`);
  assert.equal((await second.json()).retrieval_count, 2);
  assert.deepEqual(asked, [[KEY, 77], [KEY, 77]]);
});

Deno.test("retrieve says in the 404 why an entry is not there", async () => {
  const missing = await app().hono.request(`/v1/retrieve/${"b".repeat(12)}`);
  assert.equal(missing.status, 404);
  assert.deepEqual(await missing.json(), {
    detail: "Entry not found (CCR TTL: 1800 seconds)",
  });
  const expired = await post(JSON.stringify({ hash: EXPIRED }));
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
  Deno.test(`retrieve refuses the malformed hash ${hash} without asking the store`, async () => {
    const { hono, asked } = app();
    const response = await hono.request(`/v1/retrieve/${hash}`);
    assert.equal(response.status, 400);
    assert.match((await response.json()).detail, /^malformed hash/);
    assert.deepEqual(asked, []);
  });
}

Deno.test("retrieve takes a compressed POST, and bounds what it says", async () => {
  const gzip = { "content-encoding": "gzip" };
  const asked = gzipSync(JSON.stringify({ hash: KEY }));
  assert.deepEqual(await (await post(asked, gzip)).json(), FOUND);
  assert.equal((await post(gzipSync(" ".repeat(70_000)), gzip)).status, 413);
});

Deno.test("retrieve refuses a POST without a hash, without JSON, or too large", async () => {
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
