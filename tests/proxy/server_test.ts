import assert from "node:assert/strict";
import { Hono } from "hono";
import { CallsInFlight } from "../../src/proxy/calls_in_flight.ts";
import { BodyBytes } from "../../src/proxy/body_bytes.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { incomingOf, type ProxyEnv } from "../../src/proxy/env.ts";
import { passthrough } from "../../src/proxy/handlers/passthrough.ts";
import { type Handle, refuseShape, serve } from "../../src/proxy/server.ts";
import { UpstreamBrokeOff } from "../../src/upstream/failure.ts";
import { makeSend } from "../../src/upstream/forward.ts";
import { NO_PRICES, resolverTo, upstreamAt } from "./call_parts.ts";

const HOST = "127.0.0.1";
const utf8 = new TextEncoder();

function start(handle: Handle, log: unknown[] = []) {
  return serve(handle, {
    host: HOST,
    port: 0,
    log: (...entry) => void log.push(entry),
  });
}

/** A promise and its resolver. */
function signal<T>() {
  return Promise.withResolvers<T>();
}

/** A proxy with nothing but the passthrough handler, in front of `upstream`. */
async function proxied(
  upstream: (request: Request) => Response | Promise<Response>,
  use: (origin: string, recorded: Promise<RequestRecord>) => Promise<void>,
): Promise<void> {
  const up = start(upstream);
  const recorded = signal<RequestRecord>();
  const app = new Hono<ProxyEnv>().all(
    "*",
    (c) => pass(incomingOf(c), { wanted: { family: undefined } }),
  );
  const pass = passthrough({
    upstreams: resolverTo(upstreamAt(`http://${HOST}:${up.port}`)),
    send: makeSend({ fetch }),
    newId: () => "id",
    pricing: NO_PRICES,
    record: recorded.resolve,
    onFailure: () => {},
    clock: { now: () => 0, monotonic: () => performance.now() },
    stripInternal: true,
    token: undefined,
    maxBodyBytes: 1000,
    bodies: new BodyBytes(10_000_000),
    calls: new CallsInFlight(),
  });
  const server = start(app.fetch);
  try {
    await use(`http://${HOST}:${server.port}`, recorded.promise);
  } finally {
    await server.shutdown();
    await up.shutdown();
  }
}

/** Writes `text` to a fresh connection and returns all that comes back until it closes. */
async function raw(port: number, text: string): Promise<string> {
  const connection = await Deno.connect({ hostname: HOST, port });
  await connection.write(utf8.encode(text));
  return await new Response(connection.readable).text();
}

Deno.test("serve binds the peer's address and reports the port", async () => {
  const listening = signal<unknown>();
  const server = serve((_, { peer }) => Response.json(peer), {
    host: HOST,
    port: 0,
    log: () => {},
    onListen: listening.resolve,
  });
  const response = await fetch(`http://${HOST}:${server.port}/`);
  assert.deepEqual(await response.json(), { address: HOST });
  assert.deepEqual(await listening.promise, { host: HOST, port: server.port });
  await server.shutdown();
  await server.finished;
});

Deno.test("serve names a port that is in use", async () => {
  const first = start(() => new Response());
  assert.throws(
    () =>
      serve(() => new Response(), { host: HOST, port: first.port, log() {} }),
    {
      name: "ListenError",
      type: "configuration_error",
      port: first.port,
      message: new RegExp(`${HOST} port ${first.port}: it is in use`),
    },
  );
  await first.shutdown();
});

Deno.test("serve answers 500 without the message of what a handler threw", async () => {
  const log: unknown[] = [];
  const server = start(() => Promise.reject(new Error("secret text")), log);
  const response = await fetch(`http://${HOST}:${server.port}/`);
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
  assert.deepEqual(log, [["error", "request_failed", { error: "Error" }]]);
  await server.shutdown();
});

