import assert from "node:assert/strict";
import { Hono } from "hono";
import { ServiceError } from "../../../src/core/errors.ts";
import type { RequestRecord } from "../../../src/core/ledger.ts";
import type { Send } from "../../../src/core/upstream.ts";
import { makeAttempt } from "../../../src/pipeline/attempt.ts";
import type { CompressedBody } from "../../../src/pipeline/compress_body.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { providerCall } from "../../../src/proxy/handlers/provider_call.ts";
import { harness } from "../../pipeline/harness.ts";

const env = { peer: { address: "127.0.0.1" } };
const clock = { now: () => 0, monotonic: () => 0 };

/** A call that is sent as it came. */
function asItCame(body: Uint8Array): CompressedBody {
  return {
    body,
    bytes: body,
    scan: undefined,
    edits: [],
    conversation: undefined,
    declaration: { by: "nobody", reason: "test" },
    formed: [],
    uncounted: [],
    turns: [],
    formTokensSaved: 0,
    strategies: [],
    leftAlone: [],
    elided: new Map(),
    sent: () => {},
    retract: () => Promise.resolve(),
  };
}

function handlerWith(send: Send, compress = asItCame) {
  const records: RequestRecord[] = [];
  const failures: unknown[] = [];
  const refused: CompressedBody[] = [];
  const app = new Hono<ProxyEnv>();
  app.all(
    "*",
    providerCall({
      format: messagesFormat,
      upstream: { base: new URL("http://upstream.test/base"), label: "x" },
      mode: "cache",
      maxBodyBytes: 100,
      stripInternal: true,
      compress: ({ body }) => Promise.resolve(compress(body)),
      count: () => ({
        estimate: () => ({ tokens: 7, extraTokens: 0 }),
        done: Promise.resolve({ tokens: 7, extraTokens: 0 }),
      }),
      send,
      retrievals: {
        store: harness().store,
        conversations: undefined as never,
        retrieve: () => assert.fail("nothing is asked for"),
        responseIds: undefined as never,
        itemsIn: () => undefined,
        clock,
        attempt: makeAttempt(() => {}),
        everyTenSeconds: () => () => {},
      },
      onFailure: (error) => void failures.push(error),
      onResponseId: () => assert.fail("no state is kept"),
      onToolRefused: (call) => void refused.push(call),
      record: (entry) => void records.push(entry),
      pending: () => {},
      clock,
    }),
  );
  app.onError((error) =>
    new Response(`bug: ${error.message}`, { status: 500 })
  );
  const post = (body: BodyInit, headers: HeadersInit = {}) =>
    app.request(
      "http://proxy/v1/messages?beta=true",
      { method: "POST", body, headers },
      env,
    );
  return { post, records, failures, refused };
}

Deno.test("providerCall sends the client's bytes to base plus path and relays the answer", async () => {
  const sent: Request[] = [];
  const { post, records } = handlerWith((request) => {
    sent.push(request);
    return Promise.resolve(new Response("answer", { status: 201 }));
  });
  const response = await post("body", { "x-api-key": "k", "x-svc-stack": "s" });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("x-svc-tokens-before"), "7");
  assert.equal(await response.text(), "answer");
  const [request] = sent;
  assert.equal(request?.url, "http://upstream.test/base/v1/messages?beta=true");
  assert.equal(await request?.text(), "body");
  assert.equal(request?.headers.get("x-api-key"), "k");
  assert.equal(request?.headers.get("x-svc-stack"), null);
  await Promise.resolve();
  assert.equal(records[0]?.status, 201);
});

Deno.test("providerCall answers 413 to a body above the limit without sending it", async () => {
  const { post, records } = handlerWith(() => assert.fail("must not send"));
  const response = await post("x".repeat(101));
  assert.equal(response.status, 413);
  assert.equal((await response.json()).error.type, "request_too_large");
  assert.equal(records[0]?.status, 413);
});

Deno.test("providerCall answers 502 in the family's shape when the upstream cannot be reached", async () => {
  const { post, failures } = handlerWith(() =>
    Promise.reject(new ServiceError("connection_error", "Failed to connect"))
  );
  const response = await post("{}");
  assert.equal(response.status, 502);
  const { type, error } = await response.json();
  assert.equal(type, "error");
  assert.equal(error.message, "Failed to connect");
  assert.equal(failures.length, 1);
});

Deno.test("providerCall records 499 for a client that left, and throws what it does not know", async () => {
  const gone = handlerWith(() =>
    Promise.reject(new DOMException("left", "AbortError"))
  );
  assert.equal((await gone.post("{}")).status, 499);
  assert.equal(gone.records[0]?.status, 499);
  const bug = handlerWith(() => Promise.reject(new RangeError("odd")));
  const response = await bug.post("{}");
  assert.equal(await response.text(), "bug: odd");
  assert.deepEqual(bug.records.map(({ status }) => status), [500]);
});

/** A first request with our tool, to an upstream that answers the edited and the client's own body thus. */
async function firstRequest(answers: { edited: number; plain: number }) {
  const events: string[] = [];
  const { post, refused } = handlerWith(async (request) => {
    const body = await request.text();
    events.push(`sent ${body}`);
    const status = body === "edited" ? answers.edited : answers.plain;
    return new Response(null, { status });
  }, (body) => ({
    ...asItCame(body),
    bytes: new TextEncoder().encode("edited"),
    declaration: { by: "proxy", definition: "{}", begins: true },
    retract: () => Promise.resolve(void events.push("retracted")),
  }));
  const { status } = await post("plain");
  return { status, events, refusals: refused.length };
}

Deno.test("providerCall takes back the forms of a first request that is taken only as it came", async () => {
  assert.deepEqual(await firstRequest({ edited: 400, plain: 200 }), {
    status: 200,
    events: ["sent edited", "sent plain", "retracted"],
    refusals: 1,
  });
});

Deno.test("providerCall keeps the forms of a first request whose failure is not our tool's", async () => {
  assert.deepEqual(await firstRequest({ edited: 422, plain: 422 }), {
    status: 422,
    events: ["sent edited", "sent plain"],
    refusals: 0,
  });
  assert.deepEqual(await firstRequest({ edited: 529, plain: 200 }), {
    status: 529,
    events: ["sent edited"],
    refusals: 0,
  });
});
