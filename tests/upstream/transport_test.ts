import assert from "node:assert/strict";
import {
  UpstreamTimeout,
  UpstreamUnreachable,
} from "../../src/upstream/failure.ts";
import type { UpstreamCall } from "../../src/core/upstream.ts";
import {
  openTransport,
  type TransportOptions,
  type TransportParts,
} from "../../src/upstream/transport.ts";
import { waitFor } from "../../src/upstream/wait.ts";
import { FakeTime } from "./fake_time.ts";
import { callTo, responseOf } from "./replies.ts";
import {
  AUTHORITY,
  closedPort,
  HOST,
  serveOn,
  startHttpProxy,
} from "./servers.ts";

const OPTIONS: TransportOptions = {
  httpProxy: undefined,
  ca: AUTHORITY,
  timeoutMs: 60_000,
  maxConnections: 500,
  maxKeepalive: 100,
  keepaliveMs: 90_000,
  http2: true,
  maxAttempts: 3,
  retryBaseMs: 0,
  retryMaxMs: 1000,
};

const REAL_TIME = {
  wait: waitFor,
  clock: { now: () => 0, monotonic: () => performance.now() },
};

/** Opens a transport on the real network for as long as `use` takes. */
async function opened(
  options: Partial<TransportOptions>,
  use: (send: (call: UpstreamCall) => Promise<Response>) => Promise<void>,
  time: Pick<TransportParts, "wait" | "clock"> = REAL_TIME,
): Promise<void> {
  const parts = { ...time, fetch, random: () => 0 };
  const transport = openTransport({ ...OPTIONS, ...options }, parts);
  try {
    await use(async (call) => responseOf(await transport.send(call)));
  } finally {
    transport.close();
  }
}

function request(
  target: string,
  more: { addresses?: readonly string[]; signal?: AbortSignal } = {},
): UpstreamCall {
  const body = new TextEncoder().encode("body");
  const headers = [["accept-encoding", "identity"]] as const;
  return callTo(target, { method: "POST", body, headers, ...more });
}

/** Says what arrived. */
const echo = async (request: Request) =>
  new Response(`${request.url} ${await request.text()}`);

Deno.test("openTransport sends to upstreams with and without TLS, pinned or not", async () => {
  for (const isTls of [false, true]) {
    await using up = serveOn(echo, { isTls });
    const scheme = isTls ? "https" : "http";
    const target = `${scheme}://localhost:${up.port}/a`;
    const pinned = `${scheme}://up.test:${up.port}/a`;
    await opened({}, async (send) => {
      for (let i = 0; i < 3; i++) {
        const response = await send(request(target));
        assert.equal(await response.text(), `${target} body`);
      }
      const response = await send(request(pinned, { addresses: [HOST] }));
      assert.equal(await response.text(), `${pinned} body`);
    });
    assert.ok(up.connections.size < 4, `${up.connections.size} connections`);
  }
});

Deno.test("openTransport reaches all upstreams through the proxy but those of this machine", async () => {
  await using up = serveOn(echo);
  await using proxy = startHttpProxy(up.port);
  const httpProxy = `http://me:secret@${HOST}:${proxy.port}`;
  await opened({ httpProxy }, async (send) => {
    for (const here of [HOST, "127.1.2.3", "localhost"]) {
      // 127.1.2.3 is this machine, but nobody listens there.
      const target = `http://${here}:${up.port}/`;
      await send(request(target)).then((r) => r.text(), () => {});
    }
    const pinned = { addresses: [HOST] };
    await (await send(request(`http://up.invalid:${up.port}/`, pinned))).text();
    assert.deepEqual(proxy.heads, []);
    const odd = "http://up.invalid/a/../b";
    for (const target of ["http://up.invalid/a", odd]) {
      const response = await send(request(target));
      assert.equal(await response.text(), `${target} body`);
    }
    const far = { addresses: ["192.0.2.7"] };
    await (await send(request("http://up.invalid/", far))).text();
  });
  assert.deepEqual(proxy.heads.map((head) => head.split("\r\n")[0]), [
    "POST http://up.invalid/a HTTP/1.1",
    "POST http://up.invalid/a/../b HTTP/1.1",
    "CONNECT 192.0.2.7:80 HTTP/1.1",
  ]);
});

Deno.test("openTransport tunnels TLS through the proxy, pinned or not", async () => {
  await using up = serveOn(echo, { isTls: true });
  await using proxy = startHttpProxy(up.port);
  const httpProxy = `http://${HOST}:${proxy.port}`;
  await opened({ httpProxy }, async (send) => {
    for (const more of [{}, { addresses: ["192.0.2.7"] }]) {
      const response = await send(request("https://up.test/a", more));
      assert.equal(await response.text(), "https://up.test/a body");
    }
  });
  const lines = proxy.heads.map((head) => head.split("\r\n")[0]);
  assert.deepEqual(
    new Set(lines),
    new Set([
      "CONNECT up.test:443 HTTP/1.1",
      "CONNECT 192.0.2.7:443 HTTP/1.1",
    ]),
  );
});

