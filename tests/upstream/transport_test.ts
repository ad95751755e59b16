import assert from "node:assert/strict";
import {
  UpstreamTimeout,
  UpstreamUnreachable,
} from "../../src/upstream/failure.ts";
import type { UpstreamCall } from "../../src/core/upstream.ts";
import {
  type HttpClient,
  openHttpClient,
  openTransport,
  retrying,
  type TransportOptions,
  type TransportParts,
} from "../../src/upstream/transport.ts";
import { waitFor } from "../../src/upstream/wait.ts";
import { FakeTime } from "./fake_time.ts";
import { callTo, responseOf, sendingTo, textOf } from "./replies.ts";
import {
  AUTHORITY,
  closedPort,
  HOST,
  type Served,
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

const POOL = {
  ca: undefined,
  maxKeepalive: 100,
  keepaliveMs: 90_000,
  http2: true,
};
const hi = () => new Response("hi");

/** Opens a client for as long as `use` takes. */
async function withClient(
  options: Partial<TransportOptions> & { readonly proxy?: string },
  use: (client: HttpClient) => Promise<void>,
): Promise<void> {
  const client = openHttpClient({ ...POOL, ...options }, options.proxy);
  try {
    await use(client);
  } finally {
    client.close();
  }
}

const ask = async (url: string, { init }: HttpClient) =>
  await (await fetch(url, init)).text();
const at = ({ port }: Served) => `http://${HOST}:${port}/`;

Deno.test("openHttpClient uses one connection again and again", async () => {
  await using up = serveOn(hi);
  await withClient({}, async (client) => {
    for (let i = 0; i < 5; i++) await ask(at(up), client);
  });
  // A connection may come back to the pool a moment late.
  assert.ok(up.connections.size < 5, `${up.connections.size} connections`);
});

Deno.test("openHttpClient keeps no more idle connections than it is told to", async () => {
  for (const [maxKeepalive, atLeast] of [[0, 12], [2, 8], [4, 4]] as const) {
    let arrived = 0;
    let all = Promise.withResolvers<void>();
    // Answers when four are there: so that no connection is free for the next.
    await using up = serveOn(async () => {
      if (++arrived % 4 === 0) all.resolve();
      await all.promise;
      return hi();
    });
    await withClient({ maxKeepalive }, async (client) => {
      for (let round = 0; round < 3; round++) {
        all = Promise.withResolvers<void>();
        await Promise.all([1, 2, 3, 4].map(() => ask(at(up), client)));
      }
    });
    assert.ok(up.connections.size >= atLeast);
    assert.ok(maxKeepalive === 0 || up.connections.size < 12);
  }
});

Deno.test("openHttpClient keeps no connection that may be idle for no time", async () => {
  await using up = serveOn(hi);
  await withClient({ keepaliveMs: 0 }, async (client) => {
    for (let i = 0; i < 3; i++) await ask(at(up), client);
  });
  assert.equal(up.connections.size, 3);
});

Deno.test("openHttpClient sends through its proxy, with user and password", async () => {
  await using up = serveOn(({ url }) => new Response(url));
  await using server = startHttpProxy(up.port);
  const proxy = `http://us%40er:p%3Aw@${HOST}:${server.port}`;
  await withClient({ proxy }, async (client) => {
    assert.equal(
      await ask("http://up.invalid/a?b", client),
      "http://up.invalid/a?b",
    );
  });
  const [head] = server.heads;
  assert.match(head!, /^GET http:\/\/up\.invalid\/a\?b HTTP\/1\.1\r\n/);
  assert.ok(head!.includes(`Basic ${btoa("us@er:p:w")}\r\n`));
});

Deno.test("openHttpClient tunnels TLS through its proxy", async () => {
  await using up = serveOn(hi, { isTls: true });
  await using server = startHttpProxy(up.port);
  const proxy = `http://${HOST}:${server.port}`;
  await withClient({ proxy, ca: AUTHORITY }, async (client) => {
    assert.equal(await ask("https://up.test/", client), "hi");
  });
  assert.match(server.heads[0]!, /^CONNECT up\.test:443 HTTP\/1\.1\r\n/);
});

Deno.test("openHttpClient trusts a further authority only when it is told to", async () => {
  await using up = serveOn(hi, { isTls: true });
  const url = `https://localhost:${up.port}/`;
  await withClient({ ca: AUTHORITY }, async (client) => {
    assert.equal(await ask(url, client), "hi");
  });
  await withClient({}, async (client) => {
    await assert.rejects(ask(url, client), /fetch failed/);
  });
});

Deno.test("openHttpClient speaks HTTP/2 unless it is told not to", async () => {
  // HTTP/2 has no host field.
  await using up = serveOn(
    ({ headers }) => new Response(headers.has("host") ? "1" : "2"),
    { isTls: true },
  );
  for (const [http2, version] of [[true, "2"], [false, "1"]] as const) {
    await withClient({ http2, ca: AUTHORITY }, async (client) => {
      const url = `https://localhost:${up.port}/`;
      assert.equal(await ask(url, client), version);
    });
  }
});

Deno.test("openHttpClient lets a response end that is under way when it is closed", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using up = serveOn(() =>
    new Response(ReadableStream.from((async function* () {
      yield new Uint8Array([104]);
      await closed;
      yield new Uint8Array([105]);
    })()))
  );
  const client = openHttpClient(POOL);
  const response = await fetch(at(up), client.init);
  client.close();
  resolve();
  assert.equal(await response.text(), "hi");
});

