import assert from "node:assert/strict";
import { UpstreamUnreachable } from "../../src/upstream/failure.ts";
import {
  isForwardable,
  makeSend,
  toUpstream,
  UpstreamRequest,
} from "../../src/upstream/forward.ts";

const upstreamAt = (base: string) => ({
  base: new URL(base),
  label: "up",
  extraHeaders: [],
});

/** A request whose URL is not normalised, as the server makes them. */
function received(url: string, init: RequestInit = {}): Request {
  const request = new Request("http://proxy.example/", init);
  return Object.defineProperty(request, "url", { value: url });
}

function target(url: string, base = "https://up.example"): string {
  const upstream = upstreamAt(base);
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
    upstreamAt("http://up.example"),
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
    upstreamAt("http://up.example"),
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
    (error) => {
      assert.ok(error instanceof UpstreamUnreachable);
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

Deno.test("toUpstream takes over the addresses that may be connected to, and sends to no others", () => {
  const made = toUpstream(
    received("http://proxy/v1"),
    { ...upstreamAt("https://up.example"), addresses: ["192.0.2.1"] },
    { body: null, headers: new Headers() },
  );
  assert.deepEqual(made.addresses, ["192.0.2.1"]);
  assert.equal(made.needsRaw, true);
});

Deno.test("UpstreamRequest.again makes an equal request with the whole body", async () => {
  const signal = new AbortController();
  const first = new UpstreamRequest("http://up.example/a/../b", "POST", {
    body: new TextEncoder().encode("body"),
    headers: new Headers({ "x-a": "1" }),
    signal: signal.signal,
    addresses: ["192.0.2.1"],
    isContinuation: true,
  });
  assert.equal(await first.text(), "body");
  const second = first.again();
  assert.equal(second.target, first.target);
  assert.equal(second.method, "POST");
  assert.equal(second.redirect, "manual");
  assert.deepEqual([...second.headers], [...first.headers]);
  assert.deepEqual(second.addresses, first.addresses);
  assert.equal(second.isContinuation, true);
  assert.equal(await second.text(), "body");
  signal.abort();
  assert.equal(second.signal.aborted, true);
});

Deno.test("makeSend hands fetch the client of the request's way, and never lets it follow redirects", async () => {
  const seen: RequestInit[] = [];
  const send = makeSend({
    fetch: (_, init) => {
      seen.push(init!);
      return Promise.resolve(new Response());
    },
    wayOf: ({ url }) => ({ init: { keepalive: url.endsWith("/a") } }),
  });
  await send(new Request("http://up.example/a"));
  await send(new Request("http://up.example/b"));
  assert.deepEqual(seen.map(({ keepalive }) => keepalive), [true, false]);
  assert.deepEqual(seen.map(({ redirect }) => redirect), ["manual", "manual"]);
});

Deno.test("makeSend turns a status that cannot be passed on into an error, and drops the body", async () => {
  let cancelled = 0;
  const odd = (status: number) => {
    const body = new ReadableStream({ cancel: () => void cancelled++ });
    return Object.defineProperty(new Response(body), "status", {
      value: status,
    });
  };
  const proxy = new URL("http://proxy.example:3128");
  const fetch = (status: number) => () => Promise.resolve(odd(status));
  const request = new Request("http://up.example/");
  await assert.rejects(makeSend({ fetch: fetch(999) })(request), {
    message: /answered with status 999, which is no HTTP status/,
  });
  await assert.rejects(
    makeSend({ fetch: fetch(407), wayOf: () => ({ proxy }) })(request),
    { message: /proxy\.example:3128 \(refused by the HTTP proxy\)/ },
  );
  assert.equal(cancelled, 2);
  await (await makeSend({ fetch: fetch(407) })(request)).body!.cancel();
});

Deno.test("toUpstream sends to another path behind the base when it is told one", () => {
  const made = toUpstream(
    received("http://proxy/a?b"),
    upstreamAt("https://up.example/prefix/"),
    { body: null, headers: new Headers(), path: "/v1/c?d" },
  );
  assert.equal(made.target, "https://up.example/prefix/v1/c?d");
});

/** Bytes that are sent as a stream with a length. */
const LARGE = new Uint8Array(200_000).fill(0x61);

function large(): UpstreamRequest {
  return new UpstreamRequest("http://up.example/", "POST", {
    body: LARGE,
    headers: new Headers(),
  });
}

/** What the runtime throws; `cause` holds its words. */
function broken(cause: string): TypeError {
  return new TypeError("fetch failed", { cause: new Error(cause) });
}

Deno.test("makeSend sends a large body again, once, on another connection when the first was closed before", async () => {
  const stale =
    "client error (SendRequest): connection closed before message completed";
  const sent: number[] = [];
  const send = (failures: number) =>
    makeSend({
      async fetch(request) {
        sent.push((await request.bytes()).length);
        if (sent.length <= failures) throw broken(stale);
        return new Response("ok");
      },
    });
  assert.equal(await (await send(1)(large())).text(), "ok");
  assert.deepEqual(sent, [LARGE.length, LARGE.length]);
  sent.length = 0;
  await assert.rejects(send(2)(large()), UpstreamUnreachable);
  assert.equal(sent.length, 2);
});

Deno.test("makeSend sends nothing again after another failure, or for a client that left", async () => {
  const gone = new AbortController();
  for (const cause of ["connection refused", "reset"]) {
    let count = 0;
    const send = makeSend({
      fetch() {
        count++;
        if (cause === "reset") gone.abort();
        return Promise.reject(
          broken(cause === "reset" ? "connection reset" : cause),
        );
      },
    });
    await assert.rejects(send(large(), gone.signal));
    assert.equal(count, 1, cause);
  }
});