Deno.test("openTransport follows no redirect, pinned or not", async () => {
  await using up = serveOn(() => Response.redirect("http://other.invalid/"));
  await opened({}, async (send) => {
    for (const more of [{}, { addresses: [HOST] }]) {
      const target = `http://localhost:${up.port}/`;
      const response = await send(request(target, more));
      assert.equal(response.status, 302);
      assert.equal(response.headers.get("location"), "http://other.invalid/");
      await response.body?.cancel();
    }
  });
});

Deno.test("openTransport sends again where nothing was sent, and names host and reason in the end", async () => {
  const port = closedPort();
  const refused = /\(connection refused\)/;
  const untrusted = /certificate not accepted.*SVC_CA_FILE/;
  await using tls = serveOn(echo, { isTls: true });
  const cases = [
    [`http://${HOST}:${port}/?key=s3cret`, {}, refused, true],
    [
      `http://up.invalid:${port}/`,
      { addresses: [HOST, "::1"] },
      /connection/,
      true,
    ],
    [`https://${HOST}:${tls.port}/`, { addresses: [HOST] }, untrusted, false],
    [`https://localhost:${tls.port}/`, {}, untrusted, false],
  ] as const;
  for (const [target, more, message, isUnsent] of cases) {
    await opened({ ca: undefined }, async (send) => {
      await assert.rejects(send(request(target, more)), (error) => {
        assert.ok(error instanceof UpstreamUnreachable);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        assert.equal(error.isUnsent, isUnsent, target);
        return true;
      });
    });
  }
});

Deno.test("openTransport says so when the proxy is down or refuses", async () => {
  await using proxy = startHttpProxy(0, {
    refusal: "HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n",
  });
  const targets = ["https://up.invalid/", "http://up.invalid/"];
  for (const target of targets) {
    for (const more of [{}, { addresses: ["192.0.2.7"] }]) {
      const refused = { httpProxy: `http://${HOST}:${proxy.port}` };
      await opened(
        refused,
        (send) =>
          assert.rejects(send(request(target, more)), {
            message:
              /through the proxy .*\(refused by the HTTP proxy\).*SVC_HTTP_PROXY/,
          }),
      );
      const down = { httpProxy: `http://me:secret@${HOST}:${closedPort()}` };
      await opened(
        down,
        (send) =>
          assert.rejects(send(request(target, more)), (error: Error) => {
            assert.match(
              error.message,
              /through the proxy 127\.0\.0\.1:\d+ \(connection refused\)/,
            );
            assert.doesNotMatch(error.message, /secret/);
            return true;
          }),
      );
    }
  }
});

Deno.test("openTransport gives an upstream up that does not answer, and closes its connection", async () => {
  for (const more of [{}, { addresses: [HOST] }]) {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using up = serveOn(({ signal }) =>
      new Promise((answer) => {
        arrived.resolve();
        signal.addEventListener("abort", () => {
          closed.resolve();
          answer(new Response());
        });
      })
    );
    const time = new FakeTime();
    await opened({}, async (send) => {
      const target = `http://localhost:${up.port}/`;
      const sent = assert.rejects(send(request(target, more)), UpstreamTimeout);
      await arrived.promise;
      await time.pass(OPTIONS.timeoutMs);
      await sent;
      await closed.promise;
    }, time);
    assert.equal(time.open, 0);
  }
});

Deno.test("openTransport breaks a silent body off and closes its connection, pinned or not", async () => {
  for (const more of [{}, { addresses: [HOST] }]) {
    const closed = Promise.withResolvers<void>();
    await using up = serveOn(() =>
      new Response(
        new ReadableStream({
          start: (to) => to.enqueue(new Uint8Array(1)),
          cancel: () => closed.resolve(),
        }),
      )
    );
    const time = new FakeTime();
    await opened({}, async (send) => {
      const target = `http://localhost:${up.port}/`;
      const { body } = await send(request(target, more));
      const reader = body!.getReader();
      await reader.read();
      const next = assert.rejects(reader.read(), UpstreamTimeout);
      await time.pass(OPTIONS.timeoutMs);
      await next;
      await closed.promise;
    }, time);
    assert.equal(time.open, 0);
  }
});

Deno.test("openTransport keeps to the number of requests under way", async () => {
  let open = 0;
  let most = 0;
  await using up = serveOn(() =>
    new Response(ReadableStream.from((async function* () {
      most = Math.max(most, ++open);
      for (let i = 0; i < 3; i++) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        yield new Uint8Array(10);
      }
      open--;
    })()))
  );
  await opened({ maxConnections: 2 }, async (send) => {
    const all = Array.from({ length: 12 }, async (_, i) => {
      const more = i % 2 === 0 ? {} : { addresses: [HOST] };
      const response = await send(
        request(`http://localhost:${up.port}/`, more),
      );
      return (await response.bytes()).length;
    });
    assert.deepEqual(await Promise.all(all), Array(12).fill(30));
  });
  assert.equal(most, 2);
});
