import assert from "node:assert/strict";
import type { UsageTap } from "../../src/core/usage.ts";
import type { Reply } from "../../src/core/upstream.ts";
import {
  idTap,
  relay,
  type RelayOutcome,
  watchedReply,
  withTaps,
} from "../../src/proxy/response_tap.ts";
import { replyOf } from "../upstream/replies.ts";

const utf8 = new TextEncoder();

/** An upstream body under the test's control. */
function upstream(init: ResponseInit = {}) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const state = { cancelled: 0, pulls: 0 };
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull: () => void state.pulls++,
    cancel: () => void state.cancelled++,
  }, { highWaterMark: 0 });
  return {
    state,
    reply: replyOf(new Response(body, init)),
    send: (text: string) => controller.enqueue(utf8.encode(text)),
    close: () => controller.close(),
    fail: (error: Error) => controller.error(error),
  };
}

function recordingTap(log: string[]): UsageTap {
  return {
    push: (chunk) => log.push(`look ${new TextDecoder().decode(chunk)}`),
    finish: () => {
      log.push("finish");
      return { output: 7 };
    },
  };
}

function outcomes() {
  const seen: Omit<RelayOutcome, "bytes">[] = [];
  const bytes: number[] = [];
  const onEnd = ({ bytes: count, ...outcome }: RelayOutcome) => {
    seen.push(outcome);
    bytes.push(count);
  };
  return { seen, bytes, onEnd };
}

Deno.test("relay counts the bytes that it handed on, also of a response that the client leaves", async () => {
  const { bytes, onEnd } = outcomes();
  await relay(replyOf(new Response("whole")), { onEnd }).text();
  const up = upstream();
  const reader = relay(up.reply, { onEnd }).body!.getReader();
  up.send("abc");
  await reader.read();
  await reader.cancel();
  relay(replyOf(new Response(null, { status: 204 })), { onEnd });
  assert.deepEqual(bytes, [5, 3, 0]);
});

Deno.test("relay keeps status, text, end-to-end fields and bytes, and adds its own fields", async () => {
  const up = upstream({
    status: 429,
    statusText: "Slow down",
    headers: { "retry-after": "3", "connection": "x-hop", "x-hop": "1" },
  });
  const out = relay(up.reply, { headers: { "x-svc-tokens-saved": "5" } });
  up.send("a");
  up.send("b");
  up.close();
  assert.equal(out.status, 429);
  assert.equal(out.statusText, "Slow down");
  assert.deepEqual(Object.fromEntries(out.headers), {
    "retry-after": "3",
    "x-svc-tokens-saved": "5",
  });
  assert.equal(await out.text(), "ab");
});

Deno.test("relay gives a body its bytes when there is nothing to observe", async () => {
  const up = upstream();
  const out = relay(up.reply, {});
  up.send("a");
  up.close();
  assert.equal(await out.text(), "a");
});

/** A reply whose body is whole. */
function whole(text: string, headers: HeadersInit = {}): Reply {
  const body = utf8.encode(text);
  return { status: 200, statusText: "", headers: new Headers(headers), body };
}

Deno.test("relay gives a whole body with its fields, and looks at it once it was sent", async () => {
  const { promise: completed, resolve } = Promise.withResolvers<void>();
  const log: string[] = [];
  const { seen, bytes, onEnd } = outcomes();
  const out = relay(whole("whole", { "content-length": "5" }), {
    completed,
    tap: recordingTap(log),
    onEnd,
    headers: { "x-svc-tokens-saved": "5" },
  });
  assert.deepEqual(Object.fromEntries(out.headers), {
    "content-length": "5",
    "x-svc-tokens-saved": "5",
  });
  assert.equal(await out.text(), "whole");
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([seen, log], [[], []]);
  resolve();
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(seen, [{ aborted: false, usage: { output: 7 } }]);
  assert.deepEqual(bytes, [5]);
  assert.deepEqual(log, ["look whole", "finish"]);
});

