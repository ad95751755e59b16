import assert from "node:assert/strict";
import {
  UpstreamTimeout,
  UpstreamUnreachable,
} from "../../src/upstream/failure.ts";
import type { UpstreamCall } from "../../src/core/upstream.ts";
import { retrying } from "../../src/upstream/retry.ts";
import { callTo, sendingTo, textOf } from "./replies.ts";

const URL_ = "http://up.example/v1?key=s3cret";
const MAX_MS = 30_000;

type Step = () => Response;

const answer =
  (status: number, headers: Record<string, string> = {}): Step => () =>
    new Response("body", { status, headers });
const fails = (error: Error): Step => () => {
  throw error;
};
const unreachable = (isUnsent: boolean) =>
  fails(
    new UpstreamUnreachable("up.example", { reason: "refused", isUnsent }),
  );

/** Sends a request by a script. */
async function run(
  script: readonly Step[],
  parts: Partial<UpstreamCall> = {},
  maxAttempts = 3,
) {
  const waits: number[] = [];
  const bodies: string[] = [];
  const logged: unknown[] = [];
  const calls: UpstreamCall[] = [];
  const answered = sendingTo(async (request) => {
    const step = script[bodies.length]!;
    bodies.push(await request.text());
    return step();
  });
  const send = retrying(
    (call) => {
      calls.push(call);
      return answered(call);
    },
    {
      maxAttempts,
      retryBaseMs: 1000,
      retryMaxMs: MAX_MS,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      random: () => 0.5,
      clock: { now: () => Date.UTC(2015, 9, 21, 7, 28), monotonic: () => 0 },
      log: (...entry) => void logged.push(entry),
    },
  );
  const body = new TextEncoder().encode("body");
  const call = callTo(URL_, { method: "POST", body, ...parts });
  const outcome = await send(call).then(
    async (reply) => `${reply.status} ${await textOf(reply)}`,
    String,
  );
  return { outcome, waits, sent: bodies.length, bodies, calls, logged };
}

Deno.test("retrying sends once what is taken, and what is refused for good", async () => {
  for (const status of [200, 400, 401, 404, 408, 413, 500, 502, 503, 504]) {
    const { outcome, sent } = await run([answer(status)]);
    assert.deepEqual([outcome, sent], [`${status} body`, 1]);
  }
});

Deno.test("retrying sends again, whole, what was not taken or never arrived", async () => {
  for (const first of [answer(429), answer(529), unreachable(true)]) {
    const parts = { addresses: ["192.0.2.1"] };
    const { outcome, waits, bodies, calls } = await run(
      [first, answer(200)],
      parts,
    );
    assert.equal(outcome, "200 body");
    assert.equal(calls[1], calls[0]);
    assert.deepEqual(calls[1]?.addresses, parts.addresses);
    assert.deepEqual(waits, [1000]);
    assert.deepEqual(bodies, ["body", "body"]);
  }
});

Deno.test("retrying gives the last response as it is, or the last error", async () => {
  const busy = answer(529);
  const spent = await run([busy, answer(429), busy]);
  assert.equal(spent.outcome, "529 body");
  assert.deepEqual(spent.waits, [1000, 2000]);
  const lost = unreachable(true);
  const failed = await run([lost, lost, lost]);
  assert.match(failed.outcome, /Failed to connect to upstream API/);
  assert.equal(failed.sent, 3);
  assert.equal((await run([busy], {}, 1)).sent, 1);
});

Deno.test("retrying sends nothing twice that may have arrived", async () => {
  const timeout = new UpstreamTimeout("up.example", "response", 1);
  for (const step of [unreachable(false), fails(timeout), fails(new Error())]) {
    assert.equal((await run([step])).sent, 1);
  }
  assert.equal((await run([fails(timeout)], { isContinuation: true })).sent, 1);
});

Deno.test("retrying sends a stream once", async () => {
  const body = ReadableStream.from([new TextEncoder().encode("body")]);
  const { outcome, sent, bodies } = await run([answer(429)], { body });
  assert.deepEqual([outcome, sent, bodies], ["429 body", 1, ["body"]]);
  assert.equal((await run([answer(429), answer(200)], { body: null })).sent, 2);
});

