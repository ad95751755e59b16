import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isFixedHost,
  isInRanges,
  isLoopbackAddress,
  namesLoopback,
  normalAddress,
} from "../../../src/proxy/gates/addresses.ts";
import { parseNetworks } from "../../../src/settings/network_list.ts";

const ranges = (list: string) => parseNetworks("SVC_X", list);

Deno.test("normalAddress turns mapped IPv4 into IPv4 and takes full literals only", () => {
  assert.equal(normalAddress("::ffff:10.0.0.1"), "10.0.0.1");
  assert.equal(normalAddress("::FFFF:a00:1"), "10.0.0.1");
  assert.equal(normalAddress("2001:DB8:0::1"), "2001:db8::1");
  for (
    const text of [undefined, "", "127.1", "0177.0.0.1", "10.0.0.1:80", "x"]
  ) {
    assert.equal(normalAddress(text), undefined);
  }
});

Deno.test("isLoopbackAddress and namesLoopback take nothing for local that is absent or empty", () => {
  assert.equal(isLoopbackAddress(undefined), false);
  assert.equal(isLoopbackAddress(""), false);
  assert.equal(namesLoopback(null), false);
  assert.equal(namesLoopback(""), false);
});

Deno.test("namesLoopback refuses ports that do not exist", () => {
  assert.equal(namesLoopback("localhost:65535"), true);
  assert.equal(namesLoopback("localhost:65536"), false);
  assert.equal(namesLoopback("[::1]:99999"), false);
});

for (
  const [address, list, expected] of [
    ["10.1.2.3", "10.1.0.0/16", true],
    ["10.2.0.0", "10.1.0.0/16", false],
    ["10.1.255.255", "10.1.0.0/16", true],
    ["10.1.2.3", "10.1.2.3", true],
    ["10.1.2.4", "10.1.2.3", false],
    ["::ffff:10.1.2.3", "10.1.0.0/16", true],
    ["10.1.2.3", "::ffff:10.1.0.0/112", true],
    ["fd00::5", "fd00::/8", true],
    ["fe00::5", "fd00::/8", false],
    ["10.1.2.3", "fd00::/8", false],
    ["fd00::5", "10.0.0.0/8", false],
    ["203.0.113.9", "10.0.0.0/8, 203.0.113.0/24", true],
    ["203.0.113.9", "0.0.0.0/0", true],
    ["2001:db8::1", "0.0.0.0/0", false],
    ["2001:db8::1", "::/0", true],
    ["10.1.2.3", "", false],
    [undefined, "0.0.0.0/0,::/0", false],
    ["127.1", "0.0.0.0/0,::/0", false],
    ["unknown", "0.0.0.0/0,::/0", false],
  ] as const
) {
  Deno.test(`isInRanges says ${expected} for ${address} in "${list}"`, () => {
    assert.equal(isInRanges(address, ranges(list)), expected);
  });
}

Deno.test("isInRanges agrees with the bits of any IPv4 address and prefix", () => {
  const octet = fc.nat(255);
  const address = fc.tuple(octet, octet, octet, octet);
  const bitsOf = (octets: readonly number[]) =>
    octets.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  fc.assert(
    fc.property(address, address, fc.nat(32), (one, first, length) => {
      assert.equal(
        isInRanges(one.join("."), ranges(`${first.join(".")}/${length}`)),
        bitsOf(one).startsWith(bitsOf(first).slice(0, length)),
      );
    }),
  );
});

Deno.test("isFixedHost knows hosts that no DNS answer can change", () => {
  for (
    const host of [
      "10.0.0.1",
      "10.0.0.1:8787",
      "[fd00::1]",
      "[fd00::1]:8787",
      "LOCALHOST:1",
    ]
  ) assert.equal(isFixedHost(host), true, host);
  for (
    const host of [
      null,
      "",
      "svc.lan",
      "10.0.0.1.evil.example",
      "evil@10.0.0.1",
      "10.0.0.1/x",
      "10.0.0.1:99999",
      "10.0.0.1:",
      "[fd00::1",
      "fd00::1",
      "10.1",
      "[10.0.0.1]",
    ]
  ) assert.equal(isFixedHost(host), false, String(host));
});
