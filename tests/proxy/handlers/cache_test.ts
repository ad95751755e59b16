import assert from "node:assert/strict";
import { clearCache } from "../../../src/proxy/handlers/cache.ts";
import { makeApp } from "../../../src/proxy/routes.ts";

async function post(cache: { clear(): void } | undefined) {
  const app = makeApp(
    [{ method: "POST", path: "/cache/clear", handler: clearCache(cache) }],
    { gates: [], onError: () => new Response(null, { status: 500 }) },
  );
  const response = await app.request("/cache/clear", { method: "POST" }, {
    peer: { address: "127.0.0.1" },
  });
  return { status: response.status, json: await response.json() };
}

Deno.test("clearCache empties the cache and says so", async () => {
  let cleared = 0;
  const answer = await post({ clear: () => void cleared++ });
  assert.deepEqual(answer, { status: 200, json: { status: "cleared" } });
  assert.equal(cleared, 1);
});

Deno.test("clearCache says that there is no cache", async () => {
  assert.deepEqual(await post(undefined), {
    status: 200,
    json: { status: "cache disabled" },
  });
});
