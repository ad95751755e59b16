import assert from "node:assert/strict";
import type { UpstreamBody, UpstreamCall } from "../../src/core/upstream.ts";
import { dropBody } from "../../src/upstream/chunk_reader.ts";
import { UpstreamUnreachable } from "../../src/upstream/failure.ts";
import {
  isForwardable,
  makeSend,
  toUpstream,
} from "../../src/upstream/forward.ts";
import { callTo, textOf } from "./replies.ts";
import { closedPort, HOST } from "./servers.ts";

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
  return toUpstream(received(url), upstream, NOTHING).target;
}

/** The parts of a call that says nothing. */
const NOTHING = {
  body: null,
  headers: [],
  signal: new AbortController().signal,
} as const;

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

Deno.test("toUpstream keeps the method, and takes over what it is given", () => {
  const given = {
    body: new Uint8Array([104, 105]),
    headers: [["x-a", "1"]],
    signal: NOTHING.signal,
    isContinuation: true,
  } as const;
  const addresses = ["192.0.2.1"];
  const made = toUpstream(
    received("http://proxy/a?b", { method: "PATCH", body: "client" }),
    { ...upstreamAt("https://up.example/prefix/"), addresses },
    { ...given, path: "/v1/c?d" },
  );
  const target = "https://up.example/prefix/v1/c?d";
  assert.deepEqual(made, { ...given, addresses, method: "PATCH", target });
  const plain = upstreamAt("http://up.example");
  const first = toUpstream(received("http://proxy/v1"), plain, NOTHING);
  assert.equal(first.isContinuation, false);
});

Deno.test("makeSend uses fetch exactly where it sends what the client wrote, and nothing looks the name up again", async () => {
  const origin = `http://${HOST}:${closedPort()}`;
  const isFetched = async (path: string, parts: Partial<UpstreamCall> = {}) => {
    let count = 0;
    const send = makeSend({
      fetch: () =>
        Promise.resolve(new Response(null, { status: 200 + count++ })),
    });
    const sent = send(callTo(origin + path, parts));
    const error = await sent.then(() => undefined, (error) => error);
    // Nobody listens there: what does not take `fetch` fails.
    assert.equal(error instanceof UpstreamUnreachable, count === 0);
    return count === 1;
  };
  const body: UpstreamBody = new Uint8Array(1);
  assert.equal(await isFetched("/a//b?c?d"), true);
  assert.equal(await isFetched("/a/../b"), false);
  assert.equal(await isFetched("/?q='"), false);
  assert.equal(await isFetched("/a#b"), false);
  assert.equal(await isFetched("/", { body }), false);
  assert.equal(await isFetched("/", { method: "HEAD", body }), false);
  assert.equal(await isFetched("/", { method: "POST", body }), true);
  assert.equal(await isFetched("/", { addresses: [HOST] }), false);
  assert.equal(await isFetched("/a//b?c?d"), true);
});

Deno.test("isForwardable refuses TRACE and CONNECT in any case", () => {
  assert.deepEqual(
    ["TRACE", "connect", "GET", "PROPFIND"].map(isForwardable),
    [false, false, true, true],
  );
});

Deno.test("makeSend hands the request to fetch and gives what it answers", async () => {
  const seen: [string, RequestInit][] = [];
  const send = makeSend({
    fetch: (...asked) => {
      seen.push(asked);
      const headers = [["x-b", "2"]] as [string, string][];
      const init = { status: 201, statusText: "Made", headers };
      return Promise.resolve(new Response("ok", init));
    },
  });
  const body = new TextEncoder().encode("body");
  const reply = await send(callTo("http://up.example/", {
    method: "POST",
    headers: [["x-a", "1"], ["accept-language", "en"]],
    body,
  }));
  assert.equal(seen.length, 1);
  const [target, init] = seen[0]!;
  assert.equal(target, "http://up.example/");
  assert.equal(init.method, "POST");
  assert.equal(init.body, body);
  assert.deepEqual(init.headers, [["x-a", "1"], ["accept-language", "en"]]);
  assert.deepEqual([reply.status, reply.statusText], [201, "Made"]);
  assert.equal(reply.headers.get("x-b"), "2");
  assert.equal(await textOf(reply), "ok");
});

