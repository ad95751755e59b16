import assert from "node:assert/strict";
import { Hono } from "hono";
import type { AppIo } from "../../../src/core/app_io.ts";
import { openServices } from "../../../src/services.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { reportHandlers } from "../../../src/proxy/handlers/report_handlers.ts";
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
