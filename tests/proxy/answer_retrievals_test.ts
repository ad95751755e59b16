import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { ProviderFormat } from "../../src/core/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { answerRetrievals as answeredReply } from "../../src/proxy/answer_retrievals.ts";
import type { RetrievalSession } from "../../src/proxy/retrieval_rounds.ts";
import {
  chatDialect,
  messagesDialect,
  responsesDialect,
} from "../conformance/retrieval_dialects.ts";
import { ask, Lab, turns } from "../conformance/retrieval_lab.ts";
import { replyOf, responseOf } from "../upstream/replies.ts";

/** Follows responses of a format to a request that begins its conversation. */
function exchangeOf({ retrieval }: ProviderFormat) {
  const facts = { conversationLength: 1, includeUsage: false };
  return (streaming: boolean) => retrieval.exchange({ ...facts, streaming });
}

const utf8 = new TextEncoder();
const SESSION: RetrievalSession = {
  exchange: exchangeOf(messagesFormat),
  streaming: true,
  toolChoiceAuto: true,
  lookup: () => Promise.resolve({ content: "{}" }),
  continueWith: () => Promise.reject(new TypeError("nothing to continue")),
  remember: () => Promise.resolve(),
  signal: new AbortController().signal,
  everyTenSeconds: () => () => {},
};
const [FIRST, SECOND] = turns(
  "a",
  [{ text: "One. " }, ask("r1")],
  [{ text: "Two." }],
);
const DIALECTS = [messagesDialect, chatDialect, responsesDialect];
/** What the client gets of `response`. */
async function answerRetrievals(
  response: Response,
  session: RetrievalSession,
): Promise<Response> {
  return responseOf(await answeredReply(replyOf(response), session));
}

const lab = (streaming: boolean) => new Lab(messagesDialect, { streaming });

Deno.test("answerRetrievals returns what is no 200, no JSON and no event stream as it is", async () => {
  const responses = [
    new Response('{"content":[]}', {
      status: 429,
      headers: { "content-type": "application/json" },
    }),
    new Response("<html>", { headers: { "content-type": "text/html" } }),
    new Response("{}", {
      headers: {
        "content-type": "application/json",
        "content-encoding": "compress",
      },
    }),
    new Response("\x1f\x8b", {
      headers: { "content-type": "text/plain", "content-encoding": "gzip" },
    }),
    new Response(null, { headers: { "content-type": "application/json" } }),
  ];
  for (const response of responses) {
    const reply = replyOf(response);
    assert.equal(await answeredReply(reply, SESSION), reply);
  }
});

Deno.test("answerRetrievals relays JSON that is no message byte for byte, with its fields", async () => {
  for (const text of ['{ "odd": 1.0 }', "[", ""]) {
    const headers = {
      "content-type": "application/json",
      "content-length": String(text.length),
    };
    const body = ReadableStream.from([utf8.encode(text)]);
    const out = await answerRetrievals(
      new Response(body, { headers }),
      SESSION,
    );
    assert.equal(out.headers.get("content-length"), String(text.length));
    assert.equal(await out.text(), text);
  }
});

Deno.test("answerRetrievals relays a JSON response above the limit without looking into it", async () => {
  const chunk = new Uint8Array(1 << 20).fill(0x20);
  async function* chunks() {
    for (let i = 0; i < 65; i++) yield await Promise.resolve(chunk);
  }
  const headers = { "content-type": "application/json" };
  const response = new Response(ReadableStream.from(chunks()), { headers });
  const out = await answerRetrievals(response, SESSION);
  assert.equal((await out.bytes()).length, 65 << 20);
});

Deno.test("answerRetrievals drops the length of a response that it changes", async () => {
  const response = lab(false).answer(FIRST!);
  response.headers.set("content-length", "999");
  const out = await answerRetrievals(response, {
    ...SESSION,
    continueWith: () => Promise.resolve(replyOf(lab(false).answer(SECOND!))),
  });
  assert.equal(out.headers.get("content-length"), null);
  assert.equal(messagesDialect.readDocument(await out.text()).parts.length, 2);
});