Deno.test("serve notes what breaks a body, unless it is an error that somebody has noted", async () => {
  const log: unknown[] = [];
  const errors = [
    new TypeError("secret text"),
    new UpstreamBrokeOff("up.example", "reset"),
  ];
  const server = start(() =>
    new Response(
      new ReadableStream({
        start: (to) => to.enqueue(utf8.encode("a")),
        pull: (to) => to.error(errors.shift()),
      }),
    ), log);
  while (errors.length > 0) {
    const response = await fetch(`http://${HOST}:${server.port}/`);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
  }
  assert.deepEqual(log, [["error", "request_failed", { error: "TypeError" }]]);
  await server.shutdown();
});

Deno.test("shutdown waits for the requests in flight", async () => {
  const entered = signal<void>();
  const answer = signal<Response>();
  const server = start(() => {
    entered.resolve();
    return answer.promise;
  });
  const response = fetch(`http://${HOST}:${server.port}/`);
  await entered.promise;
  const stopped = server.shutdown();
  answer.resolve(new Response("late"));
  assert.equal(await (await response).text(), "late");
  await stopped;
});

Deno.test("shutdown waits no longer than the grace time", async () => {
  const server = start(() =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(utf8.encode("first")),
      }),
    )
  );
  const response = await fetch(`http://${HOST}:${server.port}/`);
  const reader = response.body!.getReader();
  await reader.read();
  await server.shutdown(1);
  await reader.cancel();
  await server.finished;
});

Deno.test("serve shuts down when its signal is aborted", async () => {
  const stop = new AbortController();
  const server = serve(() => new Response(), {
    host: HOST,
    port: 0,
    log: () => {},
    signal: stop.signal,
  });
  stop.abort();
  await server.finished;
});

Deno.test("a chunk reaches the client before the upstream has sent the next", async () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
  });
  await proxied(() => new Response(body), async (origin, recorded) => {
    controller.enqueue(utf8.encode("data: 1\n\n"));
    const response = await fetch(`${origin}/stream`);
    const reader = response.body!.getReader();
    const text = new TextDecoder();
    assert.equal(text.decode((await reader.read()).value), "data: 1\n\n");
    controller.enqueue(utf8.encode("data: 2\n\n"));
    assert.equal(text.decode((await reader.read()).value), "data: 2\n\n");
    controller.close();
    assert.equal((await reader.read()).done, true);
    assert.equal((await recorded).status, 200);
  });
});

Deno.test("a client that leaves an idle stream ends the upstream request, recorded once as 499", async () => {
  const cancelled = signal<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8.encode("x")),
    cancel: () => cancelled.resolve(),
  });
  await proxied(() => new Response(body), async (origin, recorded) => {
    const client = new AbortController();
    const response = await fetch(origin, { signal: client.signal });
    await response.body!.getReader().read();
    client.abort();
    await cancelled.promise;
    assert.equal((await recorded).status, 499);
  });
});

Deno.test("a client that leaves before the answer ends the upstream request, recorded as 499", async () => {
  const entered = signal<void>();
  const left = signal<void>();
  const answer = signal<Response>();
  await proxied((request) => {
    request.signal.addEventListener("abort", () => left.resolve());
    entered.resolve();
    return answer.promise;
  }, async (origin, recorded) => {
    const client = new AbortController();
    const response = fetch(origin, { signal: client.signal });
    await entered.promise;
    client.abort();
    await assert.rejects(response, { name: "AbortError" });
    await left.promise;
    assert.equal((await recorded).status, 499);
    answer.resolve(new Response());
  });
});

Deno.test("an upstream that breaks in the middle breaks the client's connection too", async () => {
  const entered = signal<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>({ start: entered.resolve });
  await proxied(() => new Response(body), async (origin, recorded) => {
    const controller = await entered.promise;
    controller.enqueue(utf8.encode("x"));
    const response = await fetch(origin);
    const reader = response.body!.getReader();
    await reader.read();
    controller.error(new Error("broken"));
    await assert.rejects(reader.read());
    assert.equal((await recorded).status, 502);
  });
});

