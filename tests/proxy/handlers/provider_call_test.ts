import assert from "node:assert/strict";
import { CallsInFlight } from "../../../src/proxy/calls_in_flight.ts";
import { BodyBytes } from "../../../src/proxy/body_bytes.ts";
import { Hono } from "hono";
import type { BudgetGate, BudgetRefusal } from "../../../src/core/cost.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import type { RequestRecord } from "../../../src/core/ledger.ts";
import { makeAttempt } from "../../../src/pipeline/attempt.ts";
import {
  type CompressedBody,
  untouched,
} from "../../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { incomingOf, type ProxyEnv } from "../../../src/proxy/env.ts";
import { BetaTracker } from "../../../src/proxy/beta_tracker.ts";
import {
  type CallPlace,
  type CompressCall,
  providerCall,
  type ProviderCallParts,
} from "../../../src/proxy/handlers/provider_call.ts";
import { HostRefusals } from "../../../src/proxy/host_refusals.ts";
import { ResponseCache } from "../../../src/proxy/response_cache.ts";
import { makePrefixProofs } from "../../../src/pipeline/prefix_proof.ts";
import { harness } from "../../pipeline/harness.ts";
import { sendingTo } from "../../upstream/replies.ts";
import { NO_PRICES, resolverTo, upstreamAt } from "../call_parts.ts";

const env = { peer: { address: "127.0.0.1" } };
const clock = { now: () => 0, monotonic: () => 0 };
const PLACE: CallPlace = {
  format: messagesFormat,
  wanted: { family: "messages" },
};

/** A call that is sent as it came. */
const asItCame = (body: Uint8Array) => untouched(body, undefined, "test");

/** Anything that a test wants otherwise. */
type Facts = Partial<ProviderCallParts>;

/** What an upstream answers. */
type Answers = Parameters<typeof sendingTo>[0];