const URL_ = "http://up.example/v1?key=s3cret";
const MAX_MS = 30_000;

type Step = () => Response;

const answer =
  (status: number, headers: Record<string, string> = {}): Step => () =>
    new Response("body", { status, headers });
const fails = (error: Error): Step => () => {
  throw error;
};
const unreachable = (isUnsent: boolean) =>
  fails(
    new UpstreamUnreachable("up.example", { reason: "refused", isUnsent }),
  );

/** Sends a request by a script. */
async function run(
  script: readonly Step[],
  parts: Partial<UpstreamCall> = {},
  maxAttempts = 3,
) {
  const waits: number[] = [];
  const bodies: string[] = [];
  const logged: unknown[] = [];
  const calls: UpstreamCall[] = [];
  const answered = sendingTo(async (request) => {
    const step = script[bodies.length]!;
    bodies.push(await request.text());
    return step();
  });
  const send = retrying(
    (call) => {
      calls.push(call);
      return answered(call);
    },
    {
      maxAttempts,
      retryBaseMs: 1000,
      retryMaxMs: MAX_MS,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      random: () => 0.5,
      clock: { now: () => Date.UTC(2015, 9, 21, 7, 28), monotonic: () => 0 },
      log: (...entry) => void logged.push(entry),
    },
  );
  const body = new TextEncoder().encode("body");
  const call = callTo(URL_, { method: "POST", body, ...parts });
  const outcome = await send(call).then(
    async (reply) => `${reply.status} ${await textOf(reply)}`,
    String,
  );
  return { outcome, waits, sent: bodies.length, bodies, calls, logged };
}

Deno.test("retrying sends once what is taken, and what is refused for good", async () => {
  for (const status of [200, 400, 401, 404, 408, 413, 500, 502, 503, 504]) {
    const { outcome, sent } = await run([answer(status)]);
    assert.deepEqual([outcome, sent], [`${status} body`, 1]);
  }
});

Deno.test("retrying sends again, whole, what was not taken or never arrived", async () => {
  for (const first of [answer(429), answer(529), unreachable(true)]) {
    const parts = { addresses: ["192.0.2.1"] };
    const { outcome, waits, bodies, calls } = await run(
      [first, answer(200)],
      parts,
    );
    assert.equal(outcome, "200 body");
    assert.equal(calls[1], calls[0]);
    assert.deepEqual(calls[1]?.addresses, parts.addresses);
    assert.deepEqual(waits, [1000]);
    assert.deepEqual(bodies, ["body", "body"]);
  }
});

Deno.test("retrying gives the last response as it is, or the last error", async () => {
  const busy = answer(529);
  const spent = await run([busy, answer(429), busy]);
  assert.equal(spent.outcome, "529 body");
  assert.deepEqual(spent.waits, [1000, 2000]);
  const lost = unreachable(true);
  const failed = await run([lost, lost, lost]);
  assert.match(failed.outcome, /Failed to connect to upstream API/);
  assert.equal(failed.sent, 3);
  assert.equal((await run([busy], {}, 1)).sent, 1);
});

Deno.test("retrying sends nothing twice that may have arrived", async () => {
  const timeout = new UpstreamTimeout("up.example", "response", 1);
  for (const step of [unreachable(false), fails(timeout), fails(new Error())]) {
    assert.equal((await run([step])).sent, 1);
  }
  assert.equal((await run([fails(timeout)], { isContinuation: true })).sent, 1);
});

Deno.test("retrying sends a stream once", async () => {
  const body = ReadableStream.from([new TextEncoder().encode("body")]);
  const { outcome, sent, bodies } = await run([answer(429)], { body });
  assert.deepEqual([outcome, sent, bodies], ["429 body", 1, ["body"]]);
  assert.equal((await run([answer(429), answer(200)], { body: null })).sent, 2);
});