Deno.test("compressed bytes, a redirect and HEAD's length pass as the upstream gave them, cookies do not", async () => {
  const gz = new Response("hello").body!.pipeThrough(
    new CompressionStream("gzip"),
  );
  const bytes = await new Response(gz).bytes();
  await proxied((request) => {
    if (request.method === "HEAD") {
      return new Response(null, { headers: { "content-length": "77" } });
    }
    if (request.url.endsWith("/moved")) {
      return new Response(null, {
        status: 307,
        headers: { location: "http://elsewhere.example/" },
      });
    }
    assert.equal(request.headers.get("accept-encoding"), "identity");
    const headers = new Headers({
      "content-encoding": "gzip",
      "content-length": `${bytes.length}`,
    });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return new Response(bytes, { headers });
  }, async (origin) => {
    const got = await fetch(`${origin}/gz`, {
      headers: { "accept-encoding": "identity" },
    });
    assert.deepEqual(await got.bytes(), bytes);
    assert.equal(got.headers.get("content-length"), `${bytes.length}`);
    assert.deepEqual(got.headers.getSetCookie(), []);
    const moved = await fetch(`${origin}/moved`, { redirect: "manual" });
    assert.equal(moved.status, 307);
    assert.equal(moved.headers.get("location"), "http://elsewhere.example/");
    const head = await fetch(origin, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "77");
  });
});

Deno.test("path and query reach the upstream byte for byte, dots and quotes included", async () => {
  await proxied(
    (request) => new Response(request.url.replace(/^http:\/\/[^/]+/, "")),
    async (origin) => {
      const port = Number(new URL(origin).port);
      for (const target of [`/a/../b//c%2Fd?x?y='"`, "/v1/x?beta=true&a=%20"]) {
        const answer = await raw(
          port,
          `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`,
        );
        assert.match(answer, /^HTTP\/1\.1 200 /);
        assert.ok(answer.includes(target), answer);
      }
    },
  );
});

