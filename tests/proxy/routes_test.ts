import assert from "node:assert/strict";
import type { MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../../src/proxy/env.ts";
import { makeApp, type Route } from "../../src/proxy/routes.ts";

const env = { peer: { address: "127.0.0.1" } };
const says = (text: string): Route["handler"] => () => new Response(text);
const closed: MiddlewareHandler<ProxyEnv> = () =>
  Promise.resolve(new Response("closed"));

const app = makeApp([
  { method: "GET", path: "/a", handler: says("get a") },
  { method: "GET", path: "/gated", gates: [closed], handler: says("open") },
  {
    method: "GET",
    path: "/item/:id",
    handler: (c) => c.text(c.req.param("id") ?? ""),
  },
  {
    method: "GET",
    path: "/bug",
    handler: () => {
      throw new RangeError("bug");
    },
  },
  { method: "ALL", path: "*", handler: says("rest") },
], {
  gates: [],
  onError: (error) => new Response(String(error), { status: 500 }),
});

const ask = async (path: string, method = "GET") =>
  await (await app.request(path, { method }, env)).text();

Deno.test("makeApp answers with the first row that fits method and path", async () => {
  assert.equal(await ask("/a"), "get a");
  assert.equal(await ask("/a", "POST"), "rest");
  assert.equal(await ask("/a/"), "rest");
  assert.equal(await ask("/item/x7"), "x7");
  for (const method of ["PATCH", "OPTIONS", "PROPFIND"]) {
    assert.equal(await ask("/any/path?x=1", method), "rest");
  }
});

Deno.test("makeApp asks the gates of a row before its handler, on its method only", async () => {
  assert.equal(await ask("/gated"), "closed");
  assert.equal(await ask("/gated", "POST"), "rest");
});

Deno.test("makeApp hands what a handler throws to onError", async () => {
  assert.equal(await ask("/bug"), "RangeError: bug");
});

Deno.test("makeApp answers HEAD like GET, with its length and without its body", async () => {
  const head = await app.request("/a", { method: "HEAD" }, env);
  assert.equal(head.headers.get("content-length"), `${"get a".length}`);
  assert.equal(await head.text(), "");
  // A refusal looks like that of any other route.
  const gated = await app.request("/gated", { method: "HEAD" }, env);
  assert.equal(gated.headers.get("content-length"), null);
});