function handlerWith(answers: Answers, compress = asItCame, facts: Facts = {}) {
  const records: RequestRecord[] = [];
  const failures: unknown[] = [];
  const refused: CompressedBody[] = [];
  const app = new Hono<ProxyEnv>();
  app.all(
    "*",
    (c) => call(incomingOf(c), PLACE),
  );
  const call = providerCall({
    upstreams: resolverTo(upstreamAt("http://upstream.test/base")),
    token: undefined,
    cache: undefined,
    budget: undefined,
    pricing: NO_PRICES,
    newId: () => "id",
    onRefused: () => {},
    calls: new CallsInFlight(),
    betas: new BetaTracker({ sticky: "enabled", maxSessions: 10 }),
    mode: "cache",
    maxBodyBytes: 100,
    bodies: new BodyBytes(10_000_000),
    stripInternal: true,
    compress: ({ body }) => Promise.resolve(compress(body)),
    count: () => ({
      estimate: () => ({ tokens: 7, extraTokens: 0 }),
      isExact: () => true,
      done: Promise.resolve({ tokens: 7, extraTokens: 0 }),
    }),
    send: sendingTo(answers),
    retrievals: {
      store: harness().store,
      conversations: undefined as never,
      retrieve: () => assert.fail("nothing is asked for"),
      responseIds: undefined as never,
      itemsIn: () => undefined,
      clock,
      attempt: makeAttempt(() => {}),
      everyTenSeconds: () => () => {},
      pause: () => Promise.resolve(),
    },
    onFailure: (error) => void failures.push(error),
    onResponseId: () => assert.fail("no state is kept"),
    proofs: makePrefixProofs(),
    keepers: {},
    onHostRefused: (call, _, addition) => {
      assert.notEqual(addition, "usage");
      if (addition === "tool") refused.push(call);
    },
    refusals: new HostRefusals(),
    record: (entry) => void records.push(entry),
    clock,
    ...facts,
  });
  app.onError((error) =>
    new Response(`bug: ${error.message}`, { status: 500 })
  );
  const post = (
    body: BodyInit,
    headers: HeadersInit = {},
    more: Partial<ProxyEnv["Bindings"]> = {},
  ) =>
    app.request(
      "http://proxy/v1/messages?beta=true",
      { method: "POST", body, headers },
      { ...env, ...more },
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

Deno.test("providerCall reports what the model takes and what the prompt may have of it, where that is known", async () => {
  const known = { ...NO_PRICES, contextLimit: () => 9000 };
  const facts = async (
    pricing: typeof known | typeof NO_PRICES,
    body: string,
    headers: HeadersInit = {},
  ) => {
    const { post, records } = handlerWith(
      () => Promise.resolve(new Response("answer")),
      (bytes) => untouched(bytes, messagesFormat.scan(bytes), "test"),
      { pricing },
    );
    const response = await post(body, headers);
    await response.text();
    await Promise.resolve();
    const said = (name: string) => response.headers.get(`x-svc-tokens-${name}`);
    const { context } = records[0]!;
    const told = context && [`${context.limit}`, `${context.budget}`];
    assert.deepEqual(told ?? [null, null], [said("limit"), said("budget")]);
    return said("budget");
  };
  const short = '{"model":"m","messages":[]}';
  const long = '{"model":"m","max_tokens":1000,"messages":[]}';
  assert.equal(await facts(known, short), "4904");
  assert.equal(await facts(known, long), "8000");
  const buffer = { "x-headroom-output-buffer-tokens": "50" };
  assert.equal(await facts(known, long, buffer), "8950");
  assert.equal(await facts(known, short, { "x-svc-tokens-limit": "7" }), "0");
  assert.equal(await facts(NO_PRICES, long, buffer), null);
  assert.equal(await facts(known, "no JSON"), null);
});

Deno.test("providerCall counts while the upstream works, and neither the request nor the response waits for it", async () => {
  for (const isCounted of [true, false]) {
    const exact = { tokens: 12, extraTokens: 0 };
    let isExact = false;
    const asked = Promise.withResolvers<void>();
    const { post } = handlerWith(
      async () => {
        // The request has left before anything is counted, and the answer comes late.
        assert.equal(isExact, false);
        await asked.promise;
        isExact = isCounted;
        return new Response("answer");
      },
      asItCame,
      {
        count: () => {
          asked.resolve();
          return {
            estimate: () => isExact ? exact : { tokens: 7, extraTokens: 0 },
            isExact: () => isExact,
            done: new Promise(() => {}),
          };
        },
      },
    );
    const { headers } = await post("body");
    assert.equal(headers.get("x-svc-tokens-before"), isCounted ? "12" : "7");
    const mark = headers.get("x-svc-tokens-estimated");
    assert.equal(mark, isCounted ? null : "true");
  }
});

Deno.test("providerCall answers 413 to a body above the limit without sending it", async () => {
  const { post, records } = handlerWith(() => assert.fail("must not send"));
  const response = await post("x".repeat(101));
  assert.equal(response.status, 413);
  assert.equal((await response.json()).error.type, "request_too_large");
  assert.equal(records[0]?.status, 413);
  assert.equal(records[0]?.errorType, "validation_error");
});

Deno.test("providerCall records what the upstream calls its error, and which steps failed before", async () => {
  const error = { type: "authentication_error", message: "who is my prompt" };
  const failures = [{ stage: "commit_forms", reason: "Error: locked" }];
  const { post, records } = handlerWith(
    () => Promise.resolve(Response.json({ error }, { status: 401 })),
    (body) => ({ ...asItCame(body), failures }),
  );
  await (await post("{}")).text();
  await Promise.resolve();
  assert.equal(records[0]?.errorType, "authentication_error");
  assert.deepEqual(records[0]?.failures, failures);
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
    declaration: {
      by: "proxy",
      pinned: "{}",
      begins: true,
      mayElide: true,
    },
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

const REQUEST = JSON.stringify({
  model: "claude-sonnet-4-5",
  temperature: 0,
  messages: [{ role: "user", content: "hi" }],
});
const ANSWER = { type: "message", usage: { input_tokens: 1 } };

/** A scanned call that notes whether it was taken back. */
function scanned(events: string[], facts: Partial<CompressedBody> = {}) {
  return (body: Uint8Array): CompressedBody => ({
    ...untouched(body, messagesFormat.scan(body), "test"),
    retract: () => Promise.resolve(void events.push("retracted")),
    ...facts,
  });
}

/** A budget that answers so, and what it was asked. */
function budgetOf(refusal: BudgetRefusal | undefined) {
  const asked: unknown[] = [];
  const budget: BudgetGate = {
    admit(id, nanoUsd) {
      asked.push([id, nanoUsd]);
      return Promise.resolve(refusal);
    },
    release: () => {},
    state: () => assert.fail("not asked"),
  };
  return { budget, asked };
}

const SPENT: BudgetRefusal = {
  reason: "spent",
  period: "daily",
  limitNanoUsd: 1e9,
  spentNanoUsd: 1e9,
  retryAfterMs: 1000,
};

Deno.test("providerCall answers a repeated request from memory, and pays nothing", async () => {
  const events: string[] = [];
  const { budget, asked } = budgetOf(undefined);
  const { post, records } = handlerWith(
    () => Promise.resolve(Response.json(ANSWER)),
    scanned(events),
    { cache: new ResponseCache({ clock }), budget, maxBodyBytes: 1000 },
  );
  const first = await post(REQUEST);
  assert.equal(first.headers.get("x-svc-cached"), null);
  assert.deepEqual(await first.json(), ANSWER);
  assert.deepEqual(events, []);
  const second = await post(REQUEST);
  assert.equal(second.headers.get("x-svc-cached"), "true");
  assert.deepEqual(await second.json(), ANSWER);
  // Another request may have been sent with what was frozen.
  assert.deepEqual(events, []);
  assert.equal(asked.length, 1);
  await Promise.resolve();
  assert.deepEqual(
    records.map(({ cached, status, model }) => [cached, status, model]),
    [[false, 200, "claude-sonnet-4-5"], [true, 200, "claude-sonnet-4-5"]],
  );
});

Deno.test("providerCall keeps no answer of a request that is passed through, or broke off", async () => {
  let isBroken = false;
  let sent = 0;
  const { post } = handlerWith(
    () => {
      sent++;
      const text = JSON.stringify(ANSWER);
      // All of it is there when it breaks.
      const body = new ReadableStream<Uint8Array>({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(text)),
        pull(controller) {
          if (isBroken) controller.error(new TypeError("broken"));
          else controller.close();
        },
      }, { highWaterMark: 0 });
      const headers = { "content-type": "application/json" };
      return Promise.resolve(new Response(body, { headers }));
    },
    scanned([]),
    { cache: new ResponseCache({ clock }), maxBodyBytes: 1000 },
  );
  for (let i = 0; i < 2; i++) {
    await (await post(REQUEST, { "x-svc-bypass": "true" })).bytes();
  }
  assert.equal(sent, 2);
  isBroken = true;
  await assert.rejects((await post(REQUEST)).bytes());
  isBroken = false;
  assert.equal((await post(REQUEST)).headers.get("x-svc-cached"), null);
  assert.equal(sent, 4);
});

Deno.test("providerCall tells requests apart by the betas of their conversation", async () => {
  const { post } = handlerWith(
    () => Promise.resolve(Response.json(ANSWER)),
    scanned([]),
    { cache: new ResponseCache({ clock }), maxBodyBytes: 1000 },
  );
  const cached = async (headers: HeadersInit = {}) => {
    const response = await post(REQUEST, headers);
    await response.bytes();
    return response.headers.get("x-svc-cached");
  };
  assert.equal(await cached({ "anthropic-beta": "a" }), null);
  // It is sent with the beta from now on.
  assert.equal(await cached(), "true");
  assert.equal(await cached({ "anthropic-beta": "b" }), null);
});

Deno.test("providerCall reserves money for what it sends, and sends nothing without: what was frozen stays", async () => {
  const pricing = { ...NO_PRICES, reserveFor: (_: string, n: number) => n };
  const rich = budgetOf(undefined);
  const paid = handlerWith(
    () => Promise.resolve(new Response("fine")),
    scanned([], { bytes: new TextEncoder().encode("{}") }),
    { budget: rich.budget, pricing, maxBodyBytes: 1000 },
  );
  assert.equal(await (await paid.post(REQUEST)).text(), "fine");
  assert.deepEqual(rich.asked, [["id", 2]]);
  const events: string[] = [];
  const { post, records } = handlerWith(
    () => assert.fail("must not send"),
    scanned(events),
    { budget: budgetOf(SPENT).budget, maxBodyBytes: 1000 },
  );
  const response = await post(REQUEST);
  assert.equal(response.status, 429);
  assert.equal((await response.json()).error.type, "budget_exceeded");
  // Another request may have been sent with it meanwhile.
  assert.deepEqual(events, []);
  assert.deepEqual(
    records.map(({ status, refusedBy, model }) => [status, refusedBy, model]),
    [[429, "budget", "claude-sonnet-4-5"]],
  );
});

Deno.test("providerCall sends betas of earlier requests of a conversation, but not with one that is passed through", async () => {
  const sent: (string | null)[] = [];
  const { post } = handlerWith(
    (request) => {
      sent.push(request.headers.get("anthropic-beta"));
      return Promise.resolve(new Response("fine"));
    },
    scanned([]),
    { maxBodyBytes: 1000 },
  );
  const ask = async (headers: HeadersInit) =>
    void await (await post(REQUEST, headers)).bytes();
  await ask({ "anthropic-beta": "a" });
  await ask({});
  await ask({ "x-svc-bypass": "true" });
  await ask({ "x-svc-bypass": "true", "anthropic-beta": "b" });
  await ask({});
  assert.deepEqual(sent, ["a", "a", null, "b", "a"]);
});

Deno.test("providerCall answers 500 in the family's shape where the setting of betas is a wrong word", async () => {
  const betas = new BetaTracker({ sticky: "invalid", maxSessions: 1 });
  const { post } = handlerWith(() => assert.fail("must not send"), asItCame, {
    betas,
  });
  const response = await post("{}");
  assert.equal(response.status, 500);
  const { type, error } = await response.json();
  assert.equal(type, "error");
  assert.match(error.message, /SVC_BETA_HEADER_STICKY/);
});

Deno.test("providerCall says what would be done to a request that only asks, and sends it as it came", async () => {
  const asked: CompressCall[] = [];
  const formed = [{
    key: "k",
    block: {},
    form: { strategy: "log", tokensBefore: 100, tokensAfter: 30 },
  }] as unknown as CompressedBody["formed"];
  const { post } = handlerWith(
    async (request) => new Response(await request.text()),
    asItCame,
    {
      mode: "token",
      compress(call) {
        asked.push(call);
        const plain = asItCame(call.body);
        return Promise.resolve(
          call.isSimulation
            ? {
              ...plain,
              formed,
              formTokensSaved: 70,
              strategies: ["log", "x"],
            }
            : plain,
        );
      },
    },
  );
  const response = await post("body", { "x-svc-mode": "Simulate" });
  assert.equal(await response.text(), "body");
  assert.deepEqual(
    asked.map(({ mode, isSimulation }) => [mode, isSimulation]),
    [["token", true], ["passthrough", undefined]],
  );
  const said = (name: string) =>
    response.headers.get(`x-svc-simulated-${name}`);
  assert.deepEqual(
    ["before", "after", "saved", "transforms"].map(said),
    ["100", "30", "70", "log, x"],
  );
  assert.equal(response.headers.get("x-svc-tokens-saved"), "0");
  const other = await post("body", { "x-svc-bypass": "true" });
  await other.bytes();
  assert.equal(other.headers.get("x-svc-simulated-saved"), null);
});

/** Asks with a body that the upstream refuses with `text` unless it is what a second try makes of it. */
async function tooLong(
  text: string,
  first: Partial<CompressedBody>,
  second: Partial<CompressedBody> = { older: OLDER },
  headers: HeadersInit = {},
) {
  const sent: string[] = [];
  const tried: (boolean | undefined)[] = [];
  const { post } = handlerWith(
    async (request) => {
      const body = await request.text();
      sent.push(body);
      return body === "short"
        ? new Response("fine")
        : new Response(text, { status: 400 });
    },
    asItCame,
    {
      compress({ body, isTooLong }) {
        tried.push(isTooLong);
        const bytes = new TextEncoder().encode("short");
        return Promise.resolve({
          ...asItCame(body),
          ...isTooLong ? { bytes, ...second } : first,
        });
      },
    },
  );
  const response = await post("long", headers);
  return { text: await response.text(), sent, tried };
}
const OLDER = { reason: "too_long", blocks: 1, tokensSaved: 9 } as const;
const TOO_LONG = "prompt is too long: 9 tokens > 8 maximum";

Deno.test("providerCall decides older blocks of a body that is refused as too long, and sends it once more", async () => {
  assert.deepEqual(await tooLong(TOO_LONG, { hasOlder: true }), {
    text: "fine",
    sent: ["long", "short"],
    tried: [undefined, true],
  });
});

Deno.test("providerCall tries a body no second time that nothing older can be left out of", async () => {
  const once = { text: TOO_LONG, sent: ["long"], tried: [undefined] };
  const has = { hasOlder: true };
  assert.deepEqual(await tooLong(TOO_LONG, {}), once);
  assert.deepEqual(
    await tooLong("bad request", has),
    { ...once, text: "bad request" },
  );
  const bypass = { "x-svc-bypass": "true" };
  assert.deepEqual(await tooLong(TOO_LONG, has, {}, bypass), once);
  // Nothing was decided: it would be the same body again.
  assert.deepEqual(await tooLong(TOO_LONG, has, {}), {
    ...once,
    tried: [undefined, true],
  });
});

Deno.test("providerCall says why it did not send to the upstream that the client chose", async () => {
  const upstream = {
    ...upstreamAt("http://up.test"),
    ignoredOverride: "private_address",
  };
  const { post } = handlerWith(
    () => Promise.resolve(new Response("fine")),
    asItCame,
    { upstreams: resolverTo(upstream) },
  );
  const response = await post("body");
  await response.bytes();
  const said = response.headers.get("x-svc-base-url-ignored");
  assert.equal(said, "private_address");
});

Deno.test("providerCall ends a call like one whose client left when the proxy gives it up, and forgets it once recorded", async () => {
  const calls = new CallsInFlight();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("a")),
  });
  const { post, records } = handlerWith(
    () => Promise.resolve(new Response(stream)),
    asItCame,
    { calls },
  );
  const response = await post("{}");
  const reader = response.body!.getReader();
  await reader.read();
  assert.equal(calls.isIdle, false);
  const isCutOff = calls.cutOff(60_000);
  await assert.rejects(reader.read());
  await isCutOff;
  assert.deepEqual(records.map(({ status }) => status), [499]);
  assert.equal(calls.isIdle, true);
});