Deno.test("TRACE and CONNECT are answered with 405 on the wire", async () => {
  await proxied(() => new Response("up"), async (origin) => {
    const port = Number(new URL(origin).port);
    for (const line of ["TRACE /x", "CONNECT x:443"]) {
      const answer = await raw(
        port,
        `${line} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 405 /);
    }
  });
});

Deno.test("an upload reaches the upstream whole, with its length when it has a moderate one", async () => {
  await proxied(async (request) => {
    const length = request.headers.get("content-length");
    return Response.json([length, (await request.bytes()).length]);
  }, async (origin) => {
    const small = await fetch(origin, {
      method: "POST",
      body: new Uint8Array(1000),
    });
    assert.deepEqual(await small.json(), ["1000", 1000]);
    const size = 5 * 1024 * 1024;
    const large = await fetch(origin, {
      method: "POST",
      body: new Uint8Array(size),
    });
    assert.deepEqual(await large.json(), [null, size]);
  });
});

Deno.test("serve tells when a response was sent, or its client has left", async () => {
  const ends: Promise<void>[] = [];
  const server = start((request, { completed }) => {
    ends.push(completed);
    if (request.url.endsWith("/short")) return new Response("short");
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(utf8.encode("x")),
      }),
    );
  });
  const origin = `http://${HOST}:${server.port}`;
  await (await fetch(`${origin}/short`)).text();
  await ends[0];
  const client = new AbortController();
  const response = await fetch(origin, { signal: client.signal });
  await response.body?.getReader().read();
  const state = Promise.race([ends[1], Promise.resolve("open")]);
  assert.equal(await state, "open");
  client.abort();
  await ends[1];
  await server.shutdown();
});

Deno.test("serve hands on no request that others might read otherwise", async () => {
  let handled = 0;
  const server = start(() => {
    handled++;
    return new Response();
  });
  for (
    const [request, status] of [
      [`GET / HTTP/1.1\r\nHost: a b\r\n`, 400],
      [`GET http://evil.example/ HTTP/1.1\r\nHost: ${HOST}\r\n`, 400],
      [`TRACE /health HTTP/1.1\r\nHost: ${HOST}\r\n`, 405],
      [`CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n`, 405],
    ] as const
  ) {
    const answer = await raw(
      server.port,
      `${request}Connection: close\r\n\r\n`,
    );
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
  }
  assert.equal(handled, 0);
  await server.shutdown();
});

Deno.test("serve shares its port with another server when both ask for that", async () => {
  const options = { host: HOST, log: () => {}, reusePort: true };
  const first = serve(() => new Response(), { ...options, port: 0 });
  const { port } = first;
  const open = () => serve(() => new Response(), { ...options, port });
  // Only Linux divides the connections; elsewhere the second server gets the port or not.
  if (Deno.build.os === "linux") {
    const second = open();
    assert.equal(second.port, port);
    await second.shutdown();
  }
  await first.shutdown();
});

/** A request with fields and a URL that `Request` would not take. */
function shaped(
  fields: Record<string, string>,
  { url = "http://127.0.0.1:8787/v1/x", method = "POST" } = {},
): Request {
  const headers = new Headers({ host: "127.0.0.1:8787", ...fields });
  return { url, method, headers } as Request;
}

for (
  const request of [
    shaped({}),
    shaped({ "content-length": "0" }),
    shaped({ "content-length": "12345" }),
    shaped({ "transfer-encoding": "Chunked" }),
    shaped({}, { url: "http://127.0.0.1:8787" }),
    shaped({}, { url: "http://127.0.0.1:8787?x" }),
    shaped({}, { url: "http://127.0.0.1:8787/a/../b//%zz?q=http://x/" }),
    shaped({}, { url: "http://127.0.0.1:8787/*", method: "OPTIONS" }),
    shaped({ host: "LocalHost" }, { url: "http://localhost/" }),
    // No host at all is the gates' business.
    shaped({ host: "" }, { url: "http://localhost:8787/" }),
    shaped({}, { method: "FOO" }),
  ]
) {
  const { url, method } = request;
  const fields = JSON.stringify([...request.headers]);
  Deno.test(`refuseShape lets ${method} ${url} pass with ${fields}`, () => {
    assert.equal(refuseShape(request), undefined);
  });
}

for (
  const request of [
    shaped({ "content-length": "3, 3" }),
    shaped({ "content-length": "+3" }),
    shaped({ "content-length": "0x3" }),
    shaped({ "content-length": "" }),
    shaped({ "content-length": "9".repeat(16) }),
    shaped({ "transfer-encoding": "gzip, chunked" }),
    shaped({ "transfer-encoding": "chunked, chunked" }),
    shaped({ "transfer-encoding": "identity" }),
    shaped({ "transfer-encoding": "chunked", "content-length": "3" }),
    shaped({ host: "a b" }, { url: "http://a b/" }),
    shaped({ host: "a, b" }, { url: "http://a, b/" }),
    shaped({}, { url: "http://evil.example/v1/x" }),
    shaped({}, { url: "http://127.0.0.1/v1/x" }),
    shaped({}, { url: "https://x@127.0.0.1:8787/v1/x" }),
  ]
) {
  const { url } = request;
  const fields = JSON.stringify([...request.headers]);
  Deno.test(`refuseShape answers 400 to ${url} with ${fields}`, async () => {
    const response = refuseShape(request);
    assert.equal(response?.status, 400);
    assert.equal(response?.headers.get("connection"), "close");
    const { error } = await response?.json();
    assert.equal(error.type, "invalid_request_error");
  });
}

Deno.test("refuseShape answers 405 to tunnels and echoes, whatever the path", () => {
  for (const method of ["TRACE", "CONNECT", "trace", "Connect"]) {
    for (const url of ["http://127.0.0.1:8787/health", "http://x:443"]) {
      assert.equal(refuseShape(shaped({}, { url, method }))?.status, 405);
    }
  }
});

Deno.test("refuseShape answers 426 to WebSockets, and lets other upgrades pass", async () => {
  const asked = (upgrade: string) =>
    refuseShape(shaped({ upgrade, connection: "upgrade" }, { method: "GET" }));
  const response = asked("WebSocket");
  assert.equal(response?.status, 426);
  assert.match((await response?.json()).error.message, /over HTTP$/);
  assert.equal(asked("h2c"), undefined);
});
