import assert from "node:assert/strict";
import {
  type BodyPace,
  inTime,
  pacedBody,
  PacedReader,
} from "../../src/proxy/client_body.ts";

const PACE_BYTES = 64 * 1024;

/** Time by hand. */
interface HandTime {
  at: number;
  /** Milliseconds that the running timers were set for. */
  set(): number[];
  /** Lets all running timers go off. */
  ring(): void;
  readonly pace: BodyPace;
}

function handTime(): HandTime {
  const timers = new Map<() => void, number>();
  const time: HandTime = {
    at: 0,
    set: () => [...timers.values()],
    ring: () => [...timers.keys()].forEach((run) => run()),
    pace: {
      ms: 100,
      now: () => time.at,
      later(run, ms) {
        timers.set(run, ms);
        return () => void timers.delete(run);
      },
    },
  };
  return time;
}

/** A body whose chunks are given by hand. */
function handBody() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => void (isCancelled = true),
  });
  return {
    body,
    give: (bytes: number) => controller.enqueue(new Uint8Array(bytes)),
    end: () => controller.close(),
    fail: () => controller.error(new Error("reset")),
    isCancelled: () => isCancelled,
  };
}

Deno.test("PacedReader gives the chunks, and leaves no timer behind", async () => {
  const time = handTime();
  const { body, give, end } = handBody();
  const reader = new PacedReader(body, time.pace);
  give(3);
  give(4);
  end();
  assert.equal((await reader.read())?.length, 3);
  assert.equal((await reader.read())?.length, 4);
  assert.equal(await reader.read(), undefined);
  assert.deepEqual(time.set(), []);
  assert.equal(reader.failure, undefined);
});

Deno.test("PacedReader ends a body that stops, and cancels it", async () => {
  const time = handTime();
  const { body, give, isCancelled } = handBody();
  const reader = new PacedReader(body, time.pace);
  give(3);
  await reader.read();
  const waiting = reader.read();
  time.ring();
  await assert.rejects(waiting, {
    name: "BodyTooSlow",
    message: /3 bytes arrived/,
  });
  assert.equal(isCancelled(), true);
  assert.equal(reader.failure?.name, "BodyTooSlow");
  assert.deepEqual(time.set(), []);
});

Deno.test("PacedReader gives a body of small chunks no more time than one of large ones", async () => {
  const time = handTime();
  const { body, give } = handBody();
  const reader = new PacedReader(body, time.pace);
  const given: number[] = [];
  for (
    const [bytes, ms] of [[1, 30], [1, 30], [1, 30], [PACE_BYTES, 5], [1, 0]]
  ) {
    const waiting = reader.read();
    given.push(...time.set());
    time.at += ms!;
    give(bytes!);
    await waiting;
    // What passes between two reads is not the client's.
    time.at += 1_000;
  }
  assert.deepEqual(given, [100, 70, 40, 10, 100]);
  await reader.cancel();
});

Deno.test("PacedReader hands on what breaks the body", async () => {
  const time = handTime();
  const { body, fail } = handBody();
  const reader = new PacedReader(body, time.pace);
  fail();
  await assert.rejects(reader.read(), { message: "reset" });
  assert.deepEqual(time.set(), []);
});

Deno.test("pacedBody streams the same bytes, only when they are asked for", async () => {
  const time = handTime();
  const { body, give, end } = handBody();
  const paced = pacedBody(body, time.pace);
  assert.deepEqual(time.set(), []);
  give(3);
  give(4);
  end();
  assert.equal((await new Response(paced.stream).bytes()).length, 7);
  assert.equal(paced.tooSlow(), undefined);
});

Deno.test("pacedBody fails when the client falls behind, and says so", async () => {
  const time = handTime();
  const { body, isCancelled } = handBody();
  const paced = pacedBody(body, time.pace);
  const waiting = paced.stream.getReader().read();
  // The stream asks for its first chunk a turn later.
  await new Promise((resolve) => setTimeout(resolve, 0));
  time.ring();
  await assert.rejects(waiting, { name: "BodyTooSlow" });
  assert.equal(paced.tooSlow()?.name, "BodyTooSlow");
  assert.equal(isCancelled(), true);
});

Deno.test("pacedBody cancels the client's body when the receiver wants no more, also while it waits", async () => {
  const time = handTime();
  const { body, isCancelled } = handBody();
  const reader = pacedBody(body, time.pace).stream.getReader();
  const waiting = reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await reader.cancel();
  await waiting;
  assert.equal(isCancelled(), true);
  assert.deepEqual(time.set(), []);
});

Deno.test("inTime gives the body, or gives it up after a time that grows with its length", async () => {
  const time = handTime();
  const bytes = new Uint8Array(3);
  assert.equal(await inTime(Promise.resolve(bytes), 3, time.pace), bytes);
  assert.deepEqual(time.set(), []);
  const never = new Promise<Uint8Array>(() => {});
  const waiting = inTime(never, 3 * PACE_BYTES, time.pace);
  assert.deepEqual(time.set(), [3_100]);
  time.ring();
  await assert.rejects(waiting, { name: "BodyTooSlow" });
  const broken = inTime(Promise.reject(new Error("reset")), 3, time.pace);
  await assert.rejects(broken, { message: "reset" });
});
