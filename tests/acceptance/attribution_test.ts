/** Whose request it was: the names that reports use, on every route. */
import assert from "node:assert/strict";
import { CREDENTIAL, everyRoute } from "./bodies.ts";
import { replies, withApp } from "./world.ts";

const fine = replies();

Deno.test("a project before the path stays here, on every route; the rest arrives as it was written", () =>
  withApp(fine, async (place) => {
    for (const { method, path, upstreamPath, body } of everyRoute()) {
      if (path.startsWith("//")) continue;
      const response = await fetch(`${place.url}/p/my%20shop${path}?a=%2F`, {
        method,
        headers: CREDENTIAL,
        body: body as BodyInit | null,
      });
      await response.bytes();
      const seen = place.upstream.received.at(-1)!;
      assert.equal(seen.path, `/base${upstreamPath}?a=%2F`);
    }
  }, { base: "/base" }));

Deno.test("the proxy's own routes answer behind a project too, and go nowhere else", () =>
  withApp(fine, async ({ url, upstream }) => {
    const alive = await fetch(`${url}/p/shop/livez`);
    assert.equal((await alive.json()).alive, true);
    const missing = await fetch(`${url}/p/shop/v1/retrieve/`);
    assert.equal(missing.status, 404);
    await missing.bytes();
    assert.equal(upstream.received.length, 0);
  }));
