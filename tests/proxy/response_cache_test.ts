import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ResponseCache,
  type ResponseCacheOptions,
} from "../../src/proxy/response_cache.ts";
import { replyOf } from "../upstream/replies.ts";

const utf8 = new TextEncoder();
const HOUR = 3_600_000;

class TestClock {
  ms = 1_000_000;
  now = () => this.ms;
  monotonic = () => 0;
}

function cacheWith(options: Partial<ResponseCacheOptions> = {}) {
  const clock = new TestClock();
  return { clock, cache: new ResponseCache({ clock, ...options }) };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly chunkBytes?: number;
  readonly isWhole?: boolean;
}

/** Lets a response go by. */
function pass(
  cache: ResponseCache,
  key: string,
  text: string,
  { headers = {}, status = 200, chunkBytes = 7, isWhole = true }: Sent = {},
): void {
  const bytes = utf8.encode(text);
  const response = new Response(bytes, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
  const keeper = cache.keeper(key, replyOf(response));
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    keeper?.push(bytes.subarray(at, at + chunkBytes));
  }
  keeper?.end(isWhole);
}

Deno.test("ResponseCache gives back the same bytes, as often as it is asked", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.string()),
      fc.integer({ min: 1, max: 9 }),
      async (value, chunkBytes) => {
        delete value["error"];
        delete value["status"];
        const { cache } = cacheWith();
        const text = JSON.stringify(value);
        pass(cache, "k", text, { chunkBytes });
        for (const _ of [1, 2]) {
          const response = cache.get("k");
          assert.equal(response?.status, 200);
          assert.equal(response?.headers.get("x-svc-cached"), "true");
          assert.equal(await response?.text(), text);
        }
        assert.equal(cache.stats().total_hits, 2);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("ResponseCache keeps nothing of the chunks that it is shown", async () => {
  const { cache } = cacheWith();
  const chunk = utf8.encode(`{"a":1}`);
  const keeper = cache.keeper("k", replyOf(Response.json({})));
  keeper?.push(chunk);
  chunk.fill(0x20);
  keeper?.end(true);
  assert.equal(await cache.get("k")?.text(), `{"a":1}`);
});

Deno.test("ResponseCache does not know another key", () => {
  const { cache } = cacheWith();
  pass(cache, "k", "{}");
  assert.equal(cache.get("l"), undefined);
  assert.equal(cache.stats().total_hits, 0);
});

Deno.test("ResponseCache gives back what describes the answer, and nothing that was said of its first sending", () => {
  const { cache } = cacheWith();
  const kept = {
    "content-type": "application/json; charset=utf-8",
    "content-language": "en",
    "vendor-version": "2024",
    "vendor-organization": "org-1",
  };
  const stale = {
    "date": "Mon",
    "age": "3",
    "connection": "x-hop",
    "x-hop": "1",
    "keep-alive": "timeout=5",
    "set-cookie": "a=b",
    "retry-after": "1",
    "request-id": "r",
    "x-request-id": "r",
    "x-amzn-requestid": "r",
    "apim-request-id": "r",
    "x-ms-client-request-id": "r",
    "x-trace-id": "t",
    "cf-ray": "c",
    "cf-cache-status": "DYNAMIC",
    "server-timing": "x",
    "vendor-processing-ms": "3",
    "x-envoy-upstream-service-time": "3",
    "x-ratelimit-remaining-tokens": "5",
    "vendor-ratelimit-tokens-reset": "5",
    "x-svc-tokens-saved": "5",
    "x-svc-cached": "no",
    "content-length": "2",
  };
  pass(cache, "k", "{}", { headers: { ...kept, ...stale } });
  assert.deepEqual(Object.fromEntries(cache.get("k")!.headers), {
    ...kept,
    "x-svc-cached": "true",
  });
});

const NOT_KEPT: Readonly<Record<string, readonly [string, Sent]>> = {
  "another success": ["{}", { status: 201 }],
  "an error": ["{}", { status: 500 }],
  "a refusal": ["{}", { status: 429 }],
  "an event stream": [
    "{}",
    { headers: { "content-type": "text/event-stream" } },
  ],
  "no content type": ["{}", { headers: { "content-type": "" } }],
  "an encoded body": ["{}", { headers: { "content-encoding": "gzip" } }],
  "one that must not be kept": [
    "{}",
    { headers: { "cache-control": "private, No-Store" } },
  ],
  "one that broke or was not read to its end": ["{}", { isWhole: false }],
  "one that is shorter than announced": [
    "{}",
    { headers: { "content-length": "3" } },
  ],
  "one that is cut": [`{"a":1`, {}],
  "two values": ["{}{}", {}],
  "an array": ["[]", {}],
  "nothing": ["", {}],
  "an error in a 200": [`{"error":{"message":"x"}}`, {}],
  "one that is not complete": [`{"status":"incomplete"}`, {}],
  "one that is not ready": [`{"status":"queued"}`, {}],
};

for (const [name, [text, sent]] of Object.entries(NOT_KEPT)) {
  Deno.test(`ResponseCache does not keep ${name}`, () => {
    const { cache } = cacheWith();
    pass(cache, "k", text, sent);
    assert.equal(cache.get("k"), undefined);
    assert.deepEqual([cache.stats().entries, cache.stats().bytes], [0, 0]);
  });
}

Deno.test("ResponseCache keeps a completed response without an error, and one with a JSON type of its own", () => {
  const { cache } = cacheWith();
  pass(cache, "k", `{"status":"completed","error":null}`);
  assert(cache.get("k"));
  pass(cache, "l", "{}", {
    headers: {
      "content-type": "Application/vnd.x+json",
      "content-length": "2",
    },
  });
  assert(cache.get("l"));
});

Deno.test("ResponseCache forgets an answer when its time is over, used or not", () => {
  const { cache, clock } = cacheWith();
  pass(cache, "k", "{}");
  clock.ms += HOUR - 1;
  assert(cache.get("k"));
  clock.ms += 1;
  assert.equal(cache.get("k"), undefined);
  assert.equal(cache.stats().total_hits, 1);
});

Deno.test("ResponseCache does not count expired answers, nor those from a future that a clock set back leaves", () => {
  const { cache, clock } = cacheWith({ ttlMs: 5000 });
  pass(cache, "k", "{}");
  clock.ms += 5000;
  assert.equal(cache.stats().entries, 0);
  pass(cache, "k", "{}");
  clock.ms -= 1;
  assert.equal(cache.get("k"), undefined);
  assert.equal(cache.stats().ttl_seconds, 5);
});

Deno.test("ResponseCache starts an answer's time anew when it is answered anew", () => {
  const { cache, clock } = cacheWith();
  pass(cache, "k", "{}");
  clock.ms += HOUR;
  pass(cache, "k", `{"new":1}`);
  clock.ms += HOUR - 1;
  assert(cache.get("k"));
});

Deno.test("ResponseCache forgets the least recently used answer beyond its number", () => {
  const { cache } = cacheWith({ maxEntries: 2 });
  pass(cache, "a", "{}");
  pass(cache, "b", "{}");
  assert(cache.get("a"));
  pass(cache, "c", "{}");
  assert.equal(cache.get("b"), undefined);
  assert(cache.get("a"));
  assert(cache.get("c"));
  assert.equal(cache.stats().entries, 2);
});

Deno.test("ResponseCache stays below its bytes, whatever it is given", () => {
  const text = (chars: number) => JSON.stringify({ a: "x".repeat(chars) });
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          key: fc.constantFrom("a", "b", "c", "d", "e"),
          chars: fc.nat(6000),
        }),
        { maxLength: 30 },
      ),
      (answers) => {
        const { cache } = cacheWith({ maxBytes: 8000, maxEntryBytes: 5000 });
        for (const { key, chars } of answers) {
          pass(cache, key, text(chars), { chunkBytes: 1000 });
          const { bytes, max_bytes } = cache.stats();
          assert(bytes <= max_bytes);
        }
        const last = answers.at(-1);
        if (last && last.chars < 4000) assert(cache.get(last.key));
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("ResponseCache does not keep what is too large, announced or not", () => {
  const { cache } = cacheWith({ maxEntryBytes: 10 });
  const announced = new Response("{}", {
    headers: { "content-type": "application/json", "content-length": "11" },
  });
  assert.equal(cache.keeper("k", replyOf(announced)), undefined);
  pass(cache, "k", JSON.stringify({ a: "123456789" }));
  assert.equal(cache.get("k"), undefined);
});

Deno.test("ResponseCache bounds what is under way as well, and takes more when that has ended", () => {
  const { cache } = cacheWith({ maxBytes: 2000 });
  const chunk = utf8.encode(JSON.stringify({ a: "x".repeat(1092) }));
  const one = cache.keeper("one", replyOf(Response.json({})))!;
  const two = cache.keeper("two", replyOf(Response.json({})))!;
  one.push(chunk);
  two.push(chunk);
  one.end(true);
  two.end(true);
  assert(cache.get("one"));
  assert.equal(cache.get("two"), undefined);
  const three = cache.keeper("two", replyOf(Response.json({})))!;
  three.push(chunk);
  three.end(true);
  assert(cache.get("two"));
});

Deno.test("ResponseCache is empty after clear, and keeps nothing that was sent before", () => {
  const { cache } = cacheWith();
  pass(cache, "k", "{}");
  assert(cache.get("k"));
  const keeper = cache.keeper("late", replyOf(Response.json({})))!;
  keeper.push(utf8.encode("{}"));
  cache.clear();
  keeper.end(true);
  assert.equal(cache.get("k"), undefined);
  assert.equal(cache.get("late"), undefined);
  assert.deepEqual(cache.stats(), {
    entries: 0,
    total_hits: 1,
    bytes: 0,
    max_bytes: 32 << 20,
    ttl_seconds: 3600,
  });
  pass(cache, "k", "{}");
  assert(cache.get("k"));
});
