import { parseNetworks } from "../../../src/settings/network_list.ts";
import assert from "node:assert/strict";
import { Hono } from "hono";
import type { AppIo } from "../../../src/core/app_io.ts";
import { openServices } from "../../../src/services.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  dashboard,
  metrics,
  reportHandlers,
} from "../../../src/proxy/handlers/report_handlers.ts";
import { resolveConfig } from "../../../src/settings/resolve.ts";

const IO: AppIo = {
  clock: { now: () => 1_700_000_000_000, monotonic: () => 0 },
  send: () => assert.fail("nothing is sent"),
  log: () => {},
};

Deno.test("reportHandlers answer for every report of an empty ledger", async () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  await using services = await openServices(config, IO);
  const handlers = reportHandlers(config, IO, {
    services,
    pricing: { priceOf: () => undefined },
    trust: { gateways: [], clients: [] },
    settled: () => services.ledger.flush(),
  });
  const { one, range, ...others } = handlers;
  const app = new Hono<ProxyEnv>().get("/one/:id", one).get("/range", range);
  for (const [name, handler] of Object.entries(others)) {
    app.get(`/${name}`, handler);
  }
  const env = { peer: { address: "127.0.0.1" } };
  for (const name of Object.keys(others)) {
    const response = await app.request(`/${name}`, {}, env);
    assert.equal(response.status, 200, name);
    await response.body?.cancel();
  }
  const status = async (path: string) =>
    (await app.request(path, {}, env)).status;
  assert.equal(await status("/one/nobody"), 404);
  // A range that nobody named.
  assert.equal(await status("/range"), 422);
});

Deno.test("dashboard answers with the page and forbids it everything but itself", async () => {
  const app = new Hono<ProxyEnv>().get("/dashboard", dashboard());
  const response = await app.request("/dashboard");
  const field = (name: string) => response.headers.get(name) ?? "";
  assert.equal(response.status, 200);
  assert.equal(field("content-type"), "text/html; charset=utf-8");
  assert.match(field("content-security-policy"), /^default-src 'none'; /);
  assert.match(field("content-security-policy"), /frame-ancestors 'none'$/);
  assert.equal(field("x-content-type-options"), "nosniff");
  assert.equal(field("x-frame-options"), "DENY");
  assert.equal(field("referrer-policy"), "no-referrer");
  assert.equal(field("cache-control"), "no-store");
  assert.match(await response.text(), /^<!doctype html>.*<\/html>$/s);
});

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
