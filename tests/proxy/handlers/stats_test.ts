import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { stats } from "../../../src/proxy/handlers/stats.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const app = new Hono<ProxyEnv>().get(
  "/stats",
  stats({
    report: () => ({ total: 1, models: ["m"] }),
    withhold: ({ total }) => ({ total }),
    trust: { gateways: [], clients: parseNetworks("SVC_X", "10.1.0.0/16") },
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

Deno.test("stats shows the whole report to a trusted network, unless a name leads there", async () => {
  const whole = { total: 1, models: ["m"] };
  assert.deepEqual(await get("10.1.2.3", "10.1.0.1:8787"), whole);
  assert.deepEqual(await get("10.1.2.3", "evil.example"), { total: 1 });
});
