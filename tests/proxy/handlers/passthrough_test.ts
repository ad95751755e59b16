import assert from "node:assert/strict";
import { BodyBytes } from "../../../src/proxy/body_bytes.ts";
import { CallsInFlight } from "../../../src/proxy/calls_in_flight.ts";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { ServiceError } from "../../../src/core/errors.ts";
import type { RequestRecord } from "../../../src/core/ledger.ts";
import type { UpstreamCall } from "../../../src/core/upstream.ts";
import { incomingOf, type ProxyEnv } from "../../../src/proxy/env.ts";
import {
  type PassedPlace,
  passthrough,
  type PassthroughParts,
} from "../../../src/proxy/handlers/passthrough.ts";
import {
  NO_PRICES,
  recordWith,
  resolverTo,
  upstreamAt,
} from "../call_parts.ts";
import { replyOf } from "../../upstream/replies.ts";

const utf8 = new TextEncoder();

function proxy(
  answer: (call: UpstreamCall) => Promise<Response>,
  parts: Partial<PassthroughParts> = {},
  place: Partial<PassedPlace> = {},
) {
  const records: RequestRecord[] = [];
  const failures: unknown[] = [];
  let time = 0;
  const app = new Hono<ProxyEnv>().all(
    "*",
    (c) => pass(incomingOf(c), { wanted: { family: undefined }, ...place }),
  );
  const pass = passthrough({
    upstreams: resolverTo(upstreamAt("https://up.example/base", "up.example")),
    send: async (call) => replyOf(await answer(call)),
    newId: () => "id",
    pricing: NO_PRICES,
    record: (entry) => void records.push(entry),
    onFailure: (error, to) => void failures.push([to?.label, error]),
    clock: { now: () => 0, monotonic: () => time += 10 },
    stripInternal: true,
    token: undefined,
    maxBodyBytes: 100,
    bodies: new BodyBytes(10_000_000),
    calls: new CallsInFlight(),
    ...parts,
  });
  return { app, records, failures };
}

for (
  const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "FOO"]
) {
  Deno.test(`passthrough forwards ${method} to base, path and query`, async () => {
    const seen: UpstreamCall[] = [];
    const { app, records } = proxy((call) => {
      seen.push(call);
      return Promise.resolve(new Response("up", { status: 201 }));
    });
    const response = await app.request("http://proxy/v1//x%2Fy?a?b&b=", {
      method,
      headers: { "authorization": "Bearer k", "x-svc-stack": "s" },
    });
    assert.equal(response.status, 201);
    assert.equal(await response.text(), "up");
    assert.equal(seen[0]?.target, "https://up.example/base/v1//x%2Fy?a?b&b=");
    assert.equal(seen[0]?.method, method);
    assert.deepEqual(Object.fromEntries(seen[0]?.headers ?? []), {
      "accept-encoding": "identity",
      "authorization": "Bearer k",
    });
    assert.equal(records.length, 1);
  });
}

Deno.test("passthrough forwards HEAD and answers without a body", async () => {
  const { app } = proxy(({ method }) => {
    assert.equal(method, "HEAD");
    return Promise.resolve(
      new Response(null, { headers: { "content-length": "123" } }),
    );
  });
  const response = await app.request("http://proxy/x", { method: "HEAD" });
  assert.equal(response.headers.get("content-length"), "123");
  assert.equal(response.body, null);
});

Deno.test("passthrough sends the path and query of its place instead of the client's", async () => {
  const { app } = proxy(
    ({ target }) => Promise.resolve(new Response(target)),
    {},
    { path: "/other?a=1" },
  );
  const response = await app.request("http://proxy/x?b=2");
  assert.equal(await response.text(), "https://up.example/base/other?a=1");
});

Deno.test("passthrough keeps internal fields when told to", async () => {
  const { app } = proxy(({ headers }) => {
    assert.equal(new Map(headers).get("x-svc-stack"), "s");
    return Promise.resolve(new Response());
  }, { stripInternal: false });
  await app.request("http://proxy/x", { headers: { "x-svc-stack": "s" } });
});

Deno.test("passthrough streams a request body without a length", async () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
  });
  const { app } = proxy(async ({ body: sent }) => {
    assert.ok(sent instanceof ReadableStream);
    const reader = sent.getReader();
    controller.enqueue(utf8.encode("one"));
    const first = await reader.read();
    controller.close();
    await reader.read();
    return new Response(first.value as BodyInit);
  });
  const response = await app.request("http://proxy/files", {
    method: "POST",
    headers: { "transfer-encoding": "chunked" },
    body,
  });
  assert.equal(await response.text(), "one");
});

