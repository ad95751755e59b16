/** Requests that are answered from memory, and those that never are. */
import assert from "node:assert/strict";
import type { Clock } from "../../src/core/clock.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { type Place, post, replies, withApp } from "./world.ts";
import { type Answer, startUpstream } from "../e2e/upstream.ts";

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

function withCache(
  answer: Answer,
  test: (place: TimedPlace) => Promise<void>,
  env: TextValues = {},
): Promise<void> {
  const clock = new TestClock();
  return withApp(answer, (place) => test({ ...place, clock }), { env, clock });
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

Deno.test("38 an upstream that the client chose is part of the question", async () => {
  await using second = startUpstream(replies({ text: "other" }));
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
});

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

Deno.test("39 an answer is forgotten after an hour", () =>
  withCache(replies(), async (place) => {
    await send(place, BASE);
    place.clock.ms += 3_599_999;
    assert((await send(place, BASE)).isCached);
    place.clock.ms += 1;
    assert(!(await send(place, BASE)).isCached);
  }));

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
    for (const _ of [1, 2]) assert(!(await send(place, BASE)).isCached);
    const cleared = await post(place, "/cache/clear", "");
    assert.deepEqual(await cleared.json(), { status: "cache disabled" });
  }, { SVC_CACHE_ENABLED: "false" });
});