Deno.test("retrying waits as long as it is asked to, and asks no more of one that wants too long", async () => {
  const wait = async (headers: Record<string, string>) => {
    const { waits, sent } = await run([answer(429, headers), answer(200)]);
    return sent === 1 ? "as it is" : waits[0];
  };
  const date = (text: string) => wait({ "retry-after": text });
  assert.equal(await wait({ "retry-after": "0" }), 0);
  assert.equal(await wait({ "retry-after": " 1.5 " }), 1500);
  assert.equal(await wait({ "retry-after": "30" }), MAX_MS);
  assert.equal(await wait({ "retry-after": "31" }), "as it is");
  assert.equal(
    await wait({ "retry-after-ms": "20", "retry-after": "1" }),
    20,
  );
  assert.equal(await date("Wed, 21 Oct 2015 07:28:07 GMT"), 7000);
  assert.equal(await date("Wed, 21 Oct 2015 07:27:00 GMT"), 0);
  assert.equal(await date("Wed, 21 Oct 2015 08:28:00 GMT"), "as it is");
  for (const odd of ["", "-1", "soon", "1e3", "Wed, 99 Oct 07:28:07"]) {
    assert.equal(await date(odd), 1000, odd);
  }
});

Deno.test("retrying obeys an upstream that forbids it", async () => {
  const forbidden = answer(429, { "x-should-retry": "false" });
  assert.equal((await run([forbidden])).sent, 1);
  const allowed = answer(429, { "x-should-retry": "true" });
  assert.equal((await run([allowed, answer(200)])).sent, 2);
});

Deno.test("retrying doubles the wait up to the longest, off by up to half", async () => {
  const waits: number[] = [];
  let random = 0;
  const send = retrying(
    sendingTo(() => new Response("", { status: 429 })),
    {
      maxAttempts: 7,
      retryBaseMs: 1000,
      retryMaxMs: 10_000,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      random: () => random = (random + 0.25) % 1,
      clock: { now: () => 0, monotonic: () => 0 },
    },
  );
  await send(callTo(URL_));
  assert.deepEqual(waits, [750, 2000, 5000, 4000, 10_000, 10_000]);
});

Deno.test("retrying tries a continuation again after whatever may pass", async () => {
  const parts = { isContinuation: true };
  const passing = [429, 500, 502, 503, 529].map((status) => answer(status));
  for (const first of [...passing, unreachable(true), unreachable(false)]) {
    const { outcome, sent } = await run([first, answer(200)], parts);
    assert.deepEqual([outcome, sent], ["200 body", 2]);
  }
  for (const status of [400, 401, 404, 413]) {
    assert.equal((await run([answer(status)], parts)).sent, 1);
  }
  const late = answer(503, { "retry-after": "3600" });
  assert.deepEqual((await run([late, answer(200)], parts)).waits, [MAX_MS]);
});

Deno.test("retrying cancels the response that it does not use", async () => {
  let cancelled = 0;
  const busy = () => {
    const body = new ReadableStream({ cancel: () => void cancelled++ });
    return new Response(body, { status: 429 });
  };
  await run([busy, answer(200)]);
  assert.equal(cancelled, 1);
});

Deno.test("retrying sends nothing again for a client that left, and ends its wait", async () => {
  const gone = new AbortController();
  let sent = 0;
  const options = {
    maxAttempts: 3,
    retryBaseMs: 1000,
    retryMaxMs: MAX_MS,
    random: () => 0,
    clock: { now: () => 0, monotonic: () => 0 },
  };
  const leaving = retrying(
    sendingTo(() => {
      sent++;
      return new Response("", { status: 429 });
    }),
    {
      ...options,
      wait: (_, signal) => {
        gone.abort(new Error("left"));
        return Promise.reject(signal.reason);
      },
    },
  );
  const { signal } = gone;
  await assert.rejects(leaving(callTo(URL_, { signal })), /left/);
  assert.equal(sent, 1);
  const left = retrying(() => {
    sent++;
    return Promise.reject(signal.reason);
  }, { ...options, wait: () => Promise.resolve() });
  await assert.rejects(left(callTo(URL_, { signal })), /left/);
  assert.equal(sent, 2);
});

Deno.test("retrying logs each retry with host and reason, and nothing else of the URL", async () => {
  const { logged } = await run([answer(529), unreachable(true), answer(200)]);
  assert.deepEqual(logged, [
    ["info", "upstream_retry", {
      host: "up.example",
      reason: "529",
      attempt: 2,
      wait_ms: 1000,
    }],
    ["info", "upstream_retry", {
      host: "up.example",
      reason: "refused",
      attempt: 3,
      wait_ms: 2000,
    }],
  ]);
});
