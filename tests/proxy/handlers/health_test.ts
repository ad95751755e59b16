import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  health,
  type HealthCheck,
} from "../../../src/proxy/handlers/health.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const LOCAL = { peer: { address: "127.0.0.1" } };
const REMOTE = { peer: { address: "192.0.2.1" } };

const DEPLOYMENT = {
  profile: "default",
  preset: "persistent-service",
  runtime: "deno",
  supervisor: "systemd",
  scope: "user",
};

function app(
  checks: Record<string, HealthCheck>,
  elapsedMs = 0,
  deployment?: typeof DEPLOYMENT,
) {
  const monotonic = 500 + elapsedMs;
  const handlers = health({
    version: "1.2.3",
    clock: {
      now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
      monotonic: () => monotonic,
    },
    startedAt: 500,
    checks: () => checks,
    config: () => ({ mode: "cache" }),
    deployment,
    trust: { gateways: [], clients: parseNetworks("SVC_X", "10.1.0.0/16") },
  });
  return new Hono<ProxyEnv>()
    .get("/livez", handlers.livez)
    .get("/readyz", handlers.readyz)
    .get("/health", handlers.health);
}

const READY = { startup: { enabled: true, ready: true } };
const HALF = {
  startup: { enabled: true, ready: true },
  store: { enabled: true, ready: false, backend: "sqlite" },
  memory: { enabled: false, ready: false },
};

Deno.test("health reports the fields of the contract, with whole seconds of uptime", async () => {
  const response = await app(READY, 61_900).request("/health", {}, REMOTE);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {
    service: "svc-proxy",
    status: "healthy",
    version: "1.2.3",
    timestamp: "2026-01-02T03:04:05.000Z",
    uptime_seconds: 61,
    ready: true,
    checks: { startup: { enabled: true, ready: true, status: "healthy" } },
  });
});

Deno.test("health is 200 and unhealthy when an enabled part is not ready", async () => {
  const response = await app(HALF).request("/health", {}, REMOTE);
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.equal(body.status, "unhealthy");
  assert.equal(body.ready, false);
  assert.equal(body.checks.store.status, "unhealthy");
  assert.equal(body.checks.store.backend, "sqlite");
  assert.equal(body.checks.memory.status, "disabled");
});

Deno.test("health and readyz report the deployment where there is one, to anybody", async () => {
  for (const path of ["/health", "/readyz"]) {
    const of = async (deployment?: typeof DEPLOYMENT) =>
      await (await app(READY, 0, deployment).request(path, {}, REMOTE)).json();
    assert.deepEqual((await of(DEPLOYMENT)).deployment, DEPLOYMENT);
    assert.equal("deployment" in await of(), false);
  }
});

Deno.test("health shows the configuration to trusted callers only", async () => {
  const headers = { host: "localhost:8787" };
  const local = await app(READY).request("/health", { headers }, LOCAL);
  assert.deepEqual((await local.json()).config, { mode: "cache" });
  const remote = await app(READY).request("/health", { headers }, REMOTE);
  assert.equal("config" in await remote.json(), false);
  const near = await app(READY).request("/health", {
    headers: { host: "10.1.0.1:8787" },
  }, { peer: { address: "10.1.2.3" } });
  assert.deepEqual((await near.json()).config, { mode: "cache" });
});

Deno.test("readyz is 503 unless every enabled part is ready", async () => {
  const headers = { host: "localhost" };
  assert.equal((await app(READY).request("/readyz", {}, LOCAL)).status, 200);
  const response = await app(HALF).request("/readyz", { headers }, LOCAL);
  assert.equal(response.status, 503);
  assert.equal("config" in await response.json(), false);
});

Deno.test("livez is 200 whatever the parts say", async () => {
  const response = await app(HALF, 999).request("/livez", {}, REMOTE);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {
    service: "svc-proxy",
    status: "healthy",
    version: "1.2.3",
    timestamp: "2026-01-02T03:04:05.000Z",
    uptime_seconds: 0,
    alive: true,
  });
});
