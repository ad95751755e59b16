import assert from "node:assert/strict";
import { tryAgain, waitFor } from "../../src/proxy/try_again.ts";

const forever = new AbortController().signal;
const answer = (status: number, retryAfter?: string) => () =>
  new Response("x", {
    status,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });
const unreachable = () => {
  throw new TypeError("refused");
};

/** Sends by the script; `waits` in milliseconds, `again` as it was told. */
async function run(...script: readonly (() => Response)[]) {
  const waits: number[] = [];
  const again: boolean[] = [];
  const outcome = await tryAgain(async (isAgain) => {
    again.push(isAgain);
    return await script[again.length - 1]!();
  }, {
    signal: forever,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  }).then(({ status }) => status, String);
  return { outcome, waits, again };
}

Deno.test("tryAgain sends once what is taken, and what will never be", async () => {
  for (const status of [200, 400, 401, 404, 413]) {
    assert.deepEqual(await run(answer(status)), {
      outcome: status,
      waits: [],
      again: [false],
    });
  }
});

Deno.test("tryAgain sends at most twice more what is not taken just now", async () => {
  for (const status of [429, 500, 502, 503, 529]) {
    const busy = answer(status);
    assert.deepEqual(await run(busy, answer(200)), {
      outcome: 200,
      waits: [500],
      again: [false, true],
    });
    assert.deepEqual(await run(busy, busy, busy), {
      outcome: status,
      waits: [500, 1000],
      again: [false, true, true],
    });
  }
  const { outcome, waits } = await run(unreachable, unreachable, unreachable);
  assert.match(String(outcome), /refused/);
  assert.deepEqual(waits, [500, 1000]);
  assert.equal((await run(unreachable, answer(200))).outcome, 200);
});

Deno.test("tryAgain waits as long as it is asked to, up to five seconds", async () => {
  const asked = [["0", 0], ["1.5", 1500], ["5", 5000], ["3600", 5000], [
    "Wed, 21 Oct 2015 07:28:00 GMT",
    500,
  ], ["-1", 500]] as const;
  for (const [retryAfter, ms] of asked) {
    const { waits } = await run(answer(429, retryAfter), answer(200));
    assert.deepEqual(waits, [ms], retryAfter);
  }
});

Deno.test("tryAgain cancels the response that is not used", async () => {
  let cancelled = 0;
  const body = () => new ReadableStream({ cancel: () => void cancelled++ });
  await run(() => new Response(body(), { status: 503 }), answer(200));
  assert.equal(cancelled, 1);
});

Deno.test("tryAgain sends nothing again for a client that left", async () => {
  const gone = new AbortController();
  let sent = 0;
  const pending = tryAgain(() => {
    sent++;
    gone.abort(new Error("left"));
    return Promise.reject(gone.signal.reason);
  }, { signal: gone.signal, wait: () => Promise.resolve() });
  await assert.rejects(pending, /left/);
  assert.equal(sent, 1);
});

Deno.test("waitFor resolves in its time, and an abort ends it", async () => {
  await waitFor(0, forever);
  const gone = new AbortController();
  const pending = waitFor(60_000, gone.signal);
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
  await assert.rejects(waitFor(60_000, gone.signal), /left/);
});
