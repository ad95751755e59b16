import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { icon, root } from "../../../src/proxy/handlers/root.ts";

const app = new Hono<ProxyEnv>();
app.get("/", root());
app.get("/p/:project", root());
app.get("/p/:project/", root());
app.get("/favicon.ico", icon());

for (
  const [path, target] of [
    ["/", "/dashboard"],
    ["/?a=b/c", "/dashboard"],
    ["/p/shop/", "/p/shop/dashboard"],
    ["/p/shop", "/p/shop/dashboard"],
    ["/p/my%20shop?x", "/p/my%20shop/dashboard"],
    ["/p/a:b", "/p/a:b/dashboard"],
    ["/p/café", "/p/caf%C3%A9/dashboard"],
    ["/p/%2F%2Fevil.example", "/p/%2F%2Fevil.example/dashboard"],
  ] as const
) {
  Deno.test(`root redirects ${path} to ${target}, on whatever host and port it was asked`, async () => {
    for (const origin of ["http://127.0.0.1:8787", "https://svc.lan"]) {
      const response = await app.request(origin + path);
      assert.equal(response.status, 302);
      const location = response.headers.get("location") ?? "";
      assert.equal(new URL(location, origin + path).href, origin + target);
      assert.equal(response.headers.get("cache-control"), "no-store");
    }
  });
}

Deno.test("root answers HEAD with 200 and nothing else", async () => {
  for (const path of ["/", "/p/shop", "/p/shop/"]) {
    const response = await app.request(`http://proxy${path}`, {
      method: "HEAD",
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("location"), null);
    assert.equal(await response.text(), "");
  }
});

Deno.test("icon is the picture of the dashboard's page", async () => {
  const response = await app.request("http://proxy/favicon.ico");
  assert.equal(response.headers.get("content-type"), "image/svg+xml");
  assert.match(response.headers.get("cache-control") ?? "", /max-age=\d+$/);
  const source = await Deno.readTextFile(
    new URL("../../../dashboard/page.html", import.meta.url),
  );
  const [, inline = ""] = /data:image\/svg\+xml,([^"]*)"/.exec(source) ?? [];
  const picture = decodeURIComponent(inline).replaceAll("'", '"');
  assert.equal(await response.text(), picture);
});