Deno.test("relay notices that a client leaves a large body that is whole", async () => {
  const { seen, onEnd } = outcomes();
  const out = relay(whole("x".repeat(100_000)), { onEnd });
  await out.body?.cancel();
  assert.deepEqual(seen, [{ aborted: true, usage: {} }]);
});

Deno.test("relay takes it for granted that a whole body is sent where nobody says", async () => {
  const { seen, bytes, onEnd } = outcomes();
  const out = relay(whole("whole"), { onEnd });
  // The response leaves before it is looked at.
  assert.deepEqual(seen, []);
  assert.equal(await out.text(), "whole");
  assert.deepEqual(seen, [{ aborted: false, usage: {} }]);
  assert.deepEqual(bytes, [5]);
});

Deno.test("relay of a whole body records an abort that came before it was called", async () => {
  const { seen, bytes, onEnd } = outcomes();
  relay(whole("whole"), { signal: AbortSignal.abort(), onEnd });
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(seen, [{ aborted: true, usage: {} }]);
  assert.deepEqual(bytes, [0]);
});

Deno.test("watchedReply looks at a whole body at once, and gives the reply itself back", () => {
  const log: string[] = [];
  const { seen, bytes, onEnd } = outcomes();
  const reply = whole("whole");
  const watched = watchedReply(reply, { tap: recordingTap(log), onEnd });
  assert.equal(watched, reply);
  assert.deepEqual(log, ["look whole", "finish"]);
  assert.deepEqual(seen, [{ aborted: false, usage: { output: 7 } }]);
  assert.deepEqual(bytes, [5]);
});

Deno.test("watchedReply keeps status and fields of a reply whose body it watches", async () => {
  const up = upstream({ status: 201, headers: { "connection": "x-hop" } });
  const { seen, onEnd } = outcomes();
  const { body, ...rest } = watchedReply(up.reply, { onEnd });
  const { body: _, ...own } = up.reply;
  assert.deepEqual(rest, own);
  assert.equal(rest.headers, up.reply.headers);
  assert.ok(body !== null && !(body instanceof Uint8Array));
  up.close();
  assert.equal(await body.read(), undefined);
  assert.deepEqual(seen, [{ aborted: false, usage: {} }]);
});

Deno.test("relay forwards a chunk before it looks at it, and records once at the end", async () => {
  const up = upstream();
  const log: string[] = [];
  const { seen, onEnd } = outcomes();
  const out = relay(up.reply, { tap: recordingTap(log), onEnd });
  const reader = out.body!.getReader();
  up.send("a");
  log.push(`got ${new TextDecoder().decode((await reader.read()).value)}`);
  const next = reader.read();
  up.send("b");
  log.push(`got ${new TextDecoder().decode((await next).value)}`);
  assert.deepEqual(seen, []);
  up.close();
  assert.equal((await reader.read()).done, true);
  assert.deepEqual(log, ["got a", "look a", "got b", "look b", "finish"]);
  assert.deepEqual(seen, [{ aborted: false, usage: { output: 7 } }]);
});

Deno.test("relay takes no chunk that the client has not asked for", async () => {
  const up = upstream();
  const out = relay(up.reply, outcomes());
  const reader = out.body!.getReader();
  assert.equal(up.state.pulls, 0);
  const read = reader.read();
  await Promise.resolve();
  up.send("a");
  await read;
  assert.equal(up.state.pulls, 1);
});

Deno.test("relay cancels the upstream at once when the client leaves, and records one abort", async () => {
  const up = upstream();
  const log: string[] = [];
  const { seen, onEnd } = outcomes();
  const out = relay(up.reply, { tap: recordingTap(log), onEnd });
  const reader = out.body!.getReader();
  up.send("a");
  await reader.read();
  const waiting = reader.read();
  const cancelled = reader.cancel("left");
  assert.equal(up.state.cancelled, 1);
  assert.deepEqual(seen, [{ aborted: true, usage: { output: 7 } }]);
  await cancelled;
  assert.equal((await waiting).done, true);
  assert.deepEqual(log, ["look a", "finish"]);
  assert.equal(seen.length, 1);
});