Deno.test("answerRetrievals relays each event when it is complete", async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (it) => void (controller = it),
  });
  const headers = { "content-type": "text/event-stream" };
  const out = await answerRetrievals(new Response(body, { headers }), SESSION);
  const reader = out.body!.getReader();
  const event = utf8.encode("event: ping\ndata: {}\n\n");
  for (let i = 0; i < 3; i++) {
    controller!.enqueue(event);
    assert.deepEqual((await reader.read()).value, event);
  }
  controller!.close();
  assert.equal((await reader.read()).done, true);
});

Deno.test("answerRetrievals has nothing remembered of a response without a retrieval", async () => {
  let remembered = 0;
  const [plain] = turns("p", [{ text: "Just text." }]);
  for (const streaming of [false, true]) {
    const out = await answerRetrievals(lab(streaming).answer(plain!), {
      ...SESSION,
      remember: () => Promise.resolve(void remembered++),
    });
    await out.text();
  }
  assert.equal(remembered, 0);
});

Deno.test("answerRetrievals lets the client see that a stream broke before any retrieval", async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("reset")),
  });
  const headers = { "content-type": "text/event-stream" };
  const out = await answerRetrievals(new Response(body, { headers }), SESSION);
  await assert.rejects(out.text(), /reset/);
});

Deno.test("answerRetrievals takes a stream without a type for one when the client asked for one", async () => {
  const text = await lab(true).answer(FIRST!).text();
  const out = await answerRetrievals(new Response(utf8.encode(text)), {
    ...SESSION,
    continueWith: () => Promise.resolve(replyOf(lab(true).answer(SECOND!))),
  });
  assert.equal(messagesDialect.readStream(await out.text()).parts.length, 2);
});

Deno.test("answerRetrievals aborts the continuation when the client stops reading", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<AbortSignal>();
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: (_, { signal }) => {
      resolve(signal);
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    },
  });
  const reader = out.body!.getReader();
  await reader.read();
  const next = reader.read();
  const signal = await asked;
  assert.equal(signal.aborted, false);
  await reader.cancel("left");
  assert.equal(signal.aborted, true);
  assert.equal(signal.reason, "left");
  assert.equal((await next).done, true);
});

Deno.test("answerRetrievals cancels the upstream when the client stops reading", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8.encode("data: 1\n\n")),
    cancel: resolve,
  });
  const headers = { "content-type": "text/event-stream" };
  const out = await answerRetrievals(new Response(body, { headers }), SESSION);
  const reader = out.body!.getReader();
  await reader.read();
  await reader.cancel("left");
  assert.equal(await cancelled, "left");
});

/** A stream of events that counts the chunks that it was asked for. */
function counted(text: string) {
  const state = { asked: 0 };
  const chunks = text.split(/(?<=\n\n)/);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[state.asked++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(utf8.encode(chunk));
    },
  }, { highWaterMark: 0 });
  const headers = { "content-type": "text/event-stream" };
  return { state, chunks, response: new Response(body, { headers }) };
}

Deno.test("answerRetrievals reads nothing ahead: of a stream, and of what continues it", async () => {
  const first = counted(messagesDialect.stream(FIRST!));
  const second = counted(messagesDialect.stream(SECOND!));
  let sent = 0;
  const out = await answerRetrievals(first.response, {
    ...SESSION,
    continueWith: () => {
      sent++;
      return Promise.resolve(replyOf(second.response));
    },
  });
  const reader = out.body!.getReader();
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  await settle();
  assert.equal(first.state.asked, 0);
  await reader.read();
  await settle();
  assert.equal(first.state.asked, 1);
  const all = first.chunks.length + 1;
  while (sent === 0) {
    // Nobody waits for the continuation before the stream was read to its end.
    assert.ok(first.state.asked <= all);
    await reader.read();
    await settle();
  }
  assert.equal(first.state.asked, all);
  const { asked } = second.state;
  assert.ok(asked < second.chunks.length, `${asked} chunks`);
  await settle();
  assert.equal(second.state.asked, asked);
  while (!(await reader.read()).done);
  assert.equal(second.state.asked, second.chunks.length + 1);
  assert.equal(sent, 1);
});