Deno.test("retrying waits as long as it is asked to, and asks no more of one that wants too long", async () => {
  const wait = async (headers: Record<string, string>) => {
    const { waits, sent } = await run([answer(429, headers), answer(200)]);
    return sent === 1 ? "as it is" : waits[0];
  };
  const date = (text: string) => wait({ "retry-after": text });
  assert.equal(await wait({ "retry-after": "0" }), 0);
  assert.equal(await wait({ "retry-after": " 1.5 " }), 1500);
  assert.equal(await wait({ "retry-after": "30" }), MAX_MS);
  assert.equal(await wait({ "retry-after": "31" }), "as it is");
  assert.equal(
    await wait({ "retry-after-ms": "20", "retry-after": "1" }),
    20,
  );
  assert.equal(await date("Wed, 21 Oct 2015 07:28:07 GMT"), 7000);
  assert.equal(await date("Wed, 21 Oct 2015 07:27:00 GMT"), 0);
  assert.equal(await date("Wed, 21 Oct 2015 08:28:00 GMT"), "as it is");
  for (const odd of ["", "-1", "soon", "1e3", "Wed, 99 Oct 07:28:07"]) {
    assert.equal(await date(odd), 1000, odd);
  }
});

Deno.test("retrying obeys an upstream that forbids it", async () => {
  const forbidden = answer(429, { "x-should-retry": "false" });
  assert.equal((await run([forbidden])).sent, 1);
  const allowed = answer(429, { "x-should-retry": "true" });
  assert.equal((await run([allowed, answer(200)])).sent, 2);
});

Deno.test("retrying doubles the wait up to the longest, off by up to half", async () => {
  const waits: number[] = [];
  let random = 0;
  const send = retrying(
    sendingTo(() => new Response("", { status: 429 })),
    {
      maxAttempts: 7,
      retryBaseMs: 1000,
      retryMaxMs: 10_000,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      random: () => random = (random + 0.25) % 1,
      clock: { now: () => 0, monotonic: () => 0 },
    },
  );
  await send(callTo(URL_));
  assert.deepEqual(waits, [750, 2000, 5000, 4000, 10_000, 10_000]);
});

Deno.test("retrying tries a continuation again after whatever may pass", async () => {
  const parts = { isContinuation: true };
  const passing = [429, 500, 502, 503, 529].map((status) => answer(status));
  for (const first of [...passing, unreachable(true), unreachable(false)]) {
    const { outcome, sent } = await run([first, answer(200)], parts);
    assert.deepEqual([outcome, sent], ["200 body", 2]);
  }
  for (const status of [400, 401, 404, 413]) {
    assert.equal((await run([answer(status)], parts)).sent, 1);
  }
  const late = answer(503, { "retry-after": "3600" });
  assert.deepEqual((await run([late, answer(200)], parts)).waits, [MAX_MS]);
});

Deno.test("retrying cancels the response that it does not use", async () => {
  let cancelled = 0;
  const busy = () => {
    const body = new ReadableStream({ cancel: () => void cancelled++ });
    return new Response(body, { status: 429 });
  };
  await run([busy, answer(200)]);
  assert.equal(cancelled, 1);
});

Deno.test("retrying sends nothing again for a client that left, and ends its wait", async () => {
  const gone = new AbortController();
  let sent = 0;
  const options = {
    maxAttempts: 3,
    retryBaseMs: 1000,
    retryMaxMs: MAX_MS,
    random: () => 0,
    clock: { now: () => 0, monotonic: () => 0 },
  };
  const leaving = retrying(
    sendingTo(() => {
      sent++;
      return new Response("", { status: 429 });
    }),
    {
      ...options,
      wait: (_, signal) => {
        gone.abort(new Error("left"));
        return Promise.reject(signal.reason);
      },
    },
  );
  const { signal } = gone;
  await assert.rejects(leaving(callTo(URL_, { signal })), /left/);
  assert.equal(sent, 1);
  const left = retrying(() => {
    sent++;
    return Promise.reject(signal.reason);
  }, { ...options, wait: () => Promise.resolve() });
  await assert.rejects(left(callTo(URL_, { signal })), /left/);
  assert.equal(sent, 2);
});

Deno.test("retrying logs each retry with host and reason, and nothing else of the URL", async () => {
  const { logged } = await run([answer(529), unreachable(true), answer(200)]);
  assert.deepEqual(logged, [
    ["info", "upstream_retry", {
      host: "up.example",
      reason: "529",
      attempt: 2,
      wait_ms: 1000,
    }],
    ["info", "upstream_retry", {
      host: "up.example",
      reason: "refused",
      attempt: 3,
      wait_ms: 2000,
    }],
  ]);
});
