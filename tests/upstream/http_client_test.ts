import assert from "node:assert/strict";
import {
  type ClientOptions,
  type HttpClient,
  openHttpClient,
} from "../../src/upstream/http_client.ts";
import {
  AUTHORITY,
  HOST,
  type Served,
  serveOn,
  startHttpProxy,
} from "./servers.ts";

const POOL: ClientOptions = {
  maxKeepalive: 100,
  keepaliveMs: 90_000,
  http2: true,
};
const hi = () => new Response("hi");

/** Opens a client for as long as `use` takes. */
async function withClient(
  options: Partial<ClientOptions>,
  use: (client: HttpClient) => Promise<void>,
): Promise<void> {
  const client = openHttpClient({ ...POOL, ...options });
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
