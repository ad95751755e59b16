import assert from "node:assert/strict";
import { chunkReader } from "../../src/upstream/chunk_reader.ts";
import { watchedBody } from "../../src/upstream/watched_body.ts";
import { FakeTime, settled } from "./fake_time.ts";

const IDLE_MS = 1000;

/** A watched body whose chunks the test gives, and what it told. */
function watched(source: UnderlyingDefaultSource<Uint8Array> = {}) {
  const time = new FakeTime();
  const gone = new AbortController();
  const seen = { ends: 0, idles: 0, cancelled: undefined as unknown };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => void (controller = own),
    cancel: (reason) => void (seen.cancelled = reason),
    ...source,
  }, { highWaterMark: 0 });
  const reader = watchedBody(chunkReader(body), {
    idleMs: IDLE_MS,
    wait: time.wait,
    clock: time.clock,
    signal: gone.signal,
    onIdle: () => {
      seen.idles++;
      return new Error("silent");
    },
    onBreak: (error) => new Error("broke off", { cause: error }),
    onEnd: () => void seen.ends++,
  });
  const give = (text: string) => controller.enqueue(utf8.encode(text));
  return { reader, time, gone, seen, give, source: controller! };
}
const utf8 = new TextEncoder();

Deno.test("watchedBody hands every chunk on as it is, and ends once", async () => {
  const { reader, seen, source, time } = watched();
  const chunk = utf8.encode("one");
  source.enqueue(chunk);
  assert.equal(await reader.read(), chunk);
  assert.equal(seen.ends, 0);
  source.close();
  assert.equal(await reader.read(), undefined);
  assert.deepEqual(seen, { ends: 1, idles: 0, cancelled: undefined });
  assert.equal(time.open, 0);
});

Deno.test("watchedBody reads nothing before it is asked", async () => {
  let pulls = 0;
  const { reader } = watched({
    pull: (to) => to.enqueue(new Uint8Array([++pulls])),
  });
  await settled();
  assert.equal(pulls, 0);
  await reader.read();
  await settled();
  assert.equal(pulls, 1);
});

Deno.test("watchedBody breaks off when nothing comes for too long", async () => {
  const { reader, time, seen } = watched();
  const next = reader.read();
  await time.pass(IDLE_MS - 1);
  assert.equal(seen.idles, 0);
  const broken = assert.rejects(next, /silent/);
  await time.pass(1);
  await broken;
  assert.deepEqual([seen.ends, seen.idles], [1, 1]);
  assert.match(String(seen.cancelled), /silent/);
  assert.equal(time.open, 0);
});

Deno.test("watchedBody counts from each chunk, with one timer for many of them", async () => {
  const { reader, time, seen, give } = watched();
  for (let i = 0; i < 100; i++) {
    const next = reader.read();
    await time.pass(IDLE_MS - 1);
    give("x");
    assert.equal((await next)?.length, 1);
  }
  assert.equal(seen.idles, 0);
  assert.ok(time.waits.length <= 200, `${time.waits.length} timers`);
  const next = assert.rejects(reader.read(), /silent/);
  await time.pass(IDLE_MS);
  await next;
});

Deno.test("watchedBody counts from when it was asked, whenever the timer began", async () => {
  const { reader, time, seen, give } = watched();
  const first = reader.read();
  await time.pass(IDLE_MS / 2);
  give("x");
  await first;
  const next = assert.rejects(reader.read(), /silent/);
  await time.pass(IDLE_MS - 1);
  assert.equal(seen.idles, 0);
  await time.pass(1);
  await next;
});

Deno.test("watchedBody arms one timer for all chunks of one idle time", async () => {
  const { reader, time, give } = watched();
  for (let i = 0; i < 100; i++) {
    const next = reader.read();
    give("x");
    await next;
  }
  assert.deepEqual(time.waits, [IDLE_MS]);
});

Deno.test("watchedBody does not blame the upstream for a reader that does not read", async () => {
  const { reader, time, seen, give } = watched();
  give("a");
  await reader.read();
  await time.pass(10 * IDLE_MS);
  assert.equal(seen.idles, 0);
  const next = reader.read();
  await time.pass(IDLE_MS - 1);
  assert.equal(seen.idles, 0);
  give("b");
  assert.equal((await next)?.length, 1);
});

Deno.test("watchedBody cancels the upstream when its reader does", async () => {
  const { reader, seen, time } = watched();
  void reader.read();
  await reader.cancel("enough");
  assert.deepEqual(seen, { ends: 1, idles: 0, cancelled: "enough" });
  assert.equal(time.open, 0);
});

Deno.test("watchedBody ends with the signal's reason, read or not", async () => {
  for (const isRead of [true, false]) {
    const { reader, gone, seen } = watched();
    const pending = isRead ? reader.read() : undefined;
    gone.abort(new Error("left"));
    assert.equal(seen.ends, 1);
    await assert.rejects(pending ?? reader.read(), /left/);
    assert.match(String(seen.cancelled), /left/);
    assert.equal(seen.idles, 0);
  }
});

Deno.test("watchedBody says of a body that broke what it was told to", async () => {
  const { reader, source, seen, gone } = watched();
  const next = reader.read();
  const reset = new Error("reset");
  source.error(reset);
  await assert.rejects(next, { message: "broke off", cause: reset });
  gone.abort();
  assert.equal(seen.ends, 1);
});

Deno.test("watchedBody ends at once for a signal that has fired", async () => {
  let ends = 0;
  const time = new FakeTime();
  const body = ReadableStream.from([utf8.encode("x")]);
  const reader = watchedBody(chunkReader(body), {
    idleMs: IDLE_MS,
    wait: time.wait,
    clock: time.clock,
    signal: AbortSignal.abort(new Error("left")),
    onIdle: () => undefined,
    onBreak: (error) => error,
    onEnd: () => void ends++,
  });
  await assert.rejects(reader.read(), /left/);
  assert.equal(ends, 1);
});
