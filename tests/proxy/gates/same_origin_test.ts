import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { requireSameOrigin } from "../../../src/proxy/gates/same_origin.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

let changes = 0;
const app = new Hono<ProxyEnv>();
app.use("*", requireSameOrigin());
app.post("/change", (c) => {
  changes++;
  return c.text("done");
});

async function post(headers: Record<string, string>): Promise<Response> {
  return await app.request("http://proxy/change", { method: "POST", headers });
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