Deno.test("answerRetrievals asks for no continuation before the client took what came before it", async () => {
  let sent = 0;
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: () => {
      sent++;
      return Promise.resolve(replyOf(lab(true).answer(SECOND!)));
    },
  });
  const reader = out.body!.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /One\. /);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(sent, 0);
  await reader.read();
  assert.equal(sent, 1);
});

Deno.test("answerRetrievals cancels the body of a continuation, also of one that comes after the client left", async () => {
  for (const isLate of [false, true]) {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<
      void
    >();
    const { promise: pulled, resolve: pull } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: () => pull(),
      cancel: resolve,
    }, { highWaterMark: 0 });
    const headers = { "content-type": "text/event-stream" };
    const out = await answerRetrievals(lab(true).answer(FIRST!), {
      ...SESSION,
      continueWith: async () => {
        ask();
        await answered;
        return replyOf(new Response(body, { headers }));
      },
    });
    const reader = out.body!.getReader();
    await reader.read();
    void reader.read();
    await asked;
    if (!isLate) {
      answer();
      await pulled;
    }
    await reader.cancel("left");
    answer();
    assert.equal(await cancelled, "left");
  }
});

Deno.test("answerRetrievals remembers nothing of a response that the client leaves, also just before its end", async () => {
  const steps = [utf8.encode(messagesDialect.stream(SECOND!))].values();
  const { promise: pulled, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value } = steps.next();
      if (value) controller.enqueue(value);
      else resolve();
    },
  }, { highWaterMark: 0 });
  const told: unknown[] = [];
  const headers = { "content-type": "text/event-stream" };
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: () =>
      Promise.resolve(replyOf(new Response(body, { headers }))),
    remember: () => Promise.resolve(void told.push("remembered")),
    onFailure: (error) => void told.push(error),
  });
  const reader = out.body!.getReader();
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  await pulled;
  await reader.cancel("left");
  await reading;
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(told, []);
});

Deno.test("answerRetrievals gives the client what was ready before the error that ends a continued stream", async () => {
  const [first] = messagesDialect.stream(SECOND!).split(/(?<=Two.*\n\n)/);
  const body = () => {
    const steps = [utf8.encode(first)].values();
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value } = steps.next();
        if (value) controller.enqueue(value);
        else controller.error(new Error("reset"));
      },
    });
  };
  const headers = { "content-type": "text/event-stream" };
  const failed: unknown[] = [];
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: () =>
      Promise.resolve(replyOf(new Response(body(), { headers }))),
    onFailure: (error) => void failed.push(error),
  });
  const text = await out.text();
  const parts = ["One. ", "Two."].map((part) => text.indexOf(part));
  const at = text.search(messagesDialect.errorEvent);
  assert.ok(0 <= parts[0]! && parts[0]! < parts[1]! && parts[1]! < at, text);
  assert.match(String(failed), /reset/);
});

Deno.test("answerRetrievals of a document rejects when the client left", async () => {
  const gone = new AbortController();
  const pending = answerRetrievals(lab(false).answer(FIRST!), {
    ...SESSION,
    signal: gone.signal,
    continueWith: () => {
      gone.abort(new DOMException("left", "AbortError"));
      return Promise.reject(gone.signal.reason);
    },
  });
  await assert.rejects(pending, { name: "AbortError" });
});

Deno.test("answerRetrievals says of a document that it broke off", async () => {
  const body = new ReadableStream({
    pull: (to) => to.error(new Error("reset")),
  });
  const headers = { "content-type": "application/json" };
  const pending = answerRetrievals(new Response(body, { headers }), SESSION);
  await assert.rejects(pending, {
    type: "connection_error",
    message: "The upstream's response broke off before its end",
  });
});

Deno.test("answerRetrievals refuses a continuation of the other kind", async () => {
  const failed: unknown[] = [];
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: () => Promise.resolve(replyOf(lab(false).answer(SECOND!))),
    onFailure: (error) => void failed.push(error),
  });
  assert.match(await out.text(), messagesDialect.errorEvent);
  assert.equal(failed.length, 1);
});

