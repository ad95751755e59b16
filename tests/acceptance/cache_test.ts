/** Requests that are answered from memory, and those that never are. */
import assert from "node:assert/strict";
import type { Clock } from "../../src/core/clock.ts";
import { startProxy } from "../e2e/proxy.ts";
import type { TextValues } from "../../src/settings/row.ts";
import {
  type Answer,
  type Place,
  post,
  replies,
  startUpstream,
  upstreamsAt,
} from "./world.ts";

const BASE = {
  model: "m",
  max_tokens: 10,
  temperature: 0,
  messages: [{ role: "user", content: "hi" }],
};

/** One route, and what makes a request of it repeatable. */
const ROUTES: Readonly<Record<string, Record<string, unknown>>> = {
  "/v1/messages": BASE,
  "/v1/chat/completions": { ...BASE, temperature: 1, seed: 7 },
  "/v1/responses": {
    model: "m",
    temperature: 0,
    store: false,
    input: [{ role: "user", content: "hi" }],
  },
};

class TestClock implements Clock {
  ms = 1_700_000_000_000;
  now = () => this.ms;
  monotonic = () => this.ms;
}

/** A proxy whose time stands still. */
interface TimedPlace extends Place {
  readonly clock: TestClock;
}

async function withCache(
  answer: Answer,
  test: (place: TimedPlace) => Promise<void>,
  env: TextValues = {},
): Promise<void> {
  const clock = new TestClock();
  const upstream = startUpstream(answer);
  const proxy = await startProxy(
    { ...upstreamsAt(upstream.url), ...env },
    { clock },
  );
  try {
    await test({ ...proxy, upstream, clock });
  } finally {
    await proxy.stop();
    await upstream.stop();
  }
}

/** Sends, and says whether the answer came from memory. */
async function send(
  place: Place,
  body: unknown,
  { path = "/v1/messages", headers = {} }: {
    path?: string;
    headers?: Record<string, string>;
  } = {},
) {
  const before = place.upstream.received.length;
  const response = await post(place, path, {
    body: JSON.stringify(body),
    headers: { "x-api-key": "one", ...headers },
  });
  const text = await response.text();
  const isCached = response.headers.get("x-svc-cached") === "true";
  // What comes from memory is not asked for upstream, and the other way round.
  assert.equal(place.upstream.received.length - before, isCached ? 0 : 1);
  return { text, response, isCached };
}

/** The part of the report that this is about. */
async function report({ url }: Place) {
  const { requests, cache } = await (await fetch(`${url}/stats`)).json();
  return { requests, cache };
}

for (const [path, body] of Object.entries(ROUTES)) {
  Deno.test(`38 the same request again is answered from memory, with the same bytes: ${path}`, () =>
    withCache(replies(), async (place) => {
      const first = await send(place, body, { path });
      const again = await send(place, body, { path });
      assert.deepEqual([first.isCached, again.isCached], [false, true]);
      assert.equal(again.text, first.text);
      assert.equal(again.response.status, 200);
      assert.match(
        again.response.headers.get("content-type")!,
        /^application\/json/,
      );
      const { requests, cache } = await report(place);
      assert.equal(requests.total, 2);
      assert.equal(requests.cached, 1);
      assert.equal(cache.entries, 1);
      assert.equal(cache.total_hits, 1);
    }));
}

Deno.test("38 another key, beta, temperature, message, path or destination is asked anew", () =>
  withCache(replies(), async (place) => {
    await send(place, BASE);
    const others: [unknown, Parameters<typeof send>[2]?][] = [
      [BASE, { headers: { "x-api-key": "two" } }],
      [BASE, { headers: { authorization: "Bearer x" } }],
      [BASE, { headers: { "anthropic-version": "2020-01-01" } }],
      [BASE, { path: "/v1/messages?beta=true" }],
      [{ ...BASE, temperature: 0, seed: 1 }],
      [{ ...BASE, model: "n" }],
      [{ ...BASE, messages: [{ role: "user", content: "ho" }] }],
      [BASE, { headers: { "anthropic-beta": "b-1" } }],
    ];
    for (const [body, init] of others) {
      const { isCached } = await send(place, body, init);
      assert(!isCached, JSON.stringify([body, init]));
    }
    // Each of them has an answer of its own now.
    for (const [body, init] of others.slice(0, 6)) {
      const { isCached } = await send(place, body, init);
      assert(isCached, JSON.stringify([body, init]));
    }
  }, { SVC_BETA_HEADER_STICKY: "disabled" }));

Deno.test("38 a beta that the conversation used before is part of the question", () =>
  withCache(replies(), async (place) => {
    const headers = { "x-svc-session-id": "s" };
    await send(place, BASE, { headers });
    await send(place, { ...BASE, max_tokens: 11 }, {
      headers: { ...headers, "anthropic-beta": "b-1" },
    });
    // The same bytes, but they go out with the beta now.
    const { isCached } = await send(place, BASE, { headers });
    assert(!isCached);
    assert.equal(
      place.upstream.received.at(-1)!.headers.get("anthropic-beta"),
      "b-1",
    );
  }));

Deno.test("38 an upstream that the client chose is part of the question", async () => {
  const second = startUpstream(replies({ text: "other" }));
  try {
    await withCache(replies(), async (place) => {
      const { text } = await send(place, BASE);
      const response = await post(place, "/v1/messages", {
        body: JSON.stringify(BASE),
        headers: { "x-api-key": "one", "x-svc-base-url": second.url },
      });
      assert.notEqual(await response.text(), text);
      assert.equal(response.headers.get("x-svc-cached"), null);
      assert.equal(second.received.length, 1);
    }, { SVC_ALLOWED_BASE_URLS: second.url });
  } finally {
    await second.stop();
  }
});

