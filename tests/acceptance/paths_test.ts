/** Methods, paths and queries as they arrive upstream. */
import assert from "node:assert/strict";
import { rawExchange } from "./raw.ts";
import { CREDENTIAL, everyRoute } from "./bodies.ts";
import { post, replies, withApp } from "./world.ts";

const fine = replies();

Deno.test("17 an unknown path arrives behind the base as it was written, with any method", () => {
  const answer = () => new Response(null, { status: 204 });
  const target = "/v9/a%2Fb/x;y=1/%C3%A9?q=1&q=%20&r=a+b?c";
  return withApp(answer, async (place) => {
    const methods = [
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "OPTIONS",
    ];
    for (const method of methods) {
      const body = /^P/.test(method) ? "some bytes" : "";
      await rawExchange(
        place.url,
        `${method} ${target} HTTP/1.1\r\n` +
          "Host: localhost\r\nConnection: close\r\nX-Api-Key: k\r\n" +
          (body ? `Content-Length: ${body.length}\r\n` : "") + `\r\n${body}`,
      );
      const seen = place.upstream.received.at(-1)!;
      assert.equal(seen.method, method);
      assert.equal(seen.text, body);
      assert.equal(seen.path, `/base/path${target}`);
    }
    assert.equal(place.upstream.received.length, methods.length);
  }, { base: "/base/path" });
});

Deno.test("17 every provider route keeps base, path and query", () =>
  withApp(fine, async (place) => {
    for (const { method, path, upstreamPath, body } of everyRoute()) {
      const query = "?a=1&b=%2F";
      const response = await fetch(place.url + path + query, {
        method,
        headers: CREDENTIAL,
        body: body as BodyInit | null,
      });
      await response.bytes();
      const seen = place.upstream.received.at(-1)!;
      assert.equal(seen.path, `/base${upstreamPath}${query}`);
      assert.equal(seen.method, method);
    }
  }, { base: "/base" }));

Deno.test("a vertex-style path that names no region gets 400 and reaches no upstream", () =>
  withApp(fine, async (place) => {
    for (
      const region of ["evil.example", "US", "a%2eb", "a".repeat(64), "-a"]
    ) {
      const path =
        `/v1/projects/p/locations/${region}/publishers/anthropic/models/m:rawPredict`;
      const response = await post(place, path, "{}");
      assert.equal(response.status, 400);
      const { type, error } = await response.json();
      assert.equal(type, "error");
      assert.match(error.message, /region/);
    }
    assert.equal(place.upstream.received.length, 0);
  }));
