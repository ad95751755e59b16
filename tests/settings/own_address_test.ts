import assert from "node:assert/strict";
import { refuseOwnAddress } from "../../src/settings/own_address.ts";

const NAMES = ["box", "192.168.1.2", "fe80::2"];

/** Whether `url` is refused as chat upstream of a proxy on `host` and port 8904. */
function isRefused(url: string, host = "127.0.0.1"): boolean {
  const env = { CHAT_TARGET_API_URL: url };
  try {
    refuseOwnAddress({ env }, { host, port: 8904, names: NAMES });
    return false;
  } catch (error) {
    assert(error instanceof RangeError);
    return true;
  }
}

Deno.test("refuseOwnAddress names variable or flag, value and reason", () => {
  const own = { host: "127.0.0.1", port: 8904, names: NAMES };
  const url = "http://127.0.0.1:8904";
  assert.throws(
    () => refuseOwnAddress({ env: { CHAT_TARGET_API_URL: url } }, own),
    {
      message:
        `Cannot use CHAT_TARGET_API_URL="${url}": must be another address than 127.0.0.1 port 8904: svc itself listens there, and its requests would go round in a circle`,
    },
  );
  const flags = { "msg-api-url": url };
  assert.throws(
    () => refuseOwnAddress({ flags, env: {} }, own),
    /^RangeError: Cannot use --msg-api-url=/,
  );
});

Deno.test("refuseOwnAddress knows every way to write this machine", () => {
  const loopback = ["localhost", "LOCALHOST.", "a.localhost", "127.1", "[::1]"];
  const urls = [...loopback, "127.0.0.2", "0.0.0.0", "[::]", "[::ffff:7f00:1]"]
    .map((host) => `http://${host}:8904/x`);
  for (const host of ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"]) {
    for (const url of urls) assert.ok(isRefused(url, host), `${url} ${host}`);
  }
});

Deno.test("refuseOwnAddress refuses the bound host and, when all addresses are bound, each of them", () => {
  assert.ok(isRefused("http://192.168.1.2:8904", "192.168.1.2"));
  assert.ok(isRefused("http://Proxy.local:8904", "proxy.local"));
  for (const host of ["box", "192.168.1.2", "[fe80::2]"]) {
    assert.ok(isRefused(`http://${host}:8904`, "0.0.0.0"), host);
    assert.ok(!isRefused(`http://${host}:8904`, "127.0.0.1"), host);
  }
});

Deno.test("refuseOwnAddress allows other ports, other machines, and what nobody set", () => {
  assert.ok(!isRefused("http://127.0.0.1:8905"));
  assert.ok(!isRefused("http://127.0.0.1"));
  assert.ok(!isRefused("http://192.168.1.9:8904", "0.0.0.0"));
  assert.ok(!isRefused("http://127.0.0.1:8904", "192.168.1.2"));
  refuseOwnAddress({ env: {} }, { host: "127.0.0.1", port: 443, names: [] });
});

Deno.test("refuseOwnAddress knows the ports that a URL leaves out", () => {
  const refused = (url: string, port: number) =>
    assert.throws(() =>
      refuseOwnAddress({ env: { MSG_TARGET_API_URL: url } }, {
        host: "localhost",
        port,
        names: [],
      }), RangeError);
  refused("http://localhost", 80);
  refused("https://localhost", 443);
});
