import assert from "node:assert/strict";
import { Hono, type MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../../src/proxy/env.ts";
import { keepHeadLength, makeApp, type Route } from "../../src/proxy/routes.ts";

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

const withHead = new Hono<ProxyEnv>();
withHead.use("*", keepHeadLength());
withHead.get(
  "/json",
  () => Response.json({ a: "é" }, { status: 203, headers: { "x-a": "1" } }),
);
withHead.get(
  "/none",
  () => new Response(null, { headers: { "content-length": "77" } }),
);

Deno.test("keepHeadLength gives HEAD the fields and the length of GET, and no body", async () => {
  const get = await withHead.request("/json");
  const head = await withHead.request("/json", { method: "HEAD" });
  const { length } = await get.bytes();
  assert.equal(head.status, get.status);
  assert.equal(await head.text(), "");
  assert.deepEqual(
    Object.fromEntries(head.headers),
    { ...Object.fromEntries(get.headers), "content-length": `${length}` },
  );
});

Deno.test("keepHeadLength leaves an answer without a body as it is", async () => {
  const head = await withHead.request("/none", { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), "77");
});
