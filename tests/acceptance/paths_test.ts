/** Methods, paths, queries, fields and names as they arrive upstream, on every route. */
import assert from "node:assert/strict";
import { responsesClient } from "../conformance/conversation.ts";
import { CREDENTIAL, everyRoute, printed } from "./bodies.ts";
import { rawExchange } from "./raw.ts";
import {
  arrived,
  bodyFor,
  GENERATIONS,
  post,
  PREVIEWS,
  replies,
  withApp,
} from "./world.ts";

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

const decoder = new TextDecoder();

const INTERNAL: Record<string, string> = {
  "x-svc-session-id": "s-1",
  "X-SVC-Project": "p",
  "x-svc-cwd": "/home/x",
  "x-svc-client": "c",
  "x-svc-anything": "1",
};

for (const [setting, expected] of [["enabled", 0], ["disabled", 5]] as const) {
  Deno.test(`15 internal fields reach no upstream on any route unless SVC_STRIP_INTERNAL_HEADERS is disabled: ${setting}`, () =>
    withApp(fine, async (place) => {
      for (const { method, path, body } of everyRoute()) {
        const response = await fetch(place.url + path, {
          method,
          headers: { ...INTERNAL, ...CREDENTIAL, "x-other": "kept" },
          body: body as BodyInit | null,
        });
        await response.bytes();
        const { headers } = place.upstream.received.at(-1)!;
        const internal = [...headers.keys()].filter((name) =>
          name.startsWith("x-svc-")
        );
        assert.equal(
          internal.length,
          expected,
          `${method} ${path} ${internal}`,
        );
        assert.equal(headers.get("x-other"), "kept");
      }
      assert.equal(place.upstream.received.length, everyRoute().length);
    }, { env: { SVC_STRIP_INTERNAL_HEADERS: setting } }));
}

Deno.test("16 fields of one connection end with it, in both directions and on every route; cookies and fields for browsers of the upstream's origin stay here", () => {
  const answer = () =>
    new Response("{}", {
      headers: [
        ["content-type", "application/json"],
        ["connection", "x-hop-response"],
        ["x-hop-response", "1"],
        ["keep-alive", "timeout=5"],
        ["proxy-authenticate", "Basic"],
        ["set-cookie", "a=1; Path=/"],
        ["set-cookie", "b=2"],
        ["access-control-allow-origin", "*"],
        ["access-control-allow-credentials", "true"],
        ["x-kept", "1"],
      ],
    });
  return withApp(answer, async (place) => {
    for (const { method, path, body } of everyRoute()) {
      const length = body === null ? "" : `Content-Length: ${body.length}\r\n`;
      const response = await rawExchange(
        place.url,
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${length}` +
          "Connection: close, X-Hop, x-two\r\nX-Hop: 1\r\nX-Two: 2\r\n" +
          "Keep-Alive: timeout=9\r\nTE: trailers\r\nTrailer: x\r\n" +
          "Proxy-Authorization: Basic eA==\r\nProxy-Connection: close\r\n" +
          "Upgrade: h2c\r\nX-Kept: yes\r\nX-Api-Key: k\r\n\r\n" +
          (body === null ? "" : decoder.decode(body)),
      );
      const { headers } = place.upstream.received.at(-1)!;
      const names = "x-hop x-two keep-alive te trailer proxy-authorization " +
        "proxy-connection upgrade";
      for (const name of names.split(" ")) {
        assert.equal(headers.get(name), null, `${name} on ${path}`);
      }
      assert.equal(headers.get("x-kept"), "yes");
      assert.match(response, /^HTTP\/1\.1 200 /);
      const head = response.slice(0, response.indexOf("\r\n\r\n"));
      assert.match(head, /^x-kept: 1$/mi);
      assert.doesNotMatch(head, /^(?:set-cookie|access-control-)/mi);
      assert.doesNotMatch(head, /x-hop-response|proxy-authenticate/i);
      assert.doesNotMatch(head, /^keep-alive:/mi);
    }
  });
});

Deno.test("the field that announces a reduced body is dropped on every responses route", () =>
  withApp(fine, async (place) => {
    const name = "x-openai-internal-codex-responses-lite";
    for (const route of [...GENERATIONS, ...PREVIEWS]) {
      const sent = await arrived(
        place,
        route.path,
        { body: bodyFor(route, printed("x"), 1), headers: { [name]: "1" } },
      );
      const isDropped = route.client === responsesClient;
      assert.equal(sent.headers.get(name), isDropped ? null : "1", route.path);
    }
  }));

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
