import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { notFound } from "../../../src/proxy/errors.ts";
import {
  isTrustedCaller,
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