Deno.test("providerCall says with an error too that a chosen upstream was not used", async () => {
  const upstream = {
    ...upstreamAt("http://upstream.test"),
    ignoredOverride: "private",
  };
  const { post } = handlerWith(
    () => Promise.reject(new ServiceError("connection_error", "down")),
    asItCame,
    { upstreams: resolverTo(upstream) },
  );
  const response = await post("{}");
  assert.equal(response.status, 502);
  assert.equal(response.headers.get("x-svc-base-url-ignored"), "private");
});

Deno.test("providerCall gives the bytes of a body back on every way out", async () => {
  const bodies = new BodyBytes(1000);
  const held: number[] = [];
  const send = (status: number): Answers => () => {
    held.push(bodies.held);
    return Promise.resolve(new Response("answer", { status }));
  };
  const broken: Answers = () =>
    Promise.reject(new ServiceError("connection_error", "Failed to connect"));
  const left: Answers = () =>
    Promise.reject(new DOMException("left", "AbortError"));
  const bug: Answers = () => Promise.reject(new RangeError("odd"));
  const ways: readonly (readonly [Answers, Facts])[] = [
    [send(200), {}],
    [send(500), {}],
    [send(400), {}],
    [broken, {}],
    [left, {}],
    [bug, {}],
    [send(200), { maxBodyBytes: 2 }],
    [send(200), { budget: budgetOf(SPENT).budget, onRefused: () => {} }],
  ];
  for (const [i, [send, facts]] of ways.entries()) {
    const { post } = handlerWith(send, asItCame, { bodies, ...facts });
    for (const headers of [{}, { "content-length": "4" }]) {
      await (await post("body", headers)).text();
      await new Promise((resolve) => setTimeout(resolve, 0));
      assert.deepEqual([bodies.held, bodies.waiting], [0, 0], `way ${i}`);
    }
  }
  // While it was sent there was one array: nothing was edited.
  assert.ok(held.length >= 6 && held.every((bytes) => bytes === 4));
});

