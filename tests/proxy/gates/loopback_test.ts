import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { notFound } from "../../../src/proxy/errors.ts";
import { requireLoopback } from "../../../src/proxy/gates/loopback.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const logged: unknown[] = [];
const app = new Hono<ProxyEnv>();
app.use("/guarded", requireLoopback((...entry) => logged.push(entry)));
app.get("/guarded", (c) => c.text("inside"));
app.notFound(() => notFound());

function get(
  path: string,
  address: string | undefined,
  host: string | undefined,
): Response | Promise<Response> {
  const headers: Record<string, string> = host === undefined ? {} : { host };
  return app.request(path, { headers }, { peer: { address } });
}

for (
  const [address, host] of [
    ["127.0.0.1", "127.0.0.1:8787"],
    ["127.9.9.9", "LOCALHOST:8787"],
    ["::1", "[::1]:8787"],
    ["::ffff:127.0.0.1", "localhost"],
    ["::ffff:7f00:1", "[::ffff:127.0.0.1]"],
    ["127.0.0.1", "[0:0:0:0:0:0:0:1]"],
  ]
) {
  Deno.test(`requireLoopback lets ${address} in with Host ${host}`, async () => {
    const response = await get("/guarded", address, host);
    assert.equal(await response.text(), "inside");
  });
}

for (
  const [address, host, reason] of [
    ["192.168.1.5", "localhost", "client_not_loopback"],
    ["::ffff:10.0.0.1", "localhost", "client_not_loopback"],
    [undefined, "localhost", "client_not_loopback"],
    ["127.1", "localhost", "client_not_loopback"],
    ["localhost", "localhost", "client_not_loopback"],
    ["127.0.0.1", undefined, "host_header_not_loopback"],
    ["127.0.0.1", "evil.example", "host_header_not_loopback"],
    ["127.0.0.1", "127.0.0.1.evil.example", "host_header_not_loopback"],
    ["127.0.0.1", "localhost@evil.example", "host_header_not_loopback"],
    ["127.0.0.1", "[::1", "host_header_not_loopback"],
    ["127.0.0.1", "::1", "host_header_not_loopback"],
    ["127.0.0.1", "[127.0.0.1]", "host_header_not_loopback"],
    ["127.0.0.1", "[::1]x", "host_header_not_loopback"],
    ["127.0.0.1", "localhost:80:80", "host_header_not_loopback"],
    ["127.0.0.1", "localhost:", "host_header_not_loopback"],
    ["127.0.0.1", "2130706433", "host_header_not_loopback"],
    ["127.0.0.1", "0.0.0.0", "host_header_not_loopback"],
    ["127.0.0.1", "192.168.1.5:8787", "host_header_not_loopback"],
  ]
) {
  Deno.test(`requireLoopback answers ${address} with Host ${host} like an unknown route`, async () => {
    logged.length = 0;
    const refused = await get("/guarded", address, host);
    const unknown = await get("/nothing-here", address, host);
    assert.equal(refused.status, unknown.status);
    assert.deepEqual([...refused.headers], [...unknown.headers]);
    assert.equal(await refused.text(), await unknown.text());
    assert.deepEqual(logged, [
      ["warn", "loopback_gate_refused", { path: "/guarded", reason }],
    ]);
  });
}

Deno.test("requireLoopback refuses when the server bound no peer", async () => {
  const response = await app.request("/guarded", {
    headers: { host: "localhost" },
  });
  assert.equal(response.status, 404);
});

Deno.test("requireLoopback takes the client of a gateway on this machine for what it is", async () => {
  const trust = {
    gateways: parseNetworks("SVC_X", "127.0.0.1"),
    clients: parseNetworks("SVC_X", "192.168.0.0/16"),
  };
  const behind = new Hono<ProxyEnv>();
  behind.get("/", requireLoopback(() => {}, trust), (c) => c.text("inside"));
  const ask = async (fields: Record<string, string>) => {
    const headers = { host: "127.0.0.1:8787", ...fields };
    const peer = { address: "127.0.0.1" };
    return (await behind.request("/", { headers }, { peer })).status;
  };
  assert.equal(await ask({}), 200);
  assert.equal(await ask({ "x-forwarded-for": "127.0.0.1" }), 200);
  assert.equal(await ask({ "x-forwarded-for": "203.0.113.9" }), 404);
  assert.equal(await ask({ "x-forwarded-for": "192.168.0.1" }), 404);
  assert.equal(await ask({ "x-forwarded-for": "nonsense" }), 404);
  assert.equal(await ask({ "x-forwarded-host": "svc.lan" }), 404);
});