Deno.test("makeSend gives a response without a body none", async () => {
  const send = makeSend({
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  assert.equal((await send(callTo("http://up.example/"))).body, null);
});

Deno.test("makeSend names host and reason of an unreachable upstream, not its query", async () => {
  const cause = new Error(
    "error sending request for url (http://up.example/tls?key=s3cret): client error (Connect): tcp connect error: Connection refused",
  );
  const send = makeSend({
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause })),
  });
  await assert.rejects(
    send(callTo("http://up.example:81/tls?key=s3cret")),
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
    fetch: (_, { signal }) =>
      new Promise((_, reject) =>
        signal!.addEventListener(
          "abort",
          () => reject(new TypeError("fetch failed")),
        )
      ),
  });
  const { signal } = client;
  const sent = send(callTo("http://up.example/", { signal }));
  client.abort();
  await assert.rejects(sent, { name: "AbortError" });
});

Deno.test("makeSend hands fetch the client of the request's way, and never lets it follow redirects", async () => {
  const seen: RequestInit[] = [];
  const send = makeSend({
    fetch: (_, init) => {
      seen.push(init);
      return Promise.resolve(new Response());
    },
    wayOf: ({ target }) => ({ init: { keepalive: target.endsWith("/a") } }),
  });
  await send(callTo("http://up.example/a"));
  await send(callTo("http://up.example/b"));
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
  const request = callTo("http://up.example/");
  await assert.rejects(makeSend({ fetch: fetch(999) })(request), {
    message: /answered with status 999, which is no HTTP status/,
  });
  await assert.rejects(
    makeSend({ fetch: fetch(407), wayOf: () => ({ proxy }) })(request),
    { message: /proxy\.example:3128 \(refused by the HTTP proxy\)/ },
  );
  assert.equal(cancelled, 2);
  const reply = await makeSend({ fetch: fetch(407) })(request);
  assert.equal(reply.status, 407);
  await dropBody(reply);
});

/** Bytes that are sent as a stream with a length. */
const LARGE = new Uint8Array(200_000).fill(0x61);

function large(): UpstreamCall {
  return callTo("http://up.example/", { method: "POST", body: LARGE });
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
      async fetch(target, init) {
        sent.push((await new Request(target, init).bytes()).length);
        if (sent.length <= failures) throw broken(stale);
        return new Response("ok");
      },
    });
  assert.equal(await textOf(await send(1)(large())), "ok");
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

Deno.test("makeSend sends a large body in parts of its array, with its length, and lets it go with the response", async () => {
  let request: Request | undefined;
  let body: BodyInit | null | undefined;
  const send = makeSend({
    fetch(target, init) {
      body = init.body;
      request = new Request(target, init);
      return Promise.resolve(new Response("ok"));
    },
  });
  const bytes = Uint8Array.from({ length: 700_001 }, (_, i) => i % 251);
  const url = "http://up.example/";
  const sent = send(callTo(url, { method: "POST", body: bytes }));
  assert(body instanceof Blob);
  const parts: Uint8Array[] = [];
  for await (const part of body.stream()) parts.push(part);
  assert.ok(parts.length > 1);
  assert.ok(parts.every(({ buffer }) => buffer === bytes.buffer));
  assert.equal(await textOf(await sent), "ok");
  // What was begun is still sent; nothing else is.
  assert.equal(request?.headers.get("content-type"), null);
  assert.deepEqual(await request?.bytes(), bytes);
  assert.equal(body.size, bytes.length);
  assert.throws(() => (body as Blob).stream(), TypeError);
});
