import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { notFound } from "../../../src/proxy/errors.ts";
import {
  isTrustedCaller,
  requireLoopback,
  requireSameOrigin,
  requireTrusted,
} from "../../../src/proxy/gates/trusted.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const trust = {
  gateways: [],
  clients: parseNetworks("SVC_X", "192.168.1.0/24,fd00::/8"),
};
const logged: unknown[] = [];
const app = new Hono<ProxyEnv>();
app.get(
  "/guarded",
  requireTrusted((...entry) => void logged.push(entry), trust),
  (c) => c.text("inside"),
);
app.get("/open", (c) => c.json(isTrustedCaller(c, trust)));
app.get("/default", (c) => c.json(isTrustedCaller(c)));
app.notFound(() => notFound());

const get = async (path: string, address: string | undefined, host: string) =>
  await app.request(path, { headers: { host } }, { peer: { address } });

for (
  const [address, host] of [
    ["127.0.0.1", "localhost:8787"],
    ["192.168.1.7", "192.168.1.1:8787"],
    ["::ffff:192.168.1.7", "192.168.1.1"],
    ["fd00::7", "[fd00::1]:8787"],
  ] as const
) {
  Deno.test(`requireTrusted lets ${address} in with Host ${host}`, async () => {
    assert.equal(await (await get("/guarded", address, host)).text(), "inside");
    assert.equal(await (await get("/open", address, host)).json(), true);
  });
}

for (
  const [address, host, reason] of [
    ["192.168.1.7", "svc.lan", "client_not_loopback"],
    ["192.168.2.7", "192.168.1.1", "client_not_loopback"],
    ["127.0.0.1", "svc.lan", "host_header_not_loopback"],
    [undefined, "localhost", "client_not_loopback"],
  ] as const
) {
  Deno.test(`requireTrusted answers ${address} with Host ${host} like an unknown route`, async () => {
    logged.length = 0;
    const refused = await get("/guarded", address, host);
    const unknown = await get("/nothing-here", address, host);
    assert.equal(refused.status, 404);
    assert.deepEqual([...refused.headers], [...unknown.headers]);
    assert.equal(await refused.text(), await unknown.text());
    assert.deepEqual(logged, [
      ["warn", "trusted_gate_refused", { path: "/guarded", reason }],
    ]);
    assert.equal(await (await get("/open", address, host)).json(), false);
  });
}

Deno.test("isTrustedCaller trusts this machine only, unless told otherwise", async () => {
  const said = async (address: string, host: string) =>
    await (await get("/default", address, host)).json();
  assert.equal(await said("127.0.0.1", "127.0.0.1"), true);
  assert.equal(await said("192.168.1.7", "192.168.1.1"), false);
});

const guardLogged: unknown[] = [];
const guarded = new Hono<ProxyEnv>();
guarded.use("/guarded", requireLoopback((...entry) => guardLogged.push(entry)));
guarded.get("/guarded", (c) => c.text("inside"));
guarded.notFound(() => notFound());

function getGuarded(
  path: string,
  address: string | undefined,
  host: string | undefined,
): Response | Promise<Response> {
  const headers: Record<string, string> = host === undefined ? {} : { host };
  return guarded.request(path, { headers }, { peer: { address } });
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
    const response = await getGuarded("/guarded", address, host);
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
    guardLogged.length = 0;
    const refused = await getGuarded("/guarded", address, host);
    const unknown = await getGuarded("/nothing-here", address, host);
    assert.equal(refused.status, unknown.status);
    assert.deepEqual([...refused.headers], [...unknown.headers]);
    assert.equal(await refused.text(), await unknown.text());
    assert.deepEqual(guardLogged, [
      ["warn", "loopback_gate_refused", { path: "/guarded", reason }],
    ]);
  });
}

Deno.test("requireLoopback refuses when the server bound no peer", async () => {
  const response = await guarded.request("/guarded", {
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

let changes = 0;
const sameOrigin = new Hono<ProxyEnv>();
sameOrigin.use("*", requireSameOrigin());
sameOrigin.post("/change", (c) => {
  changes++;
  return c.text("done");
});

async function post(headers: Record<string, string>): Promise<Response> {
  return await sameOrigin.request("http://proxy/change", {
    method: "POST",
    headers,
  });
}

for (
  const headers of [
    { host: "127.0.0.1:8787" },
    { host: "127.0.0.1:8787", origin: "http://127.0.0.1:8787" },
    { host: "LocalHost:8787", origin: "http://localhost:8787" },
    { host: "localhost", origin: "http://localhost" },
    { host: "localhost:80", origin: "http://localhost" },
    { host: "[::1]:8787", origin: "http://[::1]:8787" },
    { host: "127.0.0.1:8787", "sec-fetch-site": "same-origin" },
    { host: "127.0.0.1:8787", "sec-fetch-site": "none" },
  ]
) {
  Deno.test(`requireSameOrigin passes ${JSON.stringify(headers)}`, async () => {
    assert.equal(await (await post(headers)).text(), "done");
  });
}

for (
  const headers of [
    { host: "127.0.0.1:8787", origin: "null" },
    { host: "127.0.0.1:8787", origin: "" },
    { host: "127.0.0.1:8787", origin: "http://evil.example" },
    { host: "127.0.0.1:8787", origin: "http://127.0.0.1:3000" },
    { host: "127.0.0.1:8787", origin: "https://127.0.0.1:8787" },
    { host: "127.0.0.1:8787", origin: "http://localhost:8787" },
    { host: "bad host", origin: "http://bad host" },
    { origin: "http://127.0.0.1:8787" },
    { host: "127.0.0.1:8787", "sec-fetch-site": "cross-site" },
    { host: "127.0.0.1:8787", "sec-fetch-site": "same-site" },
  ]
) {
  Deno.test(`requireSameOrigin refuses ${JSON.stringify(headers)}`, async () => {
    const before = changes;
    const response = await post(headers as Record<string, string>);
    assert.equal(response.status, 403);
    assert.deepEqual(await response.json(), {
      detail: "cross-origin request rejected",
    });
    assert.equal(changes, before);
  });
}

Deno.test("requireSameOrigin knows the origin that a gateway forwards", async () => {
  const trust = {
    gateways: parseNetworks("SVC_X", "10.0.0.1"),
    clients: [],
  };
  const behind = new Hono<ProxyEnv>();
  behind.post("/", requireSameOrigin(trust), (c) => c.text("done"));
  const ask = async (address: string, origin: string) => {
    const headers = {
      host: "127.0.0.1:8787",
      origin,
      "x-forwarded-host": "svc.lan",
      "x-forwarded-proto": "https",
    };
    const init = { method: "POST", headers };
    return (await behind.request("/", init, { peer: { address } })).status;
  };
  assert.equal(await ask("10.0.0.1", "https://svc.lan"), 200);
  assert.equal(await ask("10.0.0.1", "http://svc.lan"), 403);
  assert.equal(await ask("10.0.0.1", "http://127.0.0.1:8787"), 403);
  assert.equal(await ask("10.0.0.2", "https://svc.lan"), 403);
  assert.equal(await ask("10.0.0.2", "http://127.0.0.1:8787"), 200);
});