Deno.test("providerCall holds the body of a call with our tool until the response has ended, and no other", async () => {
  const bodies = new BodyBytes(1000);
  for (const isOurs of [false, true]) {
    const end = Promise.withResolvers<void>();
    const { post } = handlerWith(
      () =>
        Promise.resolve(
          new Response(
            new ReadableStream({
              async pull(controller) {
                await end.promise;
                controller.close();
              },
            }),
            { headers: { "content-type": "text/event-stream" } },
          ),
        ),
      (body) => ({
        ...untouched(body, undefined, "test"),
        ...isOurs &&
          {
            declaration: {
              by: "proxy",
              pinned: "{}",
              begins: false,
              mayElide: true,
            },
          },
      }),
      { bodies },
    );
    const response = await post("body");
    await Promise.resolve();
    assert.equal(bodies.held, isOurs ? 4 : 0);
    end.resolve();
    await response.text();
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(bodies.held, 0);
  }
});

Deno.test("providerCall reads nothing of a body that waits, and answers 503 in the family's shape when that takes too long", async () => {
  let late = () => {};
  const bodies = new BodyBytes(100, {
    later: (run) => {
      late = run;
      return () => {};
    },
  });
  bodies.lease(new AbortController().signal).grow(100);
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: () => void pulled++,
  }, { highWaterMark: 0 });
  const { post, records } = handlerWith(
    () => assert.fail("must not send"),
    asItCame,
    { bodies },
  );
  const answer = post(body, { "content-length": "10" });
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([bodies.waiting, pulled], [1, 0]);
  late();
  const response = await answer;
  assert.equal(response.status, 503);
  assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
  const { type, error } = await response.json();
  assert.equal(type, "error");
  assert.match(error.message, /SVC_INFLIGHT_BODY_BYTES/);
  assert.equal(records[0]?.status, 503);
  assert.deepEqual([bodies.held, bodies.waiting, pulled], [100, 0, 0]);
});

Deno.test("providerCall records an answer that it read whole once it was sent", async () => {
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  const { post, records } = handlerWith(
    () => Response.json(ANSWER),
    scanned([], {
      declaration: {
        by: "proxy",
        pinned: "{}",
        begins: false,
        mayElide: true,
      },
    }),
    { maxBodyBytes: 1000 },
  );
  const response = await post(REQUEST, {}, { completed });
  assert.deepEqual(await response.json(), ANSWER);
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(records, []);
  resolve();
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(records.map(({ status }) => status), [200]);
});
