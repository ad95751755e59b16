import assert from "node:assert/strict";
import { makeSend, UpstreamRequest } from "../../src/upstream/forward.ts";

/** A server that answers each connection with `answer` once it has seen a whole request, and keeps what it saw. */
async function rawServer(
  answer: string,
  use: (origin: string, seen: () => string) => Promise<void>,
  complete: (text: string) => boolean = (text) => text.includes("\r\n\r\n"),
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let seen = "";
  const serving = (async () => {
    const connection = await listener.accept();
    const buffer = new Uint8Array(65536);
    while (!complete(seen)) {
      const n = await connection.read(buffer);
      if (n === null) break;
      seen += new TextDecoder("latin1").decode(buffer.subarray(0, n));
    }
    await connection.write(new TextEncoder().encode(answer));
    connection.close();
  })();
  try {
    await use(`http://127.0.0.1:${listener.addr.port}`, () => seen);
    await serving;
  } finally {
    listener.close();
  }
}

const send = makeSend({
  fetch: () => Promise.reject(new Error("fetch must not be used")),
});
const OK = "HTTP/1.1 200 Fine\r\ncontent-length: 2\r\nconnection: close\r\n";

Deno.test("sendRaw writes the target byte for byte and returns status, fields and body", async () => {
  await rawServer(
    `${OK}set-cookie: a=1\r\nset-cookie: b=2\r\n\r\nok`,
    async (origin, seen) => {
      const target = `${origin}/a/../b//c%2Fd?x?y='"|{`;
      const response = await send(
        new UpstreamRequest(target, "GET", {
          body: null,
          headers: new Headers({ "x-a": "1" }),
        }),
      );
      assert.equal(response.status, 200);
      assert.equal(response.statusText, "Fine");
      assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
      assert.equal(await response.text(), "ok");
      assert.equal(
        seen().split("\r\n")[0],
        `GET /a/../b//c%2Fd?x?y='"|{ HTTP/1.1`,
      );
      assert.match(seen(), /\r\nx-a: 1\r\n/i);
      assert.match(seen(), /\r\nhost: 127\.0\.0\.1:\d+\r\n/i);
    },
  );
});

Deno.test("sendRaw sends a body with GET, and its length", async () => {
  await rawServer(`${OK}\r\nok`, async (origin, seen) => {
    const response = await send(
      new UpstreamRequest(`${origin}/q`, "GET", {
        body: new TextEncoder().encode("abc"),
        headers: new Headers(),
      }),
    );
    assert.equal(await response.text(), "ok");
    assert.match(seen(), /\r\ncontent-length: 3\r\n/i);
    assert.ok(seen().endsWith("\r\n\r\nabc"));
  }, (text) => text.endsWith("abc"));
});

Deno.test("sendRaw sends a stream in chunks", async () => {
  await rawServer(`${OK}\r\nok`, async (origin, seen) => {
    const response = await send(
      new UpstreamRequest(`${origin}/./q`, "POST", {
        body: ReadableStream.from([
          new TextEncoder().encode("abc"),
          new TextEncoder().encode("de"),
        ]),
        headers: new Headers(),
      }),
    );
    assert.equal(await response.text(), "ok");
    assert.match(seen(), /transfer-encoding: chunked/i);
    assert.match(seen(), /3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n$/);
  }, (text) => text.endsWith("0\r\n\r\n"));
});

Deno.test("sendRaw does not decode a compressed body", async () => {
  await rawServer(
    `${OK}content-encoding: gzip\r\n\r\nzz`,
    async (origin) => {
      const response = await send(
        new UpstreamRequest(`${origin}/../q`, "GET", {
          body: null,
          headers: new Headers(),
        }),
      );
      assert.equal(response.headers.get("content-encoding"), "gzip");
      assert.equal(await response.text(), "zz");
    },
  );
});

Deno.test("sendRaw closes the connection when the body is cancelled", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const closed = (async () => {
    const connection = await listener.accept();
    const buffer = new Uint8Array(65536);
    await connection.read(buffer);
    await connection.write(
      new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\nfirst"),
    );
    const end = await connection.read(buffer).catch(() => null);
    connection.close();
    return end;
  })();
  const response = await send(
    new UpstreamRequest(`http://127.0.0.1:${listener.addr.port}/../q`, "GET", {
      body: null,
      headers: new Headers(),
    }),
  );
  const reader = response.body!.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "first");
  await reader.cancel();
  assert.equal(await closed, null);
  listener.close();
});

Deno.test("sendRaw maps a refused connection to connection_error", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await assert.rejects(
    send(
      new UpstreamRequest(`http://127.0.0.1:${port}/../q`, "GET", {
        body: null,
        headers: new Headers(),
      }),
    ),
    { type: "connection_error", message: /connection refused/ },
  );
});
