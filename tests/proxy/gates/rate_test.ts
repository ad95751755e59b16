import assert from "node:assert/strict";
import fc from "fast-check";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { openAiError } from "../../../src/providers/error_body.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import { NOBODY } from "../../../src/proxy/gates/caller.ts";
import {
  callerKey,
  limitRate,
  makeRateLimit,
  rateResponse,
} from "../../../src/proxy/gates/rate.ts";

/** A clock that is set by hand. */
function handClock() {
  const clock = { at: 0, monotonic: () => clock.at };
  return clock;
}

Deno.test("makeRateLimit lets a minute's share through at once and then says how long to wait", async () => {
  const clock = handClock();
  const rate = makeRateLimit({ perMinute: 6, clock });
  for (let i = 0; i < 6; i++) assert.equal(await rate.take("a"), 0);
  assert.equal(await rate.take("a"), 10_000);
  assert.equal(await rate.take("b"), 0, "another caller has its own share");
  clock.at = 9_999;
  assert.equal(await rate.take("a"), 1);
  clock.at = 10_000;
  assert.equal(await rate.take("a"), 0);
  assert.equal(await rate.take("a"), 10_000);
});

Deno.test("makeRateLimit never lets more through than the share and what has come back", async () => {
  await fc.assert(fc.asyncProperty(
    fc.integer({ min: 1, max: 120 }),
    fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 }),
    async (perMinute, pauses) => {
      const clock = handClock();
      const rate = makeRateLimit({ perMinute, clock });
      let passed = 0;
      for (const pause of pauses) {
        clock.at += pause;
        const wait = await rate.take("a");
        if (wait === 0) passed++;
        // A rounding error of the sum is not a request.
        const allowed = perMinute + clock.at * perMinute / 60_000 + 1e-6;
        assert.ok(passed <= allowed, `${passed} of ${allowed}`);
      }
    },
  ));
});

Deno.test("makeRateLimit lets a caller through that has waited as long as it was told", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7000 }),
      async (perMinute) => {
        const clock = handClock();
        const rate = makeRateLimit({ perMinute, clock });
        let wait = 0;
        for (let i = 0; i <= perMinute; i++) wait = await rate.take("a");
        assert.ok(wait > 0);
        clock.at += wait;
        assert.equal(await rate.take("a"), 0);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("makeRateLimit forgets idle callers, and nobody is crowded out for a new share", async () => {
  const clock = handClock();
  const rate = makeRateLimit({ perMinute: 1, clock, maxCallers: 3 });
  assert.equal(await rate.take("a"), 0);
  for (let i = 0; i < 50; i++) await rate.take(`invented ${i}`);
  assert.ok(await rate.take("a") > 0, "a still waits");
  // "invented 0" and 1 got shares of their own, all others one between them.
  assert.ok(await rate.take("new") > 0);
  clock.at = 60_000;
  assert.equal(await rate.take("new"), 0);
  assert.equal(await rate.take("a"), 0);
});

Deno.test("callerKey is a digest of the whole credentials and the address", () => {
  const at = { address: "10.0.0.1" };
  const key = (fields: Record<string, string>, address = at) =>
    callerKey(new Headers(fields), address);
  const secret = "sk-0123456789-0123456789-a";
  const one = key({ "x-api-key": secret });
  assert.equal(one, key({ "x-api-key": secret, "x-other": "1" }));
  assert.doesNotMatch(one, /sk-|10\.0/);
  const others = [
    key({ "x-api-key": `${secret}b` }),
    key({ authorization: secret }),
    key({ "api-key": secret }),
    key({ "x-goog-api-key": secret }),
    key({ "x-api-key": secret }, { address: "10.0.0.2" }),
    key({}),
    callerKey(new Headers(), { address: undefined }),
  ];
  assert.equal(new Set([one, ...others]).size, others.length + 1);
});

Deno.test("limitRate answers 429 with whole seconds to wait, in a body a machine can read", async () => {
  const refused: number[] = [];
  const waits = [0, 1, 1_500];
  const keys: string[] = [];
  const app = new Hono<ProxyEnv>();
  app.use(
    "*",
    limitRate({
      rate: {
        take: (key) => {
          keys.push(key);
          return Promise.resolve(waits.shift() ?? 0);
        },
      },
      trust: NOBODY,
      onRefused: () => void refused.push(1),
    }),
  );
  app.post("/", (c) => c.text("inside"));
  const ask = async (key: string) =>
    await app.request("/", { method: "POST", headers: { "x-api-key": key } }, {
      peer: { address: "127.0.0.1" },
    });
  assert.equal(await (await ask("a")).text(), "inside");
  for (const seconds of [1, 2]) {
    const response = await ask("b");
    assert.equal(response.status, 429);
    assert.equal(response.headers.get("retry-after"), `${seconds}`);
    const { type, error } = await response.json();
    assert.equal(type, "error");
    assert.equal(error.type, "rate_limit_error");
    assert.equal(error.code, 429);
    assert.deepEqual(error.details, { retry_after_seconds: seconds });
  }
  assert.equal(refused.length, 2);
  assert.equal(keys[1], keys[2]);
  assert.notEqual(keys[0], keys[1]);
});

Deno.test("rateResponse refuses in the shape of the family, with the time to wait", async () => {
  const refusal = new Response("{}", {
    status: 429,
    headers: { "retry-after": "7" },
  });
  const chat = rateResponse({ errorBody: openAiError }, refusal);
  assert.equal(chat.status, 429);
  assert.equal(chat.headers.get("retry-after"), "7");
  const { error, ...rest } = await chat.json();
  assert.deepEqual(rest, {});
  assert.equal(error.type, "rate_limit_error");
  assert.equal(error.code, null);
  assert.match(error.message, /wait 7 s, or raise SVC_RPM$/);
  const messages = await rateResponse(messagesFormat, refusal).json();
  assert.equal(messages.type, "error");
  assert.deepEqual(Object.keys(messages.error), ["type", "message"]);
});