Deno.test("38 what was said of the first sending only is not said again", () =>
  withCache(async (request, n, signal) => {
    const response = await replies()(request, n, signal);
    const headers = new Headers(response.headers);
    headers.set("request-id", "req_1");
    headers.set("x-ratelimit-remaining", "3");
    headers.append("set-cookie", "a=b");
    headers.set("vendor-version", "7");
    return new Response(response.body, { headers });
  }, async (place) => {
    const first = await send(place, BASE);
    assert.equal(first.response.headers.get("request-id"), "req_1");
    const { response, isCached } = await send(place, BASE);
    assert(isCached);
    for (const name of ["request-id", "x-ratelimit-remaining", "set-cookie"]) {
      assert.equal(response.headers.get(name), null, name);
    }
    assert.equal(response.headers.get("vendor-version"), "7");
  }));

Deno.test("38 requests without temperature 0 or a seed are asked anew, and so is all with --no-cache", async () => {
  const { temperature: _, ...warm } = BASE;
  await withCache(replies(), async (place) => {
    for (const body of [warm, { ...BASE, temperature: 0.1 }]) {
      for (const _ of [1, 2]) assert(!(await send(place, body)).isCached);
    }
  });
  await withCache(replies(), async (place) => {
    for (const _ of [1, 2]) assert(!(await send(place, BASE)).isCached);
  }, { SVC_CACHE_ENABLED: "false" });
});

Deno.test("38 a response that the provider keeps is asked for anew", () =>
  withCache(replies(), async (place) => {
    const path = "/v1/responses";
    const { store: _, ...kept } = ROUTES[path]!;
    for (const body of [kept, { ...kept, store: true }]) {
      for (const _ of [1, 2]) {
        assert(!(await send(place, body, { path })).isCached);
      }
    }
  }));

Deno.test("39 streams are never answered from memory, nor kept there", () =>
  withCache(replies(), async (place) => {
    const stream = { ...BASE, stream: true };
    for (const _ of [1, 2]) {
      const { isCached, text } = await send(place, stream);
      assert(!isCached);
      assert.match(text, /message_stop/);
    }
    assert.equal((await report(place)).cache.entries, 0);
  }));

Deno.test("39 errors and cut answers are not kept", () =>
  withCache((_, n) =>
    [
      new Response(`{"type":"error"}`, {
        status: 500,
        headers: { "content-type": "application/json" },
      }),
      new Response(`{"type":"error"}`, {
        status: 400,
        headers: { "content-type": "application/json" },
      }),
      new Response(`{"type":"message","content":[`, {
        headers: { "content-type": "application/json" },
      }),
      Response.json({ type: "message", content: [] }),
    ][n] ?? Response.json({}), async (place) => {
    const seen: [number, boolean][] = [];
    for (let i = 0; i < 5; i++) {
      const { response, isCached } = await send(place, BASE);
      seen.push([response.status, isCached]);
    }
    assert.deepEqual(seen, [
      [500, false],
      [400, false],
      [200, false],
      [200, false],
      [200, true],
    ]);
  }));

Deno.test("39 an answer is forgotten after an hour", () =>
  withCache(replies(), async (place) => {
    await send(place, BASE);
    place.clock.ms += 3_599_999;
    assert((await send(place, BASE)).isCached);
    place.clock.ms += 1;
    assert(!(await send(place, BASE)).isCached);
  }));

Deno.test("39 the answers take a bounded number of bytes: those used longest ago go first", () => {
  const filler = "x".repeat(1 << 20);
  return withCache(
    () => Response.json({ type: "message", content: [], filler }),
    async (place) => {
      const one = (n: number) => ({ ...BASE, max_tokens: n });
      for (let n = 0; n < 31; n++) await send(place, one(n));
      assert((await send(place, one(0))).isCached);
      for (let n = 31; n < 34; n++) await send(place, one(n));
      const { cache } = await report(place);
      assert(cache.entries < 33, `${cache.entries}`);
      assert((await send(place, one(0))).isCached);
      assert(!(await send(place, one(1))).isCached);
    },
  );
});

Deno.test("39 POST /cache/clear empties it", () =>
  withCache(replies(), async (place) => {
    await send(place, BASE);
    const cleared = await post(place, "/cache/clear", "");
    assert.equal(cleared.status, 200);
    assert.deepEqual(await cleared.json(), { status: "cleared" });
    assert.equal((await report(place)).cache.entries, 0);
    assert(!(await send(place, BASE)).isCached);
  }));

Deno.test("39 POST /cache/clear refuses pages of other origins, and says so when there is no cache", async () => {
  await withCache(replies(), async (place) => {
    await send(place, BASE);
    const refused = await post(place, "/cache/clear", {
      body: "",
      headers: { origin: "http://evil.test" },
    });
    assert.equal(refused.status, 403);
    await refused.bytes();
    assert((await send(place, BASE)).isCached);
  });
  await withCache(replies(), async (place) => {
    const cleared = await post(place, "/cache/clear", "");
    assert.deepEqual(await cleared.json(), { status: "cache disabled" });
  }, { SVC_CACHE_ENABLED: "false" });
});
