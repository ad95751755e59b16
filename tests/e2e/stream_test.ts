import assert from "node:assert/strict";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { startProxy } from "./proxy.ts";

const body = bodyOf(messagesClient, { question: "q", steps: [] }, 0);

/** A provider whose response body the test writes, and that notes when it is cancelled. */
function startManualProvider(headers: [string, string][]) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      await request.bytes();
      request.signal.addEventListener("abort", () => resolve());
      const stream = new ReadableStream<Uint8Array>({
        start: (c) => void (controller = c),
        cancel: () => resolve(),
      });
      return new Response(stream, { headers });
    },
  );
  const utf8 = new TextEncoder();
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    write: (text: string) => controller?.enqueue(utf8.encode(text)),
    end: () => controller?.close(),
    cancelled,
    stop: () => server.shutdown(),
  };
}

async function withManual(
  test: (
    provider: ReturnType<typeof startManualProvider>,
    ask: (signal?: AbortSignal) => Promise<Response>,
  ) => Promise<void>,
  headers: [string, string][] = [["content-type", "text/event-stream"]],
): Promise<void> {
  const provider = startManualProvider(headers);
  const proxy = await startProxy({ MSG_TARGET_API_URL: provider.url });
  try {
    await test(provider, (signal) =>
      fetch(`${proxy.url}/v1/messages`, {
        method: "POST",
        body: body as BodyInit,
        signal: signal ?? null,
      }));
  } finally {
    await proxy.stop();
    await provider.stop();
  }
}

const event = (n: number) =>
  `event: ping\ndata: {"type":"ping","n":${n},"é":"😀"}\n\n`;

Deno.test("event stream chunks reach the client while the upstream still writes", () =>
  withManual(async (provider, ask) => {
    const response = await ask();
    const reader = response.body!
      .pipeThrough(new TextDecoderStream()).getReader();
    for (let n = 0; n < 5; n++) {
      provider.write(event(n));
      let seen = "";
      while (seen.length < event(n).length) seen += (await reader.read()).value;
      assert.equal(seen, event(n));
    }
    provider.end();
    assert.equal((await reader.read()).done, true);
  }));

Deno.test("a client that leaves ends the upstream request", () =>
  withManual(async (provider, ask) => {
    const aborter = new AbortController();
    const response = await ask(aborter.signal);
    provider.write(event(0));
    await response.body!.getReader().read();
    aborter.abort();
    await provider.cancelled;
  }));

Deno.test("response headers arrive once each, cookies not at all", () =>
  withManual(
    async (provider, ask) => {
      const asked = ask();
      const response = await asked;
      provider.write(event(0));
      provider.end();
      await response.bytes();
      assert.deepEqual(response.headers.getSetCookie(), []);
      assert.equal(response.headers.get("request-id"), "req_1");
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      assert.equal(response.headers.get("x-hop"), null);
    },
    [
      ["content-type", "text/event-stream"],
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["request-id", "req_1"],
      ["x-hop", "1"],
      ["connection", "x-hop"],
    ],
  ));