Deno.test("passthrough sends a body with a moderate length as bytes, encoding kept", async () => {
  const { app } = proxy(({ body, headers }) => {
    assert.ok(body instanceof Uint8Array);
    assert.equal(new Map(headers).get("content-encoding"), "gzip");
    return Promise.resolve(new Response(body as BodyInit));
  });
  const response = await app.request("http://proxy/embeddings", {
    method: "POST",
    body: "not gzip at all",
    headers: { "content-length": "15", "content-encoding": "gzip" },
  });
  assert.equal(await response.text(), "not gzip at all");
});

Deno.test("passthrough records a request once, at the end of the body", async () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
  });
  const { app, records } = proxy(() =>
    Promise.resolve(new Response(body, { status: 503 }))
  );
  const response = await app.request("http://proxy/x");
  assert.equal(response.status, 503);
  assert.deepEqual(records, []);
  controller.close();
  await response.text();
  assert.deepEqual(records, [
    recordWith({
      provider: "passthrough",
      upstream: "up.example",
      status: 503,
      latencyMs: 30,
      overheadMs: 10,
    }),
  ]);
});

Deno.test("passthrough records what the upstream calls its error", async () => {
  const { app, records } = proxy(() =>
    Promise.resolve(
      Response.json({ error: { type: "not_found_error" } }, { status: 404 }),
    )
  );
  await (await app.request("http://proxy/x")).text();
  assert.equal(records[0]?.errorType, "not_found_error");
});

Deno.test("passthrough records when the first byte of an answer came, if one did", async () => {
  const { app, records } = proxy(({ method }) =>
    Promise.resolve(new Response(method === "HEAD" ? null : "whole"))
  );
  await (await app.request("http://proxy/x")).text();
  await app.request("http://proxy/x", { method: "HEAD" });
  const [whole, head] = records;
  assert.ok(whole!.ttfbMs! > 0 && whole!.ttfbMs! < whole!.latencyMs);
  assert.equal(head?.ttfbMs, undefined);
});

Deno.test("passthrough records a client that leaves in the middle as 499", async () => {
  let cancelled = 0;
  const body = new ReadableStream({ cancel: () => void cancelled++ });
  const { app, records } = proxy(() => Promise.resolve(new Response(body)));
  const response = await app.request("http://proxy/x");
  await response.body?.cancel();
  assert.equal(cancelled, 1);
  assert.deepEqual(records.map(({ status }) => status), [499]);
});

Deno.test("passthrough records and reports a response that breaks off as 502", async () => {
  const broken = new Error("reset");
  const body = new ReadableStream({ pull: (to) => to.error(broken) });
  const { app, records, failures } = proxy(() =>
    Promise.resolve(new Response(body))
  );
  const response = await app.request("http://proxy/x");
  await assert.rejects(response.text());
  assert.deepEqual(records.map(({ status }) => status), [502]);
  assert.deepEqual(failures, [["up.example", broken]]);
});

Deno.test("passthrough counts no upload as its own time", async () => {
  let time = 0;
  const body = new ReadableStream({
    pull(to) {
      time += 5000;
      to.enqueue(utf8.encode("x"));
      to.close();
    },
  });
  const { app, records } = proxy(() => Promise.resolve(new Response()), {
    clock: { now: () => 0, monotonic: () => time },
  });
  const headers = { "content-length": "1" };
  await app.request("http://proxy/x", { method: "POST", headers, body });
  assert.deepEqual(records.map(({ overheadMs }) => overheadMs), [0]);
  assert.deepEqual(records.map(({ latencyMs }) => latencyMs), [5000]);
});

Deno.test("passthrough answers 502 when the upstream cannot be reached", async () => {
  const { app, records, failures } = proxy(() =>
    Promise.reject(new ServiceError("connection_error", "Failed to connect"))
  );
  const response = await app.request("http://proxy/x");
  assert.equal(response.status, 502);
  assert.equal((await response.json()).error.type, "connection_error");
  assert.deepEqual(records.map(({ status }) => status), [502]);
  assert.equal(failures.length, 1);
});

