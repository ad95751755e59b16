import assert from "node:assert/strict";
import { post, replies, upstreamsAt, withApp } from "../acceptance/world.ts";
import { messagesClient } from "../conformance/conversation.ts";
import { startProxy } from "../e2e/proxy.ts";

const CALL = { messages: [{ role: "user", content: "hello" }] };
const body = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ ...messagesClient.members, ...CALL, ...more });

/** A listener that answers every request with the same bytes, and keeps the connection. */
function answering(bytes: string) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.Conn[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      await connection.read(new Uint8Array(65536));
      await connection.write(new TextEncoder().encode(bytes));
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      await serving;
    },
  };
}

Deno.test("an upstream that switches protocols is an error, and holds no connection slot", async () => {
  await using up = answering(
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  );
  const proxy = await startProxy({
    ...upstreamsAt(up.url),
    SVC_ALLOWED_BASE_URLS: "127.0.0.1",
    SVC_MAX_CONNECTIONS: "1",
  });
  try {
    const headers = { "x-svc-base-url": up.url, "x-api-key": "k" };
    for (const path of ["/v1/messages", "/v1/files", "/v1/messages"]) {
      const response = await post(proxy, path, { body: body(), headers });
      assert.equal(response.status, 502);
      assert.match(await response.text(), /switched protocols/);
    }
  } finally {
    await proxy.stop();
  }
});

Deno.test("a long error that is answered with a second request holds no connection slot", () =>
  withApp(
    (request, n, signal) =>
      request.text.includes("_retrieve")
        ? new Response("x".repeat(200_000), { status: 400 })
        : replies()(request, n, signal),
    async (place) => {
      for (let i = 0; i < 3; i++) {
        const response = await post(place, "/v1/messages", body());
        await response.bytes();
        assert.equal(response.status, 200);
      }
      assert.ok(place.upstream.received.length > 3);
    },
    { env: { SVC_MAX_CONNECTIONS: "1", SVC_REQUEST_TIMEOUT: "5" } },
  ));

Deno.test("a response that the upstream breaks off is noted as its failure, not as a bug", async () => {
  for (const path of ["/v1/messages", "/v1/files"]) {
    await withApp(() =>
      new Response(
        new ReadableStream({
          start: (to) => to.enqueue(new TextEncoder().encode(": hello\n\n")),
          pull: (to) => to.error(new Error("reset")),
        }),
        { headers: { "content-type": "text/event-stream" } },
      ), async (place) => {
      const response = await post(place, path, {
        body: body({ stream: true }),
        headers: { "x-api-key": "k" },
      });
      assert.equal(response.status, 200);
      await assert.rejects(response.text());
      // Said of a model without a price of its own, once a count is there.
      const logged = place.logged.filter((one) => one !== "cost_estimated");
      assert.deepEqual(logged, ["upstream_failed"], path);
    });
  }
});
