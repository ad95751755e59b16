import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import {
  callerIn,
  callerOf,
  isTrusted,
  NOBODY,
  nonLocalReason,
} from "../../../src/proxy/gates/caller.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const GATEWAYS = parseNetworks("SVC_X", "127.0.0.1,10.0.0.0/24,fd00::/64");
const CLIENTS = parseNetworks("SVC_X", "192.168.1.0/24");
const TRUST = { gateways: GATEWAYS, clients: CLIENTS };
const LOCAL = "127.0.0.1:8787";

function called(
  peer: string | undefined,
  fields: Record<string, string> = {},
) {
  const headers = { host: LOCAL, ...fields };
  return callerOf(
    new Request("http://127.0.0.1:8787/x", { headers }),
    { address: peer },
    TRUST,
  );
}

for (
  const [peer, forwarded, expected] of [
    // From strangers nothing is believed.
    ["203.0.113.9", "127.0.0.1", "203.0.113.9"],
    ["127.0.0.2", "203.0.113.9", "127.0.0.2"],
    [undefined, "127.0.0.1", undefined],
    ["unix", "127.0.0.1", undefined],
    // A gateway on this machine forwards for others.
    ["127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.7", "::ffff:203.0.113.9", "203.0.113.9"],
    ["fd00::1", "2001:db8::5", "2001:db8::5"],
    // What the client invented stands to the left.
    ["127.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
    ["127.0.0.1", "garbage, 203.0.113.9", "203.0.113.9"],
    ["10.0.0.7", "127.0.0.1, 203.0.113.9, 10.0.0.8", "203.0.113.9"],
    // All of them gateways: the first one began.
    ["10.0.0.7", "127.0.0.1", "127.0.0.1"],
    ["10.0.0.7", "10.0.0.9, 10.0.0.8", "10.0.0.9"],
    // Ports.
    ["10.0.0.7", "203.0.113.9:4711", "203.0.113.9"],
    ["10.0.0.7", "[2001:db8::5]:4711", "2001:db8::5"],
    ["10.0.0.7", "[2001:db8::5]", "2001:db8::5"],
    // What cannot be read makes the caller unknown, never the gateway.
    ["127.0.0.1", "", undefined],
    ["127.0.0.1", "unknown", undefined],
    ["127.0.0.1", "203.0.113.9,", undefined],
    ["127.0.0.1", "127.1", undefined],
    ["127.0.0.1", "203.0.113.9, localhost", undefined],
    ["127.0.0.1", "garbage, 127.0.0.1", undefined],
  ] as const
) {
  Deno.test(`callerOf finds ${expected} behind ${peer} that forwards "${forwarded}"`, () => {
    const { address } = called(peer, { "x-forwarded-for": forwarded });
    assert.equal(address, expected);
  });
}

Deno.test("callerOf takes a gateway that forwards for nobody as the caller", () => {
  assert.equal(called("127.0.0.1").address, "127.0.0.1");
  assert.equal(called("10.0.0.7").address, "10.0.0.7");
});

Deno.test("callerOf believes X-Forwarded-Host and -Proto of gateways only, the rightmost value", () => {
  const fields = {
    "x-forwarded-host": "invented.example, svc.lan:444",
    "x-forwarded-proto": "http, HTTPS",
  };
  const direct = called("203.0.113.9", fields);
  assert.deepEqual(direct.hosts, [LOCAL]);
  assert.equal(direct.origin, "http://127.0.0.1:8787");
  const behind = called("10.0.0.7", fields);
  assert.deepEqual(behind.hosts, [LOCAL, "invented.example", "svc.lan:444"]);
  assert.equal(behind.origin, "https://svc.lan:444");
  const odd = called("10.0.0.7", { "x-forwarded-proto": "gopher" });
  assert.equal(odd.origin, "http://127.0.0.1:8787");
});

Deno.test("callerOf has no origin for a host that is missing or malformed", () => {
  assert.equal(called("127.0.0.2", { host: "a b" }).origin, undefined);
  const bare = callerOf(new Request("http://x/"), undefined, NOBODY);
  assert.deepEqual(bare, {
    address: undefined,
    hosts: [""],
    origin: undefined,
  });
});

Deno.test("nonLocalReason finds a page behind a rebound name also when it names loopback in a forwarded field", () => {
  const page = {
    host: "evil.example:8787",
    "x-forwarded-host": "localhost",
    "x-forwarded-for": "127.0.0.1",
  };
  assert.equal(
    nonLocalReason(called("127.0.0.1", page)),
    "host_header_not_loopback",
  );
  assert.equal(nonLocalReason(called("127.0.0.1")), undefined);
  assert.equal(
    nonLocalReason(called("127.0.0.1", { "x-forwarded-for": "203.0.113.9" })),
    "client_not_loopback",
  );
});

Deno.test("isTrusted wants a trusted address and a host that cannot be rebound", () => {
  const trusted = (peer: string, fields: Record<string, string>) =>
    isTrusted(called(peer, fields), TRUST);
  assert.equal(trusted("192.168.1.5", { host: "192.168.1.1:8787" }), true);
  assert.equal(trusted("::ffff:192.168.1.5", { host: "[fd00::9]" }), true);
  assert.equal(trusted("192.168.1.5", { host: "evil.example" }), false);
  assert.equal(
    trusted("192.168.1.5", { host: "192.168.1.1.evil.example" }),
    false,
  );
  assert.equal(trusted("192.168.2.5", { host: "192.168.1.1" }), false);
  const behind = { host: LOCAL, "x-forwarded-for": "192.168.1.5" };
  assert.equal(trusted("10.0.0.7", behind), true);
  assert.equal(
    trusted("10.0.0.7", { ...behind, "x-forwarded-host": "evil.example" }),
    false,
  );
  assert.equal(trusted("203.0.113.9", behind), false);
  assert.equal(isTrusted(called("192.168.1.5"), NOBODY), false);
});

Deno.test("callerIn knows nobody where no server bound a peer", async () => {
  const app = new Hono<ProxyEnv>().get(
    "/",
    (c) => c.json({ said: callerIn(c, TRUST).address ?? "nobody" }),
  );
  assert.deepEqual(await (await app.request("/")).json(), { said: "nobody" });
});
