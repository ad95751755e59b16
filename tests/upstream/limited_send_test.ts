import fc from "fast-check";
import assert from "node:assert/strict";
import {
  UpstreamBrokeOff,
  UpstreamTimeout,
} from "../../src/upstream/failure.ts";
import type { Reply, UpstreamCall } from "../../src/core/upstream.ts";
import type { SignalledSend } from "../../src/upstream/forward.ts";
import {
  limitedSend,
  type Release,
  Slots,
} from "../../src/upstream/limited_send.ts";
import { FakeTime, settled } from "./fake_time.ts";
import { callTo, replyOf, responseOf } from "./replies.ts";
import { readerOf } from "../../src/upstream/chunk_reader.ts";

const URL_ = "http://up.example/path?key=s3cret";
const TIMEOUT_MS = 1000;

function limited(send: SignalledSend, size = 1) {
  const time = new FakeTime();
  const { wait, clock } = time;
  const slots = new Slots(size);
  const limit = { slots, timeoutMs: TIMEOUT_MS, wait, clock };
  const limitedOne = limitedSend({ send, ...limit });
  const answered = async (call: UpstreamCall) =>
    responseOf(await limitedOne(call));
  return { send: answered, replyTo: limitedOne, time };
}

const answers = (response: Response) => Promise.resolve(replyOf(response));

/** Answers never, and rejects as `fetch` does when its signal fires. */
const silent: SignalledSend = (_, signal) =>
  new Promise((_, reject) =>
    signal!.addEventListener("abort", () => reject(signal!.reason))
  );

/** A body that says one word and then nothing. */
const half = () =>
  new ReadableStream<Uint8Array>({
    start: (to) => to.enqueue(new Uint8Array(1)),
  });

Deno.test("limitedSend gives the response as it is", async () => {
  const { send, time } = limited(() =>
    answers(
      new Response("body", {
        status: 201,
        statusText: "Made",
        headers: [["set-cookie", "a"], ["set-cookie", "b"]],
      }),
    )
  );
  const response = await send(callTo(URL_));
  assert.deepEqual([response.status, response.statusText], [201, "Made"]);
  assert.deepEqual(response.headers.getSetCookie(), ["a", "b"]);
  assert.equal(await response.text(), "body");
  assert.equal(time.open, 0);
});

Deno.test("limitedSend ends the upstream request when no response begins in time", async () => {
  let seen: AbortSignal | undefined;
  const { send, time } = limited((request, signal) => {
    seen = signal;
    return silent(request, signal);
  });
  const pending = assert.rejects(send(callTo(URL_)), (error) => {
    assert.ok(error instanceof UpstreamTimeout);
    assert.match(error.message, /up\.example did not answer within 1 seconds/);
    assert.doesNotMatch(error.message, /s3cret|path/);
    return true;
  });
  await time.pass(TIMEOUT_MS - 1);
  assert.equal(seen?.aborted, false);
  await time.pass(1);
  await pending;
  assert.equal(seen?.aborted, true);
});

Deno.test("limitedSend counts waiting for a slot towards the time", async () => {
  let sent = 0;
  const { send, time } = limited((request, signal) => {
    sent++;
    return silent(request, signal);
  });
  const first = assert.rejects(send(callTo(URL_)), UpstreamTimeout);
  const second = assert.rejects(send(callTo(URL_)), UpstreamTimeout);
  await time.pass(TIMEOUT_MS);
  await Promise.all([first, second]);
  assert.equal(sent, 1);
});

Deno.test("limitedSend keeps the slot until the body has ended, was cancelled or broke", async () => {
  const gone = new AbortController();
  let broken = () => {};
  const bodies:
    readonly (readonly [BodyInit | null, (r: Response) => unknown])[] = [
      ["text", (response) => response.text()],
      [half(), (response) => response.body!.cancel()],
      [half(), () => gone.abort()],
      [
        new ReadableStream({
          start: (to) => void (broken = () => to.error(new Error("reset"))),
        }),
        (response) => {
          broken();
          return assert.rejects(response.text(), UpstreamBrokeOff);
        },
      ],
      [null, () => {}],
    ];
  for (const [body, end] of bodies) {
    const { send } = limited(({ target }) =>
      answers(new Response(target.endsWith("2") ? null : body))
    );
    const { signal } = gone.signal.aborted ? new AbortController() : gone;
    const first = await send(callTo(URL_, { signal }));
    let isSecond = false;
    const second = send(callTo(`${URL_}2`)).then(() => isSecond = true);
    await settled();
    assert.equal(isSecond, body === null);
    await end(first);
    await second;
  }
});

