import assert from "node:assert/strict";
import { Hono, type MiddlewareHandler } from "hono";
import type { Log } from "../../../src/core/log.ts";
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
/** Routes behind a gate, and what it logged. */
function guardedBy(make: (log: Log) => MiddlewareHandler<ProxyEnv>) {
  const logged: unknown[] = [];
  const app = new Hono<ProxyEnv>();
  const gate = make((...entry) => void logged.push(entry));
  app.get("/guarded", gate, (c) => c.text("inside"));
  app.get("/open", (c) => c.json(isTrustedCaller(c, trust)));
  app.get("/default", (c) => c.json(isTrustedCaller(c)));
  app.notFound(() => notFound());
  const get = async (path: string, address?: string, host?: string) => {
    const headers = new Headers(host === undefined ? {} : { host });
    return await app.request(path, { headers }, { peer: { address } });
  };
  return { app, logged, get };
}
const trusted = guardedBy((log) => requireTrusted(log, trust));
const loopback = guardedBy(requireLoopback);

for (
  const [address, host] of [
    ["127.0.0.1", "localhost:8787"],
    ["192.168.1.7", "192.168.1.1:8787"],
    ["::ffff:192.168.1.7", "192.168.1.1"],
    ["fd00::7", "[fd00::1]:8787"],
  ] as const
) {
  Deno.test(`requireTrusted lets ${address} in with Host ${host}`, async () => {
    const { get } = trusted;
    assert.equal(await (await get("/guarded", address, host)).text(), "inside");
    assert.equal(await (await get("/open", address, host)).json(), true);
  });
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
    const response = await loopback.get("/guarded", address, host);
    assert.equal(await response.text(), "inside");
  });
}

const STRANGER = "client_not_loopback";
const FOREIGN = "host_header_not_loopback";
for (
  const [gate, address, host, reason] of [
    ["trusted", "192.168.1.7", "svc.lan", STRANGER],
    ["trusted", "192.168.2.7", "192.168.1.1", STRANGER],
    ["trusted", "127.0.0.1", "svc.lan", FOREIGN],
    ["trusted", undefined, "localhost", STRANGER],
    ["loopback", "192.168.1.5", "localhost", STRANGER],
    ["loopback", "::ffff:10.0.0.1", "localhost", STRANGER],
    ["loopback", undefined, "localhost", STRANGER],
    ["loopback", "127.1", "localhost", STRANGER],
    ["loopback", "localhost", "localhost", STRANGER],
    ["loopback", "127.0.0.1", undefined, FOREIGN],
    ["loopback", "127.0.0.1", "evil.example", FOREIGN],
    ["loopback", "127.0.0.1", "127.0.0.1.evil.example", FOREIGN],
    ["loopback", "127.0.0.1", "localhost@evil.example", FOREIGN],
    ["loopback", "127.0.0.1", "[::1", FOREIGN],
    ["loopback", "127.0.0.1", "::1", FOREIGN],
    ["loopback", "127.0.0.1", "[127.0.0.1]", FOREIGN],
    ["loopback", "127.0.0.1", "[::1]x", FOREIGN],
    ["loopback", "127.0.0.1", "localhost:80:80", FOREIGN],
    ["loopback", "127.0.0.1", "localhost:", FOREIGN],
    ["loopback", "127.0.0.1", "2130706433", FOREIGN],
    ["loopback", "127.0.0.1", "0.0.0.0", FOREIGN],
    ["loopback", "127.0.0.1", "192.168.1.5:8787", FOREIGN],
  ] as const
) {
  Deno.test(`the ${gate} gate answers ${address} with Host ${host} like an unknown route`, async () => {
    const { get, logged } = gate === "trusted" ? trusted : loopback;
    logged.length = 0;
    const refused = await get("/guarded", address, host);
    const unknown = await get("/nothing-here", address, host);
    assert.equal(refused.status, 404);
    assert.deepEqual([...refused.headers], [...unknown.headers]);
    assert.equal(await refused.text(), await unknown.text());
    assert.deepEqual(logged, [
      ["warn", `${gate}_gate_refused`, { path: "/guarded", reason }],
    ]);
    if (gate === "loopback") return;
    assert.equal(await (await get("/open", address, host)).json(), false);
  });
}

Deno.test("isTrustedCaller trusts this machine only, unless told otherwise", async () => {
  const said = async (address: string, host: string) =>
    await (await trusted.get("/default", address, host)).json();
  assert.equal(await said("127.0.0.1", "127.0.0.1"), true);
  assert.equal(await said("192.168.1.7", "192.168.1.1"), false);
});

Deno.test("requireLoopback refuses when the server bound no peer", async () => {
  const response = await loopback.app.request("/guarded", {
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
