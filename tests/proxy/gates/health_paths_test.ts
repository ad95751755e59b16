import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { asksForHealth } from "../../../src/proxy/gates/health_paths.ts";

const app = new Hono<ProxyEnv>()
  .all("*", (c) => c.text("", asksForHealth(c) ? 200 : 404));

Deno.test("asksForHealth knows the four routes by exact path and reading method", async () => {
  const asks = async (path: string, method = "GET") =>
    (await app.request(path, { method })).status === 200;
  for (const path of ["/health", "/healthz", "/livez", "/readyz"]) {
    assert.equal(await asks(path), true);
    assert.equal(await asks(path, "HEAD"), true);
    assert.equal(await asks(`${path}?x=1`), true);
    assert.equal(await asks(path, "POST"), false);
  }
  for (const path of ["/", "/health/", "/Health", "/stats", "/v1/health"]) {
    assert.equal(await asks(path), false, path);
  }
});
