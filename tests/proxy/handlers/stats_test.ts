import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { stats } from "../../../src/proxy/handlers/stats.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats",
  stats({
    report: () => ({ total: 1, models: ["m"] }),
    withhold: ({ total }) => ({ total }),
  }),
);

async function get(address: string, host: string): Promise<unknown> {
  const response = await app.request("/stats", { headers: { host } }, {
    peer: { address },
  });
  assert.equal(response.status, 200);
  return await response.json();
}

Deno.test("stats shows the whole report to a local caller", async () => {
  assert.deepEqual(await get("127.0.0.1", "localhost"), {
    total: 1,
    models: ["m"],
  });
});

Deno.test("stats withholds fields from a remote peer and from a foreign Host", async () => {
  assert.deepEqual(await get("192.0.2.1", "localhost"), { total: 1 });
  assert.deepEqual(await get("127.0.0.1", "evil.example"), { total: 1 });
});
