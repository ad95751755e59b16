import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { NOBODY } from "../../../src/proxy/gates/caller.ts";
import {
  asksForHealth,
  requireLoopbackOrToken,
  requireToken,
} from "../../../src/proxy/gates/proxy_token.ts";

const TOKEN = "correct-horse-battery";
const REMOTE = "203.0.113.9";

function makeApp(token: string | undefined) {
  const app = new Hono<ProxyEnv>();
  app.use("*", requireToken({ token, trust: NOBODY }));
  app.post(
    "/compress",
    requireLoopbackOrToken(() => {}, NOBODY),
    (c) => c.text("compressed"),
  );
  app.all("*", (c) => c.text("inside"));
  return app;
}

const guarded = makeApp(TOKEN);

async function ask(
  path: string,
  headers: Record<string, string> = {},
  { address = REMOTE as string | undefined, method = "POST", app = guarded } =
    {},
): Promise<Response> {
  const init = { method, headers: { host: "svc.lan:8787", ...headers } };
  return await app.request(path, init, { peer: { address } });
}

for (
  const headers of [
    { "x-svc-proxy-token": TOKEN },
    { "x-headroom-proxy-token": TOKEN },
    { authorization: `Bearer ${TOKEN}` },
    { authorization: `bearer  ${TOKEN}` },
    { authorization: "Bearer provider-key", "x-svc-proxy-token": TOKEN },
    { authorization: `Bearer ${TOKEN}`, "x-svc-proxy-token": "wrong" },
  ] as Record<string, string>[]
) {
  Deno.test(`requireToken lets a remote caller in with ${JSON.stringify(headers)}`, async () => {
    assert.equal(await (await ask("/v1/x", headers)).text(), "inside");
  });
}

for (
  const headers of [
    {},
    { "x-svc-proxy-token": "" },
    { "x-svc-proxy-token": "wrong", "x-headroom-proxy-token": TOKEN },
    { "x-svc-proxy-token": TOKEN.slice(0, -1) },
    { "x-svc-proxy-token": `${TOKEN}x` },
    { "x-svc-proxy-token": TOKEN.toUpperCase() },
    { "x-svc-proxy-token": `${TOKEN}, ${TOKEN}` },
    { authorization: TOKEN },
    { authorization: `Basic ${TOKEN}` },
    { authorization: `Bearer ${TOKEN} ${TOKEN}` },
    { authorization: "Bearer" },
    { "x-api-key": TOKEN },
    { cookie: `x-svc-proxy-token=${TOKEN}` },
    { "x-forwarded-for": "127.0.0.1" },
  ] as Record<string, string>[]
) {
  Deno.test(`requireToken answers a remote caller with ${JSON.stringify(headers)} by 401`, async () => {
    const response = await ask("/v1/x", headers);
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
    const body = await response.json();
    assert.equal(body.type, "error");
    assert.equal(body.error.type, "authentication_error");
    assert.doesNotMatch(JSON.stringify(body), /correct|wrong/);
  });
}

Deno.test("requireToken asks no local caller, but a rebound page and an unknown peer", async () => {
  const local = { address: "127.0.0.1" };
  assert.equal(
    (await ask("/v1/x", { host: "localhost:8787" }, local)).status,
    200,
  );
  assert.equal((await ask("/v1/x", { host: "evil.test" }, local)).status, 401);
  const unknown = await guarded.request("/v1/x", {
    headers: { host: "localhost" },
  });
  assert.equal(unknown.status, 401);
});

Deno.test("requireToken lets everybody ask for health, with GET and HEAD only", async () => {
  for (const path of ["/health", "/healthz", "/livez", "/readyz"]) {
    for (const method of ["GET", "HEAD"]) {
      assert.equal((await ask(path, {}, { method })).status, 200, path);
    }
    assert.equal((await ask(path)).status, 401);
    assert.equal((await ask(`${path}/`, {}, { method: "GET" })).status, 401);
  }
  assert.equal((await ask("/stats", {}, { method: "GET" })).status, 401);
});

Deno.test("requireToken lets everybody pass where no token is set", async () => {
  assert.equal(
    (await ask("/v1/x", {}, { app: makeApp(undefined) })).status,
    200,
  );
});

Deno.test("requireLoopbackOrToken lets local callers and holders of the token in, nobody else", async () => {
  const token = { "x-svc-proxy-token": TOKEN };
  assert.equal(await (await ask("/compress", token)).text(), "compressed");
  const local = await ask("/compress", { host: "[::1]:8787" }, {
    address: "::1",
  });
  assert.equal(await local.text(), "compressed");
  // Where no token is set nobody can prove anything.
  const open = { app: makeApp(undefined) };
  assert.equal((await ask("/compress", {}, open)).status, 404);
  assert.equal((await ask("/compress", token, open)).status, 404);
});

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