Deno.test("limitedSend keeps no slot for a body that is whole", async () => {
  const body = new Uint8Array([104, 105]);
  const reply = { status: 200, statusText: "", headers: new Headers(), body };
  const { send, time } = limited(() => Promise.resolve(reply));
  const both = await Promise.all([send(callTo(URL_)), send(callTo(URL_))]);
  for (const response of both) assert.equal(await response.text(), "hi");
  assert.equal(time.open, 0);
});

Deno.test("limitedSend gives the slot of a failed request back", async () => {
  const { send } = limited(() => Promise.reject(new Error("refused")));
  for (let i = 0; i < 3; i++) {
    await assert.rejects(send(callTo(URL_)), /refused/);
  }
});

Deno.test("limitedSend gives up a request that nothing ends: its slot is free, and its late response is cancelled", async () => {
  const late = Promise.withResolvers<Reply>();
  const cancelled = Promise.withResolvers<void>();
  const { send, time } = limited(({ target }) =>
    target.endsWith("2") ? answers(new Response()) : late.promise
  );
  const gone = new AbortController();
  const { signal } = gone;
  const first = assert.rejects(send(callTo(URL_)), UpstreamTimeout);
  await time.pass(TIMEOUT_MS);
  await first;
  const second = assert.rejects(send(callTo(URL_, { signal })), /left/);
  await settled();
  gone.abort(new Error("left"));
  await second;
  assert.equal((await send(callTo(`${URL_}2`))).status, 200);
  const body = new ReadableStream({ cancel: () => cancelled.resolve() });
  late.resolve(replyOf(new Response(body)));
  await cancelled.promise;
});

Deno.test("limitedSend says that the upstream broke its response off, and names its host only", async () => {
  const reset = new TypeError(`reset ${URL_}`);
  const { send } = limited(() =>
    answers(
      new Response(new ReadableStream({ start: (to) => to.error(reset) })),
    )
  );
  const response = await send(callTo(URL_));
  await assert.rejects(response.text(), (error) => {
    assert.ok(error instanceof UpstreamBrokeOff);
    assert.match(error.message, /up\.example broke its response off/);
    assert.doesNotMatch(error.message, /s3cret|path/);
    assert.equal(error.cause, reset);
    return true;
  });
});

Deno.test("limitedSend breaks a body off that falls silent, and ends the upstream request", async () => {
  let seen: AbortSignal | undefined;
  const { send, time } = limited((_, signal) => {
    seen = signal;
    return answers(new Response(half()));
  });
  const { body } = await send(callTo(URL_));
  const reader = body!.getReader();
  await reader.read();
  const next = assert.rejects(reader.read(), (error) => {
    assert.ok(error instanceof UpstreamTimeout);
    assert.match(error.message, /sent nothing more within 1 seconds/);
    return true;
  });
  await time.pass(TIMEOUT_MS);
  await next;
  assert.equal(seen?.aborted, true);
});

Deno.test("limitedSend rejects with the client's reason when the client leaves first", async () => {
  const gone = new AbortController();
  const { send, time } = limited(silent);
  const { signal } = gone;
  const sent = assert.rejects(send(callTo(URL_, { signal })), /left/);
  const waiting = assert.rejects(send(callTo(URL_, { signal })), /left/);
  await settled();
  gone.abort(new Error("left"));
  await Promise.all([sent, waiting]);
  assert.equal(time.open, 0);
});

const utf8 = new TextEncoder();

/** The body of a reply whose chunks the test gives, and what it is cancelled with. */
async function replied(source: UnderlyingDefaultSource<Uint8Array> = {}) {
  const gone = new AbortController();
  const seen = { cancelled: undefined as unknown };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => void (controller = own),
    cancel: (reason) => void (seen.cancelled = reason),
    ...source,
  }, { highWaterMark: 0 });
  const { replyTo, time } = limited(() => answers(new Response(body)));
  const reply = await replyTo(callTo(URL_, { signal: gone.signal }));
  const give = (text: string) => controller.enqueue(utf8.encode(text));
  time.waits.length = 0;
  return { reader: readerOf(reply.body!), time, gone, seen, give };
}

Deno.test("limitedSend hands each chunk on as it is, when it is asked for", async () => {
  const chunks: Uint8Array[] = [];
  const { reader, time } = await replied({
    pull(to) {
      chunks.push(new Uint8Array([chunks.length]));
      if (chunks.length < 3) to.enqueue(chunks.at(-1)!);
      else to.close();
    },
  });
  for (const i of [0, 1]) {
    await settled();
    assert.equal(chunks.length, i);
    assert.equal(await reader.read(), chunks[i]);
  }
  assert.equal(await reader.read(), undefined);
  assert.equal(time.open, 0);
});