Deno.test("relay cancels the upstream when the client leaves before it reads", async () => {
  const up = upstream();
  const client = new AbortController();
  const { seen, onEnd } = outcomes();
  const out = relay(up.reply, { signal: client.signal, onEnd });
  client.abort();
  assert.equal(up.state.cancelled, 1);
  assert.deepEqual(seen, [{ aborted: true, usage: {} }]);
  // A cut response must not look complete to anyone who still reads it.
  await assert.rejects(out.text(), { name: "AbortError" });
  assert.equal(seen.length, 1);
});

Deno.test("relay records an abort that came before it was called", () => {
  const up = upstream();
  const { seen, onEnd } = outcomes();
  relay(up.reply, { signal: AbortSignal.abort(), onEnd });
  assert.equal(up.state.cancelled, 1);
  assert.deepEqual(seen, [{ aborted: true, usage: {} }]);
});

Deno.test("relay ignores an abort after the end", async () => {
  const up = upstream();
  const client = new AbortController();
  const { seen, onEnd } = outcomes();
  const out = relay(up.reply, { signal: client.signal, onEnd });
  up.close();
  await out.text();
  client.abort();
  assert.deepEqual(seen, [{ aborted: false, usage: {} }]);
});

Deno.test("relay records a response without a body at once", () => {
  const { seen, onEnd } = outcomes();
  const out = relay(replyOf(new Response(null, { status: 204 })), {
    onEnd,
    tap: recordingTap([]),
  });
  assert.equal(out.status, 204);
  assert.equal(out.body, null);
  assert.deepEqual(seen, [{ aborted: false, usage: { output: 7 } }]);
});

Deno.test("relay passes an upstream's failure on to the client and records it once", async () => {
  const up = upstream();
  const { seen, onEnd } = outcomes();
  const log: string[] = [];
  const out = relay(up.reply, { tap: recordingTap(log), onEnd });
  const reader = out.body!.getReader();
  up.send("a");
  await reader.read();
  const error = new Error("connection reset");
  up.fail(error);
  await assert.rejects(reader.read(), error);
  assert.deepEqual(seen, [{ aborted: false, error, usage: { output: 7 } }]);
  assert.deepEqual(log, ["look a", "finish"]);
});

/** A tap that notes what it sees. */
function noting(log: string[], name: string): UsageTap {
  return {
    push: (chunk) => void log.push(`${name}:${chunk.length}`),
    finish: () => ({ output: 7 }),
  };
}

Deno.test("withTaps tells of a chunk, gives it to every tap in turn, and has the usage of the first", () => {
  const log: string[] = [];
  const second = noting(log, "b");
  const answering = () => void log.push("answering");
  const tap = withTaps({ answering }, noting(log, "a"), undefined, {
    push: (chunk) => second.push(chunk),
  });
  tap.push(utf8.encode("xyz"));
  assert.deepEqual(log, ["answering", "a:3", "b:3"]);
  assert.deepEqual(tap.finish(), { output: 7 });
});

Deno.test("idTap tells of the id once, wherever the chunks are cut, and gives up behind the head", () => {
  const ids: string[] = [];
  const make = () =>
    idTap(
      { responseIdIn: (head) => /"id":"(\w+)"/.exec(head)?.[1] },
      (id) => void ids.push(id),
    );
  const tap = make();
  for (const text of ['{"i', 'd":"r_', '1"}', '{"id":"r_2"}']) {
    tap.push(utf8.encode(text));
  }
  assert.deepEqual(ids, ["r_1"]);
  const late = make();
  late.push(new Uint8Array(5000).fill(0x20));
  late.push(utf8.encode('"id":"r_3"'));
  assert.deepEqual(ids, ["r_1"]);
});
