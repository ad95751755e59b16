import assert from "node:assert/strict";
import { ConnectFailure, UnusableStatus } from "../../src/upstream/failure.ts";
import type { UpstreamCall } from "../../src/core/upstream.ts";
import { makeSend } from "../../src/upstream/forward.ts";
import { type RawParts, sendRaw } from "../../src/upstream/raw_send.ts";
import { callTo, responseOf } from "./replies.ts";
import { AUTHORITY, HOST, serveOn, startHttpProxy } from "./servers.ts";

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

const sendAny = makeSend({
  fetch: () => Promise.reject(new Error("fetch must not be used")),
});
const send = async (call: UpstreamCall) => responseOf(await sendAny(call));
const OK = "HTTP/1.1 200 Fine\r\ncontent-length: 2\r\nconnection: close\r\n";

Deno.test("sendRaw writes the target byte for byte and returns status, fields and body", async () => {
  await rawServer(
    `${OK}set-cookie: a=1\r\nset-cookie: b=2\r\n\r\nok`,
    async (origin, seen) => {
      const target = `${origin}/a/../b//c%2Fd?x?y='"|{`;
      const response = await send(
        callTo(target, {
          headers: [["x-a", "1"]],
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
      callTo(`${origin}/q`, {
        body: new TextEncoder().encode("abc"),
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
      callTo(`${origin}/./q`, {
        method: "POST",
        body: ReadableStream.from([
          new TextEncoder().encode("abc"),
          new TextEncoder().encode("de"),
        ]),
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
        callTo(`${origin}/../q`),
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
    callTo(`http://127.0.0.1:${listener.addr.port}/../q`),
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
      callTo(`http://127.0.0.1:${port}/../q`),
    ),
    { type: "connection_error", message: /connection refused/ },
  );
});

/** Sends a GET for `target` to this machine, whatever its name. */
async function pinned(
  target: string,
  { addresses = [HOST], ...more }: Partial<RawParts> & {
    readonly addresses?: readonly string[] | "any";
  } = {},
): Promise<Response> {
  const call = addresses === "any" ? {} : { addresses };
  const { signal } = new AbortController();
  const parts = { signal, ...more };
  return responseOf(await sendRaw(callTo(target, call), parts));
}

Deno.test("sendRaw reaches a name that does not resolve at its address, and says the name", async () => {
  await using up = serveOn(({ headers }) => new Response(headers.get("host")));
  const host = `up.invalid:${up.port}`;
  const response = await pinned(`http://${host}/`);
  assert.equal(await response.text(), host);
});

Deno.test("sendRaw checks the certificate of a pinned address against the name", async () => {
  await using up = serveOn(
    ({ headers, url }) => new Response(`${headers.get("host")} ${url}`),
    { isTls: true },
  );
  const ca = AUTHORITY;
  const target = `https://up.test:${up.port}/a?b`;
  const response = await pinned(target, { ca });
  assert.equal(await response.text(), `up.test:${up.port} ${target}`);
  await assert.rejects(
    pinned(`https://other.test:${up.port}/`, { ca }),
    ConnectFailure,
  );
  await assert.rejects(pinned(target), ConnectFailure);
});

Deno.test("sendRaw gives a proxy the whole URL and its own credentials, but tunnels to pinned addresses", async () => {
  await using up = serveOn(({ headers, url }) =>
    new Response(`${headers.get("host")} ${url}`)
  );
  await using server = startHttpProxy(up.port);
  const proxy = new URL(`http://me:secret@${HOST}:${server.port}`);
  const target = "http://up.invalid/a/../b?c";
  const response = await pinned(target, { proxy, addresses: "any" });
  assert.equal(await response.text(), `up.invalid ${target}`);
  await (await pinned(target, { proxy, addresses: ["192.0.2.7"] })).text();
  assert.match(
    server.heads[0]!,
    /^GET http:\/\/up\.invalid\/a\/\.\.\/b\?c HTTP\/1\.1\r\n/,
  );
  assert.match(server.heads[0]!, /\r\nproxy-authorization: Basic /);
  assert.match(server.heads[1]!, /^CONNECT 192\.0\.2\.7:80 HTTP/);
});

Deno.test("sendRaw follows no redirect", async () => {
  await using up = serveOn(() => Response.redirect("http://other.invalid/"));
  const response = await pinned(`http://up.invalid:${up.port}/`);
  assert.equal(response.status, 302);
  assert.equal(response.headers.get("location"), "http://other.invalid/");
});

Deno.test("sendRaw passes 1xx over, and takes HEAD and 204 without waiting for a body", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  await rawServer(`${early}${OK}\r\nok`, async (origin) => {
    assert.equal(await (await pinned(`${origin}/`)).text(), "ok");
  });
  await rawServer("HTTP/1.1 204 No\r\n\r\n", async (origin) => {
    const response = await pinned(`${origin}/`);
    assert.deepEqual([response.status, response.body], [204, null]);
  });
  await rawServer(
    "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n",
    async (origin) => {
      const target = `${origin}/`;
      const { signal } = new AbortController();
      const call = callTo(target, { method: "HEAD" });
      const response = await sendRaw(call, { signal });
      assert.equal(response.headers.get("content-length"), "7");
      assert.equal(response.body, null);
    },
  );
});

Deno.test("sendRaw rejects an upstream that switches protocols, and closes the connection", async () => {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  const ended = (async () => {
    const connection = await listener.accept();
    const buffer = new Uint8Array(65536);
    await connection.read(buffer);
    const answer = "HTTP/1.1 101 Switching Protocols\r\n" +
      "upgrade: x\r\nconnection: upgrade\r\n\r\n";
    await connection.write(new TextEncoder().encode(answer));
    const end = await connection.read(buffer).catch(() => null);
    connection.close();
    return end;
  })();
  const target = `http://${HOST}:${listener.addr.port}/`;
  await assert.rejects(pinned(target), (error) => {
    assert.ok(error instanceof UnusableStatus);
    return error.status === 101;
  });
  assert.equal(await ended, null);
  listener.close();
});

Deno.test("sendRaw rejects when the connection ends before a response", async () => {
  for (const answer of ["", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 2"]) {
    await rawServer(answer, async (origin) => {
      await assert.rejects(pinned(`${origin}/`));
    });
  }
});

Deno.test("sendRaw rejects a status that no response can have, and goes on living", async () => {
  for (const status of [199, 600, 999]) {
    const answer = `HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`;
    await rawServer(answer, async (origin) => {
      await assert.rejects(pinned(`${origin}/`));
    });
  }
});

Deno.test("sendRaw ends a response body with the signal's reason", async () => {
  const gone = new AbortController();
  await using up = serveOn(() =>
    new Response(
      new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1)) }),
    )
  );
  const target = `http://up.invalid:${up.port}/`;
  const { body } = await pinned(target, { signal: gone.signal });
  const reader = body!.getReader();
  await reader.read();
  const next = reader.read();
  gone.abort(new Error("left"));
  await assert.rejects(next, /left/);
});
