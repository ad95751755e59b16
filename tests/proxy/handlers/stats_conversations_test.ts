import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { statsConversations } from "../../../src/proxy/handlers/stats_conversations.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats-conversations",
  statsConversations((query) => ({ query })),
);

async function get(query: string): Promise<Response> {
  return await app.request(`/stats-conversations${query}`);
}

Deno.test("statsConversations asks for 50 of all time, or for what the query says", async () => {
  const response = await get("");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), {
    query: { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 50 },
  });
  const asked = await get("?from=1&until=9&limit=1000&after=5.c0ffee.x");
  assert.deepEqual(await asked.json(), {
    query: {
      from: 1,
      until: 9,
      limit: 100,
      after: { lastAt: 5, id: "c0ffee.x" },
    },
  });
});

Deno.test("statsConversations refuses values that it cannot use, all of them at once", async () => {
  const response = await get("?from=-1&until=soon&limit=0&after=c0ffee");
  assert.equal(response.status, 422);
  const { detail } = await response.json();
  assert.deepEqual(
    detail.map(({ loc }: { loc: string[] }) => loc[1]),
    ["from", "until", "limit", "after"],
  );
  assert.match(detail[2].msg, /from 1 on; at most 100/);
});
