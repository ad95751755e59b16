import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { dashboard } from "../../../src/proxy/handlers/dashboard.ts";

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
