import assert from "node:assert/strict";
import {
  type ConnectOptions,
  endpointOf,
  openConnection,
  openProxy,
  proxyAuthorization,
} from "../../src/upstream/connect.ts";
import { ConnectFailure } from "../../src/upstream/failure.ts";
import { waitFor } from "../../src/upstream/wait.ts";
import {
  AUTHORITY,
  closedPort,
  HOST,
  serveOn,
  startHttpProxy,
} from "./servers.ts";

const signal = new AbortController().signal;
const never = () => new Promise<void>(() => {});
const options: ConnectOptions = { signal, wait: waitFor };
const hi = () => new Response("hi");

/** Rejects with a {@linkcode ConnectFailure} whose message matches. */
async function fails(
  pending: Promise<unknown>,
  message: RegExp,
): Promise<void> {
  await assert.rejects(pending, (error) => {
    assert.ok(error instanceof ConnectFailure);
    assert.match(error.message, message);
    return true;
  });
}

Deno.test("openConnection connects to a given address, whatever the name", async () => {
  await using up = serveOn(hi);
  const to = { hostname: "up.test", port: up.port, isTls: false };
  const socket = await openConnection(to, { ...options, addresses: [HOST] });
  assert.equal(socket.remoteAddress, HOST);
  assert.equal(socket.remotePort, up.port);
  socket.destroy();
  await fails(openConnection(to, { ...options, addresses: [] }), /no address/);
});

Deno.test("openConnection tries the next address when one refuses", async () => {
  await using up = serveOn(hi);
  const to = { hostname: "up.test", port: up.port, isTls: false };
  // Nobody listens on the first.
  const addresses = ["::1", HOST];
  const socket = await openConnection(to, { ...options, addresses });
  assert.equal(socket.remoteAddress, HOST);
  socket.destroy();
});

Deno.test("openConnection gives an address up that does not answer in ten seconds", async () => {
  const waits: number[] = [];
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  const to = { hostname: "up.test", port: listener.addr.port, isTls: true };
  // The listener never answers the handshake; the clock of the test runs fast.
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  const addresses = [HOST, HOST];
  await fails(openConnection(to, { signal, wait, addresses }), /timed out/);
  assert.deepEqual(waits, [10_000, 10_000]);
  listener.close();
});

Deno.test("openConnection checks the certificate against the name, not against the address", async () => {
  await using up = serveOn(hi, { isTls: true });
  const known = { ...options, addresses: [HOST], ca: AUTHORITY };
  const to = (hostname: string) => ({ hostname, port: up.port, isTls: true });
  const socket = await openConnection(to("up.test"), known);
  socket.destroy();
  const byAddress = await openConnection(to(HOST), known);
  byAddress.destroy();
  await fails(openConnection(to("other.test"), known), /altnames/);
});

Deno.test("openConnection trusts a further authority only when it is told to", async () => {
  await using up = serveOn(hi, { isTls: true });
  const to = { hostname: "localhost", port: up.port, isTls: true };
  const pinned = { ...options, addresses: [HOST] };
  await fails(openConnection(to, pinned), /certificate/);
  const socket = await openConnection(to, { ...pinned, ca: AUTHORITY });
  socket.destroy();
});

Deno.test("openConnection has the proxy connect to the address, with its user and password", async () => {
  await using up = serveOn(hi, { isTls: true });
  await using proxy = startHttpProxy(up.port);
  const to = { hostname: "up.test", port: 443, isTls: true };
  const through = {
    ...options,
    proxy: new URL(`http://us%40er:p%3Aw%C3%A9@${HOST}:${proxy.port}`),
    ca: AUTHORITY,
  };
  const pinned = ["192.0.2.7", "2001:db8::7"].map(async (address) => {
    const addresses = [address];
    (await openConnection(to, { ...through, addresses })).destroy();
  });
  await Promise.all(pinned);
  (await openConnection(to, through)).destroy();
  const lines = proxy.heads.map((head) => head.split("\r\n")[0]);
  assert.deepEqual(
    new Set(lines),
    new Set([
      "CONNECT 192.0.2.7:443 HTTP/1.1",
      "CONNECT [2001:db8::7]:443 HTTP/1.1",
      "CONNECT up.test:443 HTTP/1.1",
    ]),
  );
  const basic = btoa(
    String.fromCharCode(...new TextEncoder().encode("us@er:p:wé")),
  );
  for (const head of proxy.heads) {
    assert.ok(head.includes(`proxy-authorization: Basic ${basic}\r\n`), head);
  }
});

Deno.test("openConnection fails when the proxy refuses, is no proxy or is not there", async () => {
  const to = { hostname: "up.test", port: 443, isTls: true };
  for (
    const [refusal, message] of [
      ["HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n", /tunnel error.*407/],
      ["HTTP/1.1 403 No\r\nconnection: close\r\n\r\n", /tunnel error.*403/],
      ["nonsense\r\n\r\n", /./],
      ["", /./],
    ] as const
  ) {
    await using server = startHttpProxy(0, { refusal });
    const proxy = new URL(`http://${HOST}:${server.port}`);
    await fails(openConnection(to, { ...options, proxy }), message);
  }
  const proxy = new URL(`http://${HOST}:${closedPort()}`);
  await fails(openConnection(to, { ...options, proxy }), /REFUSED/);
});

Deno.test("openProxy speaks TLS to a proxy with https", async () => {
  await using up = serveOn(hi, { isTls: true });
  const proxy = new URL(`https://localhost:${up.port}`);
  const socket = await openProxy(proxy, { ...options, ca: AUTHORITY });
  socket.destroy();
  await fails(openProxy(proxy, options), /certificate/);
});

Deno.test("openConnection ends with the signal's reason, before and while it connects", async () => {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  const to = { hostname: HOST, port: listener.addr.port, isTls: true };
  const gone = new AbortController();
  const connected = listener.accept();
  const pending = openConnection(to, { signal: gone.signal, wait: never });
  const connection = await connected;
  gone.abort(new Error("left"));
  await assert.rejects(pending, /left/);
  await assert.rejects(
    openConnection(to, { signal: gone.signal, wait: never }),
    /left/,
  );
  connection.close();
  listener.close();
});

Deno.test("endpointOf gives scheme ports, and IPv6 addresses without brackets", () => {
  assert.deepEqual(endpointOf(new URL("https://up.test/a")), {
    hostname: "up.test",
    port: 443,
    isTls: true,
  });
  assert.deepEqual(endpointOf(new URL("http://[::1]/")), {
    hostname: "::1",
    port: 80,
    isTls: false,
  });
  assert.equal(endpointOf(new URL("http://a:8080")).port, 8080);
});

Deno.test("proxyAuthorization is nothing for a proxy without a user", () => {
  assert.equal(proxyAuthorization(new URL("http://proxy:3128")), undefined);
  assert.equal(
    proxyAuthorization(new URL("http://u@proxy:3128")),
    `Basic ${btoa("u:")}`,
  );
});

Deno.test("openConnection goes to this machine itself, to the other addresses through the proxy", async () => {
  await using up = serveOn(hi);
  await using server = startHttpProxy(up.port);
  const to = { hostname: "up.test", port: closedPort(), isTls: false };
  const proxy = new URL(`http://${HOST}:${server.port}`);
  const addresses = [HOST, "::1", "192.0.2.7"];
  const socket = await openConnection(to, { ...options, proxy, addresses });
  socket.destroy();
  const lines = server.heads.map((head) => head.split(" ")[1]);
  assert.deepEqual(lines, [`192.0.2.7:${to.port}`]);
});