Deno.test("answerRetrievals finds a retrieval in encoded responses", async () => {
  const encoded = async (response: Response) => {
    const headers = new Headers(response.headers);
    headers.set("content-encoding", "gzip");
    const bytes = gzipSync(await response.bytes());
    headers.set("content-length", String(bytes.length));
    return new Response(new Uint8Array(bytes), { headers });
  };
  for (const streaming of [true, false]) {
    const one = lab(streaming);
    const out = await answerRetrievals(await encoded(one.answer(FIRST!)), {
      ...SESSION,
      streaming,
      continueWith: async () => replyOf(await encoded(one.answer(SECOND!))),
    });
    assert.equal(out.headers.get("content-encoding"), null);
    assert.equal(out.headers.get("content-length"), null);
    assert.equal(one.read(await out.text()).parts.length, 2);
  }
});

Deno.test("answerRetrievals gives the client what arrived of an event that broke off", async () => {
  for (const dialect of DIALECTS) {
    const [turn] = turns("u", [{ text: "Just text." }]);
    const whole = dialect.stream(turn!);
    for (const cut of [5, 40, whole.length / 2, whole.length - 1]) {
      const steps = [utf8.encode(whole.slice(0, cut))].values();
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const { value } = steps.next();
          if (value) controller.enqueue(value);
          else controller.error(new Error("reset"));
        },
      });
      const headers = { "content-type": "text/event-stream" };
      const out = await answerRetrievals(new Response(body, { headers }), {
        ...SESSION,
        exchange: exchangeOf(dialect.format),
      });
      let seen = "";
      const read = async () => {
        for await (const chunk of out.body!) {
          seen += new TextDecoder().decode(chunk);
        }
      };
      await assert.rejects(read(), /reset/);
      assert.equal(seen, whole.slice(0, cut));
    }
  }
});

Deno.test("answerRetrievals pings once each time that it is due, while the continuation is on its way only", async () => {
  const tick = { due: undefined as (() => void) | undefined };
  const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: async () => {
      wait();
      await answered;
      return replyOf(lab(true).answer(SECOND!));
    },
    everyTenSeconds: (due) => {
      tick.due = due;
      return () => void (tick.due = undefined);
    },
  });
  const reader = out.body!.getReader();
  const read = async () =>
    new TextDecoder().decode((await reader.read()).value);
  // Nobody waits yet for what comes after a retrieval.
  assert.equal(tick.due, undefined);
  let seen = await read();
  let next = read();
  await waiting;
  const pings: string[] = [];
  for (let i = 0; i < 3; i++) {
    tick.due!();
    pings.push(await next);
    next = read();
  }
  const { ping } = SESSION.exchange(true);
  assert.deepEqual(pings, Array(3).fill(new TextDecoder().decode(ping)));
  answer();
  seen += await next;
  assert.equal(tick.due, undefined);
  for (let more = await read(); more !== ""; more = await read()) seen += more;
  const undisturbed = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    continueWith: () => Promise.resolve(replyOf(lab(true).answer(SECOND!))),
  });
  assert.equal(seen, await undisturbed.text());
});

Deno.test("answerRetrievals stops its pings when the client leaves", async () => {
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    // It does not notice that the client has left.
    continueWith: () => {
      resolve();
      return new Promise(() => {});
    },
    everyTenSeconds: () => {
      running++;
      return () => void running--;
    },
  });
  const reader = out.body!.getReader();
  await reader.read();
  void reader.read();
  await waiting;
  assert.equal(running, 1);
  await reader.cancel("left");
  assert.equal(running, 0);
});

Deno.test("answerRetrievals pings while a continuation is on its way, and an abort ends it", async () => {
  const gone = new AbortController();
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  const ticks: (() => void)[] = [];
  let sent = 0;
  const out = await answerRetrievals(lab(true).answer(FIRST!), {
    ...SESSION,
    signal: gone.signal,
    continueWith: (_, { signal }) => {
      sent++;
      resolve();
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
    },
    everyTenSeconds: (tick) => {
      ticks.push(tick);
      return () => void ticks.splice(0);
    },
  });
  const reader = out.body!.getReader();
  await reader.read();
  const next = reader.read();
  await waiting;
  ticks[0]!();
  assert.match(new TextDecoder().decode((await next).value), /event: ping/);
  const end = reader.read();
  gone.abort(new Error("left"));
  await assert.rejects(end, /left/);
  assert.equal(sent, 1);
  assert.deepEqual(ticks, []);
});
