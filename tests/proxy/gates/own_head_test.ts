import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { keepHeadLength } from "../../../src/proxy/gates/own_head.ts";

const app = new Hono<ProxyEnv>();
app.use("*", keepHeadLength());
app.get(
  "/json",
  () => Response.json({ a: "é" }, { status: 203, headers: { "x-a": "1" } }),
);
app.get(
  "/none",
  () => new Response(null, { headers: { "content-length": "77" } }),
);

Deno.test("keepHeadLength gives HEAD the fields and the length of GET, and no body", async () => {
  const get = await app.request("/json");
  const head = await app.request("/json", { method: "HEAD" });
  const { length } = await get.bytes();
  assert.equal(head.status, get.status);
  assert.equal(await head.text(), "");
  assert.deepEqual(
    Object.fromEntries(head.headers),
    { ...Object.fromEntries(get.headers), "content-length": `${length}` },
  );
});

Deno.test("keepHeadLength leaves an answer without a body as it is", async () => {
  const head = await app.request("/none", { method: "HEAD" });
  assert.equal(head.headers.get("content-length"), "77");
});
