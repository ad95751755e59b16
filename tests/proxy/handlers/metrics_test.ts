import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { metrics } from "../../../src/proxy/handlers/metrics.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

async function get(address: string, host: string): Promise<Response> {
  const trust = {
    gateways: [],
    clients: parseNetworks("SVC_X", "10.1.0.0/16"),
  };
  const app = new Hono<ProxyEnv>().get(
    "/metrics",
    metrics((isTrusted) => isTrusted ? "names\n" : "sums\n", trust),
  );
  return await app.request("/metrics", { headers: { host } }, {
    peer: { address },
  });
}

Deno.test("metrics answers in the text format, version 0.0.4", async () => {
  const response = await get("127.0.0.1", "localhost:8787");
  assert.equal(
    response.headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8",
  );
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(await response.text(), "names\n");
});

Deno.test("metrics gives names to trusted callers only", async () => {
  const trusted = await get("10.1.2.3", "10.1.0.1:8787");
  assert.equal(await trusted.text(), "names\n");
  for (
    const [address, host] of [
      ["192.0.2.1", "localhost"],
      ["127.0.0.1", "evil.example"],
      ["10.1.2.3", "evil.example"],
    ] as const
  ) {
    assert.equal(await (await get(address, host)).text(), "sums\n");
  }
});