Deno.test("passthrough records a response that the proxy cuts off when it stops as 499", async () => {
  const calls = new CallsInFlight();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8.encode("a")),
  });
  const { app, records } = proxy(
    () => Promise.resolve(new Response(body)),
    { calls },
  );
  const response = await app.request("http://proxy/x");
  const reader = response.body!.getReader();
  await reader.read();
  const isCutOff = calls.cutOff(60_000);
  await assert.rejects(reader.read());
  await isCutOff;
  assert.deepEqual(records.map(({ status }) => status), [499]);
  assert.equal(calls.isIdle, true);
});

Deno.test("passthrough records a client that leaves before the answer as 499", async () => {
  const { app, records } = proxy(() =>
    Promise.reject(new DOMException("gone", "AbortError"))
  );
  assert.equal((await app.request("http://proxy/x")).status, 499);
  assert.deepEqual(records.map(({ status }) => status), [499]);
});

Deno.test("passthrough records and rethrows a bug", async () => {
  const { app, records } = proxy(() => Promise.reject(new TypeError("bug")));
  let thrown: unknown;
  app.onError((error, c) => {
    thrown = error;
    return c.text("", 500);
  });
  await app.request("http://proxy/x");
  assert.ok(thrown instanceof TypeError);
  assert.deepEqual(records.map(({ status }) => status), [500]);
});

for (const method of ["TRACE", "CONNECT"]) {
  Deno.test(`passthrough refuses ${method}`, async () => {
    const { app } = proxy(() => Promise.reject(new Error("must not be sent")));
    const request = new Request("http://proxy/x");
    Object.defineProperty(request, "method", { value: method });
    assert.equal((await app.request(request)).status, 405);
  });
}

Deno.test("passthrough refuses a GET whose body it cannot see, and takes an empty one", async () => {
  const { app } = proxy(() => Promise.resolve(new Response("up")));
  const get = (headers: Record<string, string>) =>
    app.request("http://proxy/x", { headers });
  assert.equal((await get({ "content-length": "3" })).status, 400);
  assert.equal((await get({ "transfer-encoding": "chunked" })).status, 400);
  assert.equal((await get({ "content-length": "0" })).status, 200);
});

/** What arrives upstream when a gzip body of `{"a":1}` is rewritten by `bytesFor`. */
async function rewrittenBy(
  bytesFor: (body: Uint8Array) => Promise<Uint8Array>,
) {
  const seen: UpstreamCall[] = [];
  const { app } = proxy(
    (call) => {
      seen.push(call);
      return Promise.resolve(new Response("up"));
    },
    {},
    { rewrite: bytesFor },
  );
  const body = new Uint8Array(gzipSync('{"a":1}'));
  const response = await app.request("http://proxy/v1/x", {
    method: "POST",
    headers: { "content-encoding": "gzip" },
    body,
  });
  return { response, body, sent: seen[0] };
}

Deno.test("passthrough sends what a body is rewritten to, decoded", async () => {
  const { sent } = await rewrittenBy((body) => {
    assert.equal(new TextDecoder().decode(body), '{"a":1}');
    return Promise.resolve(utf8.encode('{"a":2}'));
  });
  assert.equal(
    new TextDecoder().decode(sent?.body as Uint8Array),
    '{"a":2}',
  );
  assert.equal(new Map(sent?.headers).has("content-encoding"), false);
});

Deno.test("passthrough sends a body that is not rewritten as it came", async () => {
  const { sent, body } = await rewrittenBy((body) => Promise.resolve(body));
  assert.deepEqual(
    new Uint8Array(sent?.body as Uint8Array),
    body,
  );
  assert.equal(new Map(sent?.headers).get("content-encoding"), "gzip");
});

Deno.test("passthrough refuses a body to rewrite above the limit", async () => {
  const { app } = proxy(
    () => assert.fail("nothing is sent"),
    { maxBodyBytes: 10 },
    { rewrite: (body) => Promise.resolve(body) },
  );
  const response = await app.request("http://proxy/v1/x", {
    method: "POST",
    body: "x".repeat(11),
  });
  assert.equal(response.status, 413);
});

Deno.test("passthrough says with an error too that a chosen upstream was not used", async () => {
  const upstream = {
    ...upstreamAt("https://up.example"),
    ignoredOverride: "private",
  };
  const { app } = proxy(
    () => Promise.reject(new ServiceError("connection_error", "down")),
    { upstreams: resolverTo(upstream) },
  );
  const response = await app.request("http://proxy/v1/models");
  assert.equal(response.status, 502);
  assert.equal(response.headers.get("x-svc-base-url-ignored"), "private");
});