Deno.test("limitedSend counts a silence from when somebody asked, with one timer for many chunks", async () => {
  const { reader, time, give } = await replied();
  for (let i = 0; i < 100; i++) {
    const next = reader.read();
    give("x");
    await next;
  }
  assert.deepEqual(time.waits, [TIMEOUT_MS]);
  for (let i = 0; i < 100; i++) {
    const next = reader.read();
    await time.pass(TIMEOUT_MS - 1);
    give("x");
    assert.equal((await next)?.length, 1);
  }
  assert.ok(time.waits.length <= 200, `${time.waits.length} timers`);
  await time.pass(TIMEOUT_MS / 2);
  const next = assert.rejects(reader.read(), UpstreamTimeout);
  await time.pass(TIMEOUT_MS - 1);
  assert.ok(time.open > 0);
  await time.pass(1);
  await next;
  assert.equal(time.open, 0);
});

Deno.test("limitedSend does not blame the upstream for a reader that does not read", async () => {
  const { reader, time, give } = await replied();
  give("a");
  await reader.read();
  await time.pass(10 * TIMEOUT_MS);
  const next = reader.read();
  await time.pass(TIMEOUT_MS - 1);
  give("b");
  assert.equal((await next)?.length, 1);
});

Deno.test("limitedSend cancels a body when its reader does", async () => {
  const { reader, seen, time } = await replied();
  void reader.read();
  await reader.cancel("enough");
  assert.equal(seen.cancelled, "enough");
  assert.equal(time.open, 0);
});

Deno.test("limitedSend ends a body with the client's reason, read or not", async () => {
  for (const isRead of [true, false]) {
    const { reader, gone, seen } = await replied();
    const pending = isRead ? reader.read() : undefined;
    gone.abort(new Error("left"));
    await assert.rejects(pending ?? reader.read(), /left/);
    assert.match(String(seen.cancelled), /left/);
  }
});

Deno.test("limitedSend ends the body of a response that comes just before its client leaves", async () => {
  const gone = new AbortController();
  const { send } = limited(({ target }) => {
    const reply = answers(new Response(half()));
    if (target === URL_) void reply.then(() => gone.abort(new Error("left")));
    return reply;
  });
  const response = await send(callTo(URL_, { signal: gone.signal }));
  await assert.rejects(response.text(), /left/);
  assert.equal((await send(callTo(`${URL_}2`))).status, 200);
});

const forever = new AbortController().signal;

/** Lets everything run that can. */
const laterTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("Slots lets those who wait in by their order", async () => {
  const slots = new Slots(1);
  const order: number[] = [];
  const first = await slots.take(forever);
  const rest = [1, 2, 3].map(async (n) => {
    const release = await slots.take(forever);
    order.push(n);
    release();
  });
  await laterTurn();
  assert.deepEqual(order, []);
  first();
  await Promise.all(rest);
  assert.deepEqual(order, [1, 2, 3]);
});

Deno.test("Slots gives a slot back once, however often it is told to", async () => {
  const slots = new Slots(1);
  const release = await slots.take(forever);
  release();
  release();
  const second = await slots.take(forever);
  let isThird = false;
  const third = slots.take(forever).then((release) => {
    isThird = true;
    return release;
  });
  await laterTurn();
  assert.equal(isThird, false);
  second();
  (await third)();
});

Deno.test("Slots passes over one who left, with the reason", async () => {
  const slots = new Slots(1);
  const release = await slots.take(forever);
  const gone = new AbortController();
  const left = slots.take(gone.signal);
  const next = slots.take(forever);
  gone.abort(new Error("left"));
  await assert.rejects(left, /left/);
  await assert.rejects(slots.take(gone.signal), /left/);
  release();
  (await next)();
  (await slots.take(forever))();
});

Deno.test("Slots never lets more in than there are, and loses none", async () => {
  const steps = fc.array(fc.constantFrom("take", "release", "leave"));
  const run = async (size: number, script: readonly string[]) => {
    const slots = new Slots(size);
    const inside: Release[] = [];
    const waiting: AbortController[] = [];
    for (const step of script) {
      if (step === "release") inside.shift()?.();
      else if (step === "leave") waiting.pop()?.abort();
      else {
        const gone = new AbortController();
        waiting.push(gone);
        slots.take(gone.signal).then((release) => {
          waiting.splice(waiting.indexOf(gone), 1);
          inside.push(release);
        }, () => {});
      }
      await laterTurn();
      assert.ok(inside.length <= size);
      assert.ok(waiting.length === 0 || inside.length === size);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, run),
    { numRuns: 50 },
  );
});
