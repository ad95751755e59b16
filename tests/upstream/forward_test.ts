import assert from "node:assert/strict";
import type { ServiceError } from "../../src/core/errors.ts";
import {
  isForwardable,
  makeSend,
  toUpstream,
  UpstreamRequest,
} from "../../src/upstream/forward.ts";

/** A request whose URL is not normalised, as the server makes them. */
function received(url: string, init: RequestInit = {}): Request {
  const request = new Request("http://proxy.example/", init);
  return Object.defineProperty(request, "url", { value: url });
}

function target(url: string, base = "https://up.example"): string {
  const upstream = { base: new URL(base), label: "up" };
  return toUpstream(received(url), upstream, {
    body: null,
    headers: new Headers(),
  }).target;
}

const PATHS = [
  "/v1/messages?beta=true",
  "/a%2Fb//c?x=%20&x=+",
  "/q?a?b",
  "/a/../b/./c/%2e%2e",
  `/quote'"|{?q='"|{`,
  "/",
];

for (const path of PATHS) {
  Deno.test(`toUpstream appends ${path} to the base as written`, () => {
    assert.equal(target(`http://proxy:1${path}`), `https://up.example${path}`);
    assert.equal(
      target(`http://proxy:1${path}`, "https://up.example/prefix/v2/"),
      `https://up.example/prefix/v2${path}`,
    );
  });
}

Deno.test("toUpstream gives a URL without a path the root", () => {
  assert.equal(target("http://proxy"), "https://up.example/");
  assert.equal(target("http://proxy?a=1"), "https://up.example/?a=1");
});

Deno.test("toUpstream keeps the method, takes body and headers, never follows redirects", async () => {
  const made = toUpstream(
    received("http://proxy/v1", { method: "PATCH", body: "client" }),
    { base: new URL("http://up.example"), label: "up" },
    { body: new Uint8Array([104, 105]), headers: new Headers({ "x-a": "1" }) },
  );
  assert.equal(made.method, "PATCH");
  assert.equal(made.redirect, "manual");
  assert.deepEqual(Object.fromEntries(made.headers), { "x-a": "1" });
  assert.equal(made.needsRaw, false);
  assert.equal(await made.text(), "hi");
});

Deno.test("toUpstream carries the client's abort", () => {
  const client = new AbortController();
  const made = toUpstream(
    received("http://proxy/", { signal: client.signal }),
    { base: new URL("http://up.example"), label: "up" },
    { body: null, headers: new Headers() },
  );
  assert.equal(made.signal.aborted, false);
  client.abort();
  assert.equal(made.signal.aborted, true);
});

Deno.test("needsRaw is true exactly where fetch would send something else", () => {
  const parts = { body: null, headers: new Headers() };
  const raw = (url: string, method = "GET", body: Uint8Array | null = null) =>
    new UpstreamRequest(url, method, { ...parts, body }).needsRaw;
  assert.equal(raw("http://up.example/a//b?c?d"), false);
  assert.equal(raw("http://up.example/a/../b"), true);
  assert.equal(raw("http://up.example/?q='"), true);
  assert.equal(raw("http://up.example/a#b"), true);
  assert.equal(raw("http://up.example/", "GET", new Uint8Array(1)), true);
  assert.equal(raw("http://up.example/", "POST", new Uint8Array(1)), false);
});

Deno.test("isForwardable refuses TRACE and CONNECT in any case", () => {
  assert.deepEqual(
    ["TRACE", "connect", "GET", "PROPFIND"].map(isForwardable),
    [false, false, true, true],
  );
});

Deno.test("makeSend hands the request to fetch and returns its response", async () => {
  const response = new Response("ok");
  const seen: Request[] = [];
  const send = makeSend({
    fetch: (request) => {
      seen.push(request);
      return Promise.resolve(response);
    },
  });
  const request = new Request("http://up.example/");
  assert.equal(await send(request), response);
  assert.deepEqual(seen, [request]);
});

Deno.test("makeSend names host and reason of an unreachable upstream, not its query", async () => {
  const cause = new Error(
    "error sending request for url (http://up.example/tls?key=s3cret): client error (Connect): tcp connect error: Connection refused",
  );
  const send = makeSend({
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause })),
  });
  await assert.rejects(
    send(new Request("http://up.example:81/tls?key=s3cret")),
    (error: ServiceError) => {
      assert.equal(error.type, "connection_error");
      assert.match(error.message, /up\.example:81 \(connection refused\)/);
      assert.doesNotMatch(error.message, /s3cret|tls\?/);
      return true;
    },
  );
});

Deno.test("makeSend rejects with the client's abort, not with a connection error", async () => {
  const client = new AbortController();
  const send = makeSend({
    fetch: ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener(
          "abort",
          () => reject(new TypeError("fetch failed")),
        )
      ),
  });
  const sent = send(
    new Request("http://up.example/", { signal: client.signal }),
  );
  client.abort();
  await assert.rejects(sent, { name: "AbortError" });
});
